import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** Result of a run of the command line. */
export interface Ended {
  /** Standard output: all of it, unless `read` is false. */
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** A run of the built command line in a separate process. */
export interface Run {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Ended>
  /** Resolves when standard error contains this text. */
  readonly said: (text: string) => Promise<void>
}

/** Starts `trawl` as a shell would. With `read` false nobody reads its standard output. */
export function startCli(
  args: readonly string[],
  options: { cwd?: string; input?: string; read?: boolean; env?: Record<string, string> } = {},
): Run {
  if (!existsSync(main)) throw new Error('these tests run what was built: `npm run build` first')
  const child = spawn(process.execPath, [main, ...args], { cwd: options.cwd, env: { ...process.env, ...options.env } })
  let [stdout, stderr] = ['', '']
  if (options.read !== false) child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  if (options.input !== undefined) child.stdin.end(options.input)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    // Not `close`: with `read` false standard output is never read to its end.
    child.once(options.read === false ? 'exit' : 'close', (code) => resolve({ stdout, stderr, code }))
  })
  const said = (text: string) =>
    new Promise<void>((resolve) => {
      const look = (): void => {
        if (stderr.includes(text)) resolve()
      }
      child.stderr.on('data', look)
      look()
    })
  return { child, ended, said }
}

/** Runs `trawl` to its end. */
export const runCli = (
  args: readonly string[],
  options: { cwd?: string; input?: string; env?: Record<string, string> } = {},
): Promise<Ended> => startCli(args, { input: '', ...options }).ended

/** Parses NDJSON; throws for an invalid line. */
export function readLines(text: string): Record<string, unknown>[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line breaks off')
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** A new folder that is removed afterwards. */
export async function makeFolder(): Promise<AsyncDisposable & { path: string; in(...names: string[]): string }> {
  const path = await mkdtemp(join(tmpdir(), 'trawl-cli-'))
  return {
    path,
    in: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  }
}
