import { nonEmptyString, timerMs, checkOptions, type Rule } from '../../base/runtime/check-options.js'
import { spawn } from 'node:child_process'
import type { Ocr } from './ocr.js'

/** Options of `tesseractOcr`. */
export interface TesseractOptions {
  /** Path of the program, or its name on the `PATH`. @default 'tesseract' */
  readonly executablePath?: string
  /** Languages to recognise, as the program names them. @default ['eng'] */
  readonly languages?: readonly string[]
  /** Maximum time for one page. Milliseconds. @default 60000 */
  readonly timeoutMs?: number
}

const RULES: Readonly<Record<keyof TesseractOptions, Rule>> = {
  executablePath: nonEmptyString('the name or the path of a program'),
  languages: {
    allowed: "a list of languages, such as ['eng']",
    accepts: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && name !== ''),
  },
  timeoutMs: timerMs,
}

/** Maximum size of the output; a page of text has a few thousand bytes. */
const MAX_BYTES = 4 * 1024 * 1024
/** Maximum characters of its error messages to keep. */
const MAX_STDERR = 500

/**
 * Recognises text with the program `tesseract` on this machine, one process per image, without a shell.
 *
 * @throws TypeError for options that are not allowed
 * @example
 * const engine = createEngine({ ocr: tesseractOcr({ languages: ['eng', 'deu'] }) })
 */
export function tesseractOcr(options: TesseractOptions = {}): Ocr {
  checkOptions('tesseractOcr', options, RULES)
  const { executablePath = 'tesseract', languages = ['eng'], timeoutMs = 60_000 } = options
  return ({ bytes }, signal) => {
    const args = ['stdin', 'stdout', '-l', languages.join('+')]
    return run(executablePath, args, bytes, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]))
  }
}

/** Runs a program on an input and returns its output. */
function run(program: string, args: readonly string[], input: Uint8Array, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { signal, stdio: 'pipe', killSignal: 'SIGKILL' })
    const printed: Buffer[] = []
    let size = 0
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BYTES) child.kill('SIGKILL')
      else printed.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr = `${stderr}${chunk}`.slice(0, MAX_STDERR)
    })
    child.on('error', reject)
    // A program that stops reading early reports the reason when it exits.
    child.stdin.on('error', () => undefined)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(printed).toString('utf8'))
      else reject(new Error(`\`${program}\` ended with ${code ?? 'a signal'}: ${stderr.replace(/\s+/g, ' ').trim()}`))
    })
    child.stdin.end(input)
  })
}
