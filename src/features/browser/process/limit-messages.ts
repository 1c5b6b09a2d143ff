import { Readable } from 'node:stream'
import type { Browser } from 'playwright'
import { isObject } from '../../../base/collections/is-object.js'

/**
 * Maximum size of a message that tells of an event, such as a line in the console. A page's script decides how large it
 * is, and nobody needs it whole. One of 30 MB held the host's thread for 80 ms. Bytes.
 */
export const MAX_EVENT = 8 * 1024 * 1024
/** Maximum size of an answer to a command: the largest is a screenshot in base64. Bytes. */
const MAX_ANSWER = 256 * 1024 * 1024

const END_OF_MESSAGE = 0
/** The first letter of an answer, which begins with `{"id":`. An event begins with `{"method":`. */
const ANSWER_LETTER = 'i'.charCodeAt(0)
const LETTER_PLACE = 2
const NO_PIECES: readonly Uint8Array[] = []

/**
 * Keeps large messages of a browser from Playwright, which makes a string of each, and parses it, on this thread: one
 * `console.log` of a page can stop it for a second, or make a string longer than V8 allows, which would end the process.
 * An event that is too large is left out. An answer that is too large stops the browser, because the caller would wait
 * for it.
 *
 * Playwright has no such limit, and hands out the pipe of its browser nowhere. It is found on the server's side of
 * Playwright, which is in the same process. Where a version of Playwright has it elsewhere, there is no limit.
 */
export function limitMessages(browser: Browser): void {
  const child = findProcess(browser)
  const pipe = child?.stdio[4]
  if (child === undefined || !(pipe instanceof Readable)) return
  const [listener, ...others] = pipe.listeners('data')
  if (listener === undefined || others.length > 0) return
  const filter = new MessageFilter({
    forward: (bytes) => void Reflect.apply(listener, pipe, [bytes]),
    refuseAnswer: () => {
      pipe.destroy()
      child.kill('SIGKILL')
    },
  })
  pipe.off('data', listener as (bytes: Uint8Array) => void)
  pipe.on('data', (bytes: Uint8Array) => filter.push(bytes))
}

/** The browser's process, as Playwright started it. */
interface BrowserProcess {
  readonly pid?: number
  readonly stdio: readonly unknown[]
  kill(signal: 'SIGKILL'): unknown
}

/** Returns the process of a browser that this process started; undefined where a version of Playwright has it elsewhere. */
export function findProcess(browser: Browser): BrowserProcess | undefined {
  const connection = memberOf(browser, '_connection')
  const toImpl = memberOf(connection, 'toImpl')
  const server: unknown = typeof toImpl === 'function' ? Reflect.apply(toImpl, connection, [browser]) : undefined
  const found = memberOf(memberOf(memberOf(server, 'options'), 'browserProcess'), 'process')
  return isProcess(found) ? found : undefined
}

const memberOf = (of: unknown, name: string): unknown => (isObject(of) ? of[name] : undefined)

const isProcess = (value: unknown): value is BrowserProcess =>
  isObject(value) && Array.isArray(value['stdio']) && typeof value['kill'] === 'function'

interface FilterOptions {
  /** Takes bytes of messages that are small enough, in their order. */
  readonly forward: (bytes: Uint8Array) => void
  /** Called once, with an answer that is too large. Nothing is forwarded after it. */
  readonly refuseAnswer: () => void
  /** @default MAX_EVENT */
  readonly maxEvent?: number
  /** @default MAX_ANSWER */
  readonly maxAnswer?: number
}

/** Forwards messages that end with a zero byte, except those that are too large. */
export class MessageFilter {
  readonly #options: FilterOptions
  /** The pieces of a message whose end has not arrived. */
  #pieces: Uint8Array[] = []
  #length = 0
  #isAnswer = false
  #isLeftOut = false
  #isOver = false

  constructor(options: FilterOptions) {
    this.#options = options
  }

  push(bytes: Uint8Array): void {
    for (let start = 0; start < bytes.length && !this.#isOver;) {
      const zero = bytes.indexOf(END_OF_MESSAGE, start)
      const end = zero < 0 ? bytes.length : zero + 1
      this.#add(bytes.subarray(start, end))
      if (zero >= 0) this.#finish()
      start = end
    }
  }

  #add(piece: Uint8Array): void {
    if (this.#isLeftOut) return
    const letter = piece[LETTER_PLACE - this.#length]
    if (letter !== undefined) this.#isAnswer = letter === ANSWER_LETTER
    this.#pieces.push(piece)
    this.#length += piece.length
    const { maxEvent = MAX_EVENT, maxAnswer = MAX_ANSWER, refuseAnswer } = this.#options
    if (this.#length <= (this.#isAnswer ? maxAnswer : maxEvent)) return
    this.#pieces = []
    this.#isLeftOut = true
    if (!this.#isAnswer) return
    this.#isOver = true
    refuseAnswer()
  }

  #finish(): void {
    const pieces = this.#isLeftOut ? NO_PIECES : this.#pieces
    this.#pieces = []
    this.#length = 0
    this.#isAnswer = false
    this.#isLeftOut = false
    for (const piece of pieces) this.#options.forward(piece)
  }
}
