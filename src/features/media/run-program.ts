import { type ChildProcess, spawn } from 'node:child_process'

/** A program to run. */
interface ProgramRun {
  /** Path, or a name to look up in the system's folders. */
  readonly program: string
  readonly args: readonly string[]
  /** Standard input. @default nothing */
  readonly input?: Uint8Array
  /** Maximum size of its standard output. Bytes. */
  readonly maxBytes: number
  /** Milliseconds. */
  readonly timeoutMs: number
}

/** Result of a run. */
type ProgramEnd =
  | { readonly end: 'done'; readonly bytes: Uint8Array }
  /** It exited with an error; `stderr` is the end of its messages. */
  | { readonly end: 'failed'; readonly stderr: string }
  /** It does not exist or cannot be started. */
  | { readonly end: 'missing'; readonly stderr: string }
  /** It was killed because it ran too long. */
  | { readonly end: 'late' }
  /** It was killed because it printed too much. */
  | { readonly end: 'large' }

/** `PATH` of the program. It does not inherit the host's environment, which may contain secrets. */
const FOLDERS = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/snap/bin'
/** Maximum characters of its error messages to keep. */
const MAX_STDERR = 4096

/**
 * Runs a program to its end, without a shell or a terminal, in an environment of its own. It is killed, together with
 * its child processes, when it runs too long, prints too much, or the signal aborts; when the host exits, its pipes
 * break.
 *
 * @throws the reason of the signal
 */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // A child without system resources has no streams, and emits an error a moment later.
    const child: ChildProcess = spawn(run.program, run.args, {
      env: { PATH: FOLDERS, LC_ALL: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, so that its children can be killed with it.
      detached: true,
      windowsHide: true,
    })
    child.on('error', ({ message }) => finish(() => resolve({ end: 'missing', stderr: message })))
    const printed: Buffer[] = []
    let size = 0
    let stderr = ''
    let isRunning = true
    let isOver = false
    const endAll = (): void => {
      // After its exit the process id may belong to another process.
      if (isRunning) endGroup(child)
      isRunning = false
    }
    const finish = (settle: () => void): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      endAll()
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
      settle()
    }
    const abort = (): void => finish(() => reject(signal.reason))
    const timer = setTimeout(() => finish(() => resolve({ end: 'late' })), run.timeoutMs)
    signal.addEventListener('abort', abort, { once: true })
    child.stdout?.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > run.maxBytes) finish(() => resolve({ end: 'large' }))
      else printed.push(chunk)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = `${stderr}${chunk.toString('utf8')}`.slice(-MAX_STDERR)
    })
    // A program may exit without reading its input, and destroyed streams may emit errors.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined)
    // Child processes that it left running would keep the pipes open.
    child.on('exit', endAll)
    child.on('close', (code) =>
      finish(() => resolve(code === 0 ? { end: 'done', bytes: Buffer.concat(printed) } : { end: 'failed', stderr })),
    )
    child.stdin?.end(run.input)
  })
}

/** Kills a program and its child processes. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone, or the system has no groups: kill the program alone.
    child.kill('SIGKILL')
  }
}
