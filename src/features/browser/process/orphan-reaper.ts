import { spawn } from 'node:child_process'
import { platform } from 'node:os'

/** A shell process that cleans up if this process is killed. */
export interface Reaper {
  /** Stops the shell, when nothing is left to clean up. */
  dismiss(): void
}

/**
 * Waits for the end of its input, which comes when the host process dies in any way. Then gives the browser two seconds
 * to end by itself, as it does when its pipe to the host breaks.
 */
const script =
  'trap "" INT TERM HUP; read -r _; pid=$1; shift; for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done; ' +
  'kill -KILL -- "-$pid" 2>/dev/null; kill -KILL "$pid" 2>/dev/null; rm -rf -- "$@"'

/**
 * Starts a shell that kills the browser and deletes its folders when the host is killed. A killed host cannot do so
 * itself, and the browser would leave its profile folder behind.
 *
 * @param pid process id of the browser, which leads a process group
 * @param folders deleted with their contents
 */
export function spawnReaper(pid: number, folders: readonly string[]): Reaper {
  // Windows has no such shell, and clears its temporary folder itself.
  if (platform() === 'win32') return { dismiss: () => undefined }
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(pid), ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a process group of its own, so that signals to the host's group do not end it.
    detached: true,
  })
  // Without a shell there is no reaper, and the browser works all the same.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}
