import { spawn } from 'node:child_process'
import { platform } from 'node:os'

/** Clears away after this process, should it die before it can do so itself. */
export interface Reaper {
  /** There is nothing left to clear away. */
  dismiss(): void
}

/**
 * Waits for the end of its input, which comes when the process that holds the other end dies, however it does. Gives
 * the browser time to end by itself: it does, when its pipe to the host breaks.
 */
const script =
  'trap "" INT TERM HUP; read -r _; pid=$1; shift; for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$pid" 2>/dev/null || break; sleep 0.2; done; ' +
  'kill -KILL -- "-$pid" 2>/dev/null; kill -KILL "$pid" 2>/dev/null; rm -rf -- "$@"'

/**
 * Posts a shell beside a browser, which ends the browser and removes its folders when the host is killed. A killed
 * process can do nothing itself, and the browser leaves its profile folder lying then.
 *
 * @param pid the browser's, which leads a process group of its own
 * @param folders removed with all that is in them
 */
export function spawnReaper(pid: number, folders: readonly string[]): Reaper {
  // There is no shell to be counted on there; the system clears its temporary folder.
  if (platform() === 'win32') return { dismiss: () => undefined }
  const shell = spawn('/bin/sh', ['-c', script, 'sh', String(pid), ...folders], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Not in the host's group: what ends that one must not end the keeper.
    detached: true,
  })
  // Without a shell there is no keeper, and the rest goes its way.
  shell.on('error', () => undefined)
  shell.stdin.on('error', () => undefined)
  shell.unref()
  if ('unref' in shell.stdin && typeof shell.stdin.unref === 'function') shell.stdin.unref()
  return { dismiss: () => void shell.kill('SIGKILL') }
}
