import { type ChildProcess, spawn } from 'node:child_process'

/** How a program is run. */
export interface ProgramRun {
  /** A path, or a name that is looked for in the system's folders. */
  readonly program: string
  readonly args: readonly string[]
  /** What it reads. @default nothing */
  readonly input?: Uint8Array
  /** The most that it may print. Bytes. */
  readonly maxBytes: number
  /** Milliseconds. */
  readonly timeoutMs: number
}

/** How a program came to its end. */
export type ProgramEnd =
  | { readonly end: 'done'; readonly bytes: Uint8Array }
  /** It ended with a fault; `said` is the end of what it wrote about it. */
  | { readonly end: 'failed'; readonly said: string }
  /** There is no such program, or it cannot be started. */
  | { readonly end: 'missing'; readonly said: string }
  /** It was ended: it took longer than it may. */
  | { readonly end: 'late' }
  /** It was ended: it printed more than it may. */
  | { readonly end: 'large' }

/** Where programs stand. The host's environment, and what is secret in it, is none of theirs. */
const FOLDERS = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/snap/bin'
/** Of what a program says about a fault, so much is kept. */
const MAX_SAID = 4096

/**
 * Runs a program to its end, with no shell between, no terminal, and an environment of its own. It is ended, with whatever it
 * started, when it takes too long, prints too much, or the signal aborts; and with the host, when its pipes break.
 *
 * @throws the signal's reason
 */
export function runProgram(run: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    // Where the system has nothing left to give, it has no streams either, and says so a moment later.
    const child: ChildProcess = spawn(run.program, run.args, {
      env: { PATH: FOLDERS, LC_ALL: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it starts can be ended with it.
      detached: true,
      windowsHide: true,
    })
    child.on('error', ({ message }) => finish(() => resolve({ end: 'missing', said: message })))
    const printed: Buffer[] = []
    let size = 0
    let said = ''
    let isRunning = true
    let isOver = false
    const endAll = (): void => {
      // Later its number may be another's.
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
      said = `${said}${chunk.toString('utf8')}`.slice(-MAX_SAID)
    })
    // A program that does not read to the end says why when it ends; streams that are destroyed have nothing to say.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined)
    // What it left running would hold its pipes open.
    child.on('exit', endAll)
    child.on('close', (code) =>
      finish(() => resolve(code === 0 ? { end: 'done', bytes: Buffer.concat(printed) } : { end: 'failed', said })),
    )
    child.stdin?.end(run.input)
  })
}

/** Ends a program and all that it started. */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group is gone, or the system knows no groups: then there is the program itself.
    child.kill('SIGKILL')
  }
}
