import { aText, aTime, checkOptions, type Rule } from '../runtime/check-options.js'
import { spawn } from 'node:child_process'
import type { Ocr } from './ocr.js'

/** How the program is called. */
export interface TesseractOptions {
  /** The program, by its name on the path or by its own path. @default 'tesseract' */
  readonly executablePath?: string
  /** The languages looked for, as the program names them. @default ['eng'] */
  readonly languages?: readonly string[]
  /** How long one page may take. Milliseconds. @default 60000 */
  readonly timeoutMs?: number
}

const RULES: Readonly<Record<keyof TesseractOptions, Rule>> = {
  executablePath: aText('the name or the path of a program'),
  languages: {
    allowed: "a list of languages, such as ['eng']",
    takes: (value) =>
      Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && name !== ''),
  },
  timeoutMs: aTime,
}

/** A page of text has a few thousand. */
const MAX_BYTES = 4 * 1024 * 1024
/** Characters of what it says of a failure. */
const MAX_COMPLAINT = 500

/**
 * Reads pictures with the program `tesseract` of this machine, one process for each picture, with no shell between.
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

/** What a program prints of what it is given. */
function run(program: string, args: readonly string[], input: Uint8Array, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { signal, stdio: 'pipe', killSignal: 'SIGKILL' })
    const printed: Buffer[] = []
    let size = 0
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BYTES) child.kill('SIGKILL')
      else printed.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaint = `${complaint}${chunk}`.slice(0, MAX_COMPLAINT)
    })
    child.on('error', reject)
    // A program that does not read to the end says why when it ends.
    child.stdin.on('error', () => undefined)
    child.on('close', (code) => {
      if (code === 0) resolve(Buffer.concat(printed).toString('utf8'))
      else
        reject(new Error(`\`${program}\` ended with ${code ?? 'a signal'}: ${complaint.replace(/\s+/g, ' ').trim()}`))
    })
    child.stdin.end(input)
  })
}
