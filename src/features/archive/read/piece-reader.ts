import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import type { MemberPiece } from './gzip-members.js'

const NOTHING = Buffer.alloc(0)

/** Bytes by which the start of a record is told. */
const START_BYTES = 16
/** Size of a small piece, and of a buffer that is long enough for many. Bytes. */
const SMALL_BYTES = 256
const LONG_BYTES = 1024
/** Lines that are looked at without a pause. */
const MAX_LINES = 4096

/** Bytes of an archive that are put back, and copied, at most. */
const MAX_UNREAD_BYTES = 1024 * 1024 * 1024

/** Bytes that were asked for, and why there are no more of them. */
interface ReadBytes {
  readonly bytes: Buffer
  /** Set where fewer bytes came than were asked for. A sentence without a full stop. */
  readonly problem?: string
}

/** The start of a gzip member. */
interface Mark {
  /** Its place in the file. */
  readonly offset: number
  readonly warning: string | undefined
  readonly isCut: boolean
}

/** Reads lines and blocks from the pieces of an archive, and knows where members begin. */
export class PieceReader {
  readonly #pieces: AsyncIterator<MemberPiece>
  #buffer: Buffer = NOTHING
  /** Place of the buffer in the decompressed bytes. */
  #at = 0
  /** Members that begin at the buffer or behind it: where, and their places in the file. */
  #marks: (Mark & { readonly at: number })[] = []
  /** Number of marks at the start of the list that are left behind. */
  #passed = 0
  #problem: string | undefined
  #problemAt: number | undefined
  #hasEnded = false
  #unreadBytes = 0

  constructor(pieces: AsyncIterable<MemberPiece>) {
    this.#pieces = pieces[Symbol.asyncIterator]()
  }

  /** Ends the reading of what the pieces are from. */
  async close(): Promise<void> {
    await this.#pieces.return?.()
  }

  /** Place in the decompressed bytes. */
  get at(): number {
    return this.#at
  }

  /** Problem at the end of the bytes that can be read; undefined for nothing. */
  get problem(): string | undefined {
    return this.#buffer.length === 0 ? this.#problem : undefined
  }

  /** The member that begins here; undefined where none does. */
  memberHere(): Mark | undefined {
    const mark = this.#marks[this.#passed]
    return mark?.at === this.#at ? mark : undefined
  }

  /** Number of bytes up to the next member behind this place, as far as it is known. */
  #bytesToMark(): number | undefined {
    const mark = this.#marks[this.#passed + (this.memberHere() ? 1 : 0)]
    return mark && mark.at - this.#at
  }

  /** Number of bytes up to a mark, by its place in the list; Infinity for none. */
  #bytesTo(number: number): number {
    return (this.#marks[number]?.at ?? Infinity) - this.#at
  }

  /** Place in the file where the problem begins; undefined where it is not known. */
  get problemAt(): number | undefined {
    return this.#problemAt
  }

  /** Goes on behind a problem. */
  resume(): void {
    this.#problem = undefined
  }

  /** Reads a further piece, or as many small ones as double a long buffer, which is copied. @returns false at a problem, or the end */
  async #fill(): Promise<boolean> {
    const parts = [this.#buffer]
    let bytes = this.#buffer.length
    const most = 2 * bytes
    for (let isSmall = true; isSmall && this.#problem === undefined && !this.#hasEnded;) {
      const { done, value } = await this.#pieces.next()
      if (done) {
        this.#hasEnded = true
        break
      }
      const { member, warning, isCut = false, problem, problemAt } = value
      if (member !== undefined) {
        const at = this.#at + bytes
        // Of members without bytes, the last one is that which the next byte is in.
        if (this.#marks.length > this.#passed && this.#marks.at(-1)?.at === at) this.#marks.pop()
        this.#marks.push({ at, offset: member, warning, isCut })
      }
      parts.push(value.bytes)
      bytes += value.bytes.length
      this.#problem = problem
      this.#problemAt = problemAt ?? member
      isSmall = value.bytes.length < SMALL_BYTES && bytes > LONG_BYTES && bytes < most
    }
    if (parts.length === 1) return false
    const held = parts.filter(({ length }) => length > 0)
    this.#buffer = held.length === 1 ? (held[0] ?? NOTHING) : Buffer.concat(held)
    return true
  }

  #take(length: number): Buffer {
    const bytes = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    this.#at += length
    while ((this.#marks[this.#passed]?.at ?? Infinity) < this.#at) this.#passed += 1
    if (2 * this.#passed <= this.#marks.length) return bytes
    this.#marks = this.#marks.slice(this.#passed)
    this.#passed = 0
    return bytes
  }

  /** Puts bytes back that were read last. @returns false if too many were put back, of which each costs a copy: then they are not */
  unread(bytes: Buffer): boolean {
    this.#unreadBytes += bytes.length + this.#buffer.length
    if (this.#unreadBytes > MAX_UNREAD_BYTES) return false
    this.#buffer = Buffer.concat([bytes, this.#buffer])
    this.#at -= bytes.length
    return true
  }

  /** Skips line ends, in whatever number. */
  async skipBlankLines(): Promise<void> {
    for (;;) {
      await yieldIfHeld()
      if ((await this.peek(1)).length === 0) return
      const end = this.#buffer.findIndex((byte) => byte !== 10 && byte !== 13)
      this.#take(Math.min(end === -1 ? this.#buffer.length : end, this.#bytesToMark() ?? Infinity))
      if (end !== -1 && this.#buffer[0] !== 10 && this.#buffer[0] !== 13) return
    }
  }

  /** Returns up to `length` bytes that come next, without reading them. */
  async peek(length: number): Promise<Buffer> {
    while (this.#buffer.length < length && (await this.#fill()));
    return this.#buffer.subarray(0, length)
  }

  /** Returns true where nothing is left, neither bytes nor a problem. */
  async isOver(): Promise<boolean> {
    while (this.#buffer.length === 0 && (await this.#fill()));
    return this.#buffer.length === 0 && this.#problem === undefined
  }

  /** Tests for a member that begins here, with a record. */
  async startsHere(isStart: (bytes: Buffer) => boolean): Promise<boolean> {
    const head = await this.peek(START_BYTES)
    return this.memberHere() !== undefined && isStart(head)
  }

  /**
   * Reads a line, without its end.
   *
   * @param isStart tests for the start of a record: one where a member begins ends the line
   * @returns undefined where none ends within `maxBytes`
   */
  async line(maxBytes: number, isStart: (bytes: Buffer) => boolean = () => false): Promise<string | undefined> {
    let number = this.#passed + (this.memberHere() ? 1 : 0)
    for (let from = 0; ;) {
      const end = this.#buffer.indexOf(10, from)
      from = this.#buffer.length
      const limit = end === -1 ? from : end
      for (let mark = this.#bytesTo(number); mark < limit; mark = this.#bytesTo(number)) {
        if (isStart((await this.peek(mark + START_BYTES)).subarray(mark))) return this.#take(mark).toString('utf8')
        number += 1
      }
      if (end > maxBytes) return undefined
      if (end !== -1)
        return this.#take(end + 1)
          .toString('utf8', 0, end)
          .replace(/\r$/, '')
      if (from > maxBytes || (this.#buffer.length === from && !(await this.#fill()))) return undefined
    }
  }

  /**
   * Reads a block of a stated length.
   *
   * @param isStart tests for the start of a record: one where a member begins ends the block early
   * @param keep false to drop the bytes
   */
  async block(length: number, isStart: (bytes: Buffer) => boolean, keep: boolean): Promise<ReadBytes> {
    const parts: Buffer[] = []
    let left = length
    const short = (problem: string): ReadBytes => ({ bytes: Buffer.concat(parts), problem })
    while (left > 0) {
      if (this.#buffer.length === 0 && !(await this.#fill())) {
        const why = this.#problem === undefined ? '' : `: the gzip member ${this.#problem}`
        return short(`its block is cut short by ${left} bytes${why}`)
      }
      // Only a piece without bytes came, such as a problem.
      if (this.#buffer.length === 0) continue
      if (left < length && this.memberHere() !== undefined && isStart(await this.peek(16)))
        return short(`its block ends ${left} bytes early`)
      const part = this.#take(Math.min(left, this.#buffer.length, this.#bytesToMark() ?? Infinity))
      left -= part.length
      if (keep) parts.push(part)
    }
    return { bytes: parts.length === 1 ? (parts[0] ?? NOTHING) : Buffer.concat(parts) }
  }

  /**
   * Reads up to the start of a record, which is at the start of a line.
   *
   * @param maxBytes bytes to keep
   * @param isHere false where none can start here, within a line
   * @returns what is before it
   */
  async untilStart(isStart: (bytes: Buffer) => boolean, maxBytes: number, isHere = true): Promise<Buffer> {
    const parts: Buffer[] = []
    let kept = 0
    for (let isLineStart = isHere; ;) {
      await yieldIfHeld()
      // Whether a member begins here is known once its first byte is read.
      await this.peek(1)
      if ((isLineStart || this.memberHere() !== undefined) && isStart(await this.peek(START_BYTES))) break
      if (this.#buffer.length === 0 && !(await this.#fill())) break
      const part = this.#take(this.#lines(isStart, this.#bytesToMark()))
      isLineStart = part.at(-1) === 10
      if (kept < maxBytes) parts.push(part.subarray(0, maxBytes - kept))
      kept += part.length
    }
    return Buffer.concat(parts)
  }

  /** Returns the number of bytes in the buffer up to a line that starts a record, or one too short to tell; those of some lines at most. */
  #lines(isStart: (bytes: Buffer) => boolean, bytesToMark: number | undefined): number {
    const buffer = this.#buffer.subarray(0, bytesToMark)
    let at = 0
    for (let lines = 0; lines < MAX_LINES; lines += 1) {
      const end = buffer.indexOf(10, at)
      if (end === -1) return buffer.length
      at = end + 1
      if (at + START_BYTES > buffer.length || isStart(buffer.subarray(at, at + START_BYTES))) break
    }
    return at
  }
}
