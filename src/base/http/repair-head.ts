import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Browsers take a body as chunked wherever the list names it. */
const CHUNKED = /(?:^|,)[ \t]*chunked[ \t]*(?:,|$)/i

/**
 * Rewrites the head of a response as a strict parser reads it, with what browsers accept: line ends without a carriage return,
 * lines that are no header, white space before a colon, folded lines, control characters, a repeated `Content-Length` of one
 * value, one that is no number, and one beside `Transfer-Encoding`. Two values stay, and are refused.
 *
 * @returns undefined for what is no head of HTTP/1
 */
export function repairHead(head: string): string | undefined {
  const [first = '', ...lines] = head.split(/\r?\n/)
  const [, status, reason = ''] = /^HTTP\/1\.[01][ \t]+(\d{3})(?!\d)(.*)$/i.exec(first) ?? []
  if (status === undefined) return undefined
  const fields: { readonly name: string; value: string }[] = []
  let last: { value: string } | undefined
  for (const line of lines) {
    if (/^[ \t]/.test(line)) {
      if (last) last.value += ` ${line.trim()}`
      continue
    }
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trimEnd()
    last = TOKEN.test(name) ? { value: line.slice(colon + 1).trim() } : undefined
    if (last) fields.push(Object.assign(last, { name: name.toLowerCase() }))
  }
  const isChunked = fields.some(({ name, value }) => name === 'transfer-encoding' && CHUNKED.test(value))
  const lengths = isChunked ? [] : readLengths(fields)
  const kept = fields.filter(({ name }) => name !== 'transfer-encoding' && name !== 'content-length')
  // oxlint-disable-next-line no-control-regex -- a strict parser refuses these
  const readable = (text: string): string => text.replace(/[\0-\x1f\x7f]/g, ' ').trim()
  return [
    `HTTP/1.1 ${status} ${readable(reason)}`,
    ...(isChunked ? ['transfer-encoding: chunked'] : []),
    ...kept.map(({ name, value }) => `${name}: ${readable(value)}`),
    ...lengths.map((length) => `content-length: ${length}`),
  ].join('\r\n')
}

/**
 * Reads the lengths that a head states, each once. A value that is no number states none, and the body ends with its connection;
 * beside a number, it is another length.
 *
 * @see https://fetch.spec.whatwg.org/#concept-header-list-extract-a-length
 */
function readLengths(fields: readonly { readonly name: string; readonly value: string }[]): readonly string[] {
  const stated = fields
    .filter(({ name }) => name === 'content-length')
    .flatMap(({ value }) => value.split(',').map((part) => part.trim()))
  const values = [...new Set(stated.filter((value) => value !== ''))]
  return values.some(isLength) ? values : []
}

const isLength = (value: string): boolean => /^\d+$/.test(value) && Number.isSafeInteger(Number(value))

/** End of a head: an empty line. */
const HEAD_END = /\r?\n\r?\n/
const MAX_END_LENGTH = 4

/** A connection for one response, whose head is repaired as it is received. Interim responses are left out. */
export class RepairedConnection extends Duplex {
  readonly #socket: Socket
  readonly #headerBytes: number
  /** The head, as far as it is received; undefined after its end. */
  #head: string | undefined = ''
  /** The last characters of the head, in which its end may begin. */
  #tail = ''

  /** @param headerBytes maximum size of a head */
  constructor(socket: Socket, headerBytes: number) {
    super()
    this.#socket = socket
    this.#headerBytes = headerBytes
    let hasEnded = false
    socket.on('data', (chunk) => this.#receive(chunk))
    socket.once('end', () => {
      hasEnded = true
      if (this.#head) this.push(this.#head, 'latin1')
      this.push(null)
    })
    socket.once('error', (error) => this.destroy(error))
    // After the end, bytes may still wait for the reader.
    socket.once('close', () => void (hasEnded || this.destroy()))
  }

  #receive(chunk: Buffer): void {
    if (this.#head === undefined) {
      if (!this.push(chunk)) this.#socket.pause()
      return
    }
    const text = chunk.toString('latin1')
    // A head may come byte by byte: looking for its end in all of it each time would take quadratic time.
    const tail = this.#tail + text
    const hasEnd = HEAD_END.test(tail)
    this.#tail = tail.slice(-MAX_END_LENGTH)
    let head = this.#head + text
    for (let end = hasEnd && HEAD_END.exec(head); end; end = HEAD_END.exec(head)) {
      if (end.index > this.#headerBytes) break
      const found = head.slice(0, end.index).trimStart()
      head = head.slice(end.index + end[0].length)
      // Empty lines before a head, and interim responses. No request asks for another protocol, which 101 announces.
      if (/^$|^HTTP\/1\.[01] +1(?!01)\d\d/i.test(found)) continue
      this.#head = undefined
      this.push(`${repairHead(found) ?? found}\r\n\r\n${head}`, 'latin1')
      return
    }
    this.#head = head
    if (head.length <= this.#headerBytes) return
    this.destroy(Object.assign(new Error('the head is too large'), { code: 'HPE_HEADER_OVERFLOW' }))
  }

  override _read(): void {
    this.#socket.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done)
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
