import * as zlib from 'node:zlib'
import { findMemberData } from '../../../base/http/gzip-members.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { messageOf } from '../../../base/errors.js'
import type { ByteStream } from './archive-input.js'

/** A part of what an archive holds, decompressed. */
export interface MemberPiece {
  readonly bytes: Buffer
  /** Set where a gzip member begins: its place in the file. Bytes. */
  readonly member?: number
  /** True for a member that was read up to another one, which its broken data seems to go on over. */
  readonly isCut?: boolean
  /** Fault of a member that was read all the same: a predicate after the words "its gzip member". */
  readonly warning?: string
  /** Set where what follows cannot be read up to the next member: the reason, a predicate after the words "the member". */
  readonly problem?: string
  /** Place in the file where the problem begins. */
  readonly problemAt?: number
}

/** Compressed size up to which a member is decompressed at once; larger ones are streamed. Bytes. */
const MAX_WINDOW_BYTES = 1024 * 1024
/** Decompressed size up to which a member is decompressed at once. Bytes. */
const MAX_WHOLE_BYTES = 4 * 1024 * 1024
const TRAILER_BYTES = 8
/** Size of the head of a member without a name and the like. Bytes. */
const HEAD_BYTES = 10
/** Members that are looked for in others: each of those may be as long as what is held of the file, and is decompressed twice for it. */
const MAX_HIDDEN = 200
/** Maximum size of the head of a member, which may have the name of a file. Bytes. */
const MAX_HEAD_BYTES = 65_536
const NOTHING = Buffer.alloc(0)

/**
 * Decompresses a gzip file member by member, and says where each begins. After a broken one it goes on with the next, which zlib
 * alone cannot do. One whose checksum is wrong is read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc1952#section-2.3
 */
export async function* readMembers(bytes: ByteStream, from = 0): AsyncGenerator<MemberPiece, void, undefined> {
  const input = new Window(bytes, from)
  try {
    yield* membersOf(input)
  } finally {
    await input.close()
  }
}

async function* membersOf(input: Window): AsyncGenerator<MemberPiece, void, undefined> {
  // The rest of a broken member is no further problem.
  let isBroken = false
  for (;;) {
    await yieldIfHeld()
    const data = await findData(input)
    if (data === undefined) {
      const problemAt = input.at
      const problem = await skipToMember(input)
      if (problem !== undefined && !isBroken) yield { bytes: NOTHING, problem, problemAt }
      if (input.isEmpty) return
      continue
    }
    for await (const piece of await readMember(input, data)) {
      isBroken = piece.problem !== undefined
      yield piece
    }
  }
}

/** Returns the place of the compressed data of the member at the start of the window; undefined for no member. */
async function findData(input: Window): Promise<number | undefined> {
  while (input.window.length < 18 && (await input.more()));
  if (!isMember(input.window, 0)) return undefined
  for (;;) {
    const data = findMemberData(input.window, 0)
    if (data !== undefined && data < input.window.length) return data
    if (input.window.length > MAX_HEAD_BYTES || !(await input.more())) return undefined
  }
}

/** Tests for the head of a member: the signature, deflate, and no reserved flag. */
const isMember = (bytes: Buffer, at: number): boolean =>
  bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 0x08 && (bytes[at + 3] ?? 0) < 0x20

/** Finds what looks like a member. @returns -1 for none */
export function findMember(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0x1f, from); at !== -1; at = bytes.indexOf(0x1f, at + 1))
    if (isMember(bytes, at)) return at
  return -1
}

/**
 * Finds a member within what looks like one, whose data is broken so that it seems to go on: over the end, and the members behind it. Where
 * another member or nothing follows, it has not. What is content of the broken member is none: a site chooses it.
 *
 * @param data place of its compressed data
 * @param end place behind the seeming member
 */
async function findHidden(input: Window, data: number, end: number): Promise<number | undefined> {
  while (input.window.length < end + 4 && (await input.more()));
  const { window } = input
  const isMisled = end === window.length ? input.isWhole : !isMember(window, end)
  for (
    let at = isMisled ? window.indexOf(0x1f, HEAD_BYTES) : -1;
    at !== -1 && at < end;
    at = window.indexOf(0x1f, at + 1)
  )
    if (isMember(window, at)) {
      if (!input.mayTryAgain()) return undefined
      if (!(await isContent(window, data, at))) return at
    }
  return undefined
}

const SIGNATURE_BYTES = 4

/**
 * Tests whether what looks like a member is content of the one at the start of the window: deflate has bytes that it cannot make smaller as they
 * are, such as those of a gzip file that a site serves.
 */
async function isContent(window: Buffer, data: number, at: number): Promise<boolean> {
  if (at < data) return false
  const { out: before } = await inflateWhole(window.subarray(data, at))
  if (!before) return false
  const { out } = await inflateWhole(window.subarray(data, at + SIGNATURE_BYTES))
  return out?.subarray(before.length).equals(window.subarray(at, at + SIGNATURE_BYTES)) ?? false
}

/** Reads a broken member up to the one that is hidden in it. */
async function cutMember(input: Window, data: number, hidden: number): Promise<MemberPiece> {
  const member = input.at
  const { out, error } = await inflateWhole(input.window.subarray(data, Math.max(data, hidden)))
  if (!out) return brokenMember(input, data, error)
  input.drop(hidden)
  return { bytes: out, member, isCut: true, warning: 'has a wrong checksum' }
}

/** Drops bytes up to the next member. @returns the problem; undefined where nothing but zeros was dropped */
async function skipToMember(input: Window): Promise<string | undefined> {
  let dropped = 0
  let hasData = false
  const drop = (length: number): void => {
    hasData ||= input.window.subarray(0, length).some((byte) => byte !== 0)
    dropped += length
    input.drop(length)
  }
  for (;;) {
    const { window } = input
    for (let at = window.indexOf(0x1f, dropped === 0 ? 1 : 0); at !== -1; at = window.indexOf(0x1f, at + 1)) {
      if (at + 4 > window.length || !isMember(window, at)) continue
      drop(at)
      return hasData ? `is followed by ${dropped} bytes that are none` : undefined
    }
    // The signature may lie across the end.
    const isEnd = !(await input.more())
    drop(isEnd ? input.window.length : Math.max(0, window.length - 3))
    if (isEnd) return hasData ? `is followed by ${dropped} bytes that are none` : undefined
  }
}

/** Result of `zlib.inflateRaw` with `info`, which the types of Node do not have. */
interface Inflated {
  readonly buffer: Buffer
  readonly engine: zlib.InflateRaw
}

const lenient = { info: true, finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: MAX_WHOLE_BYTES }

/** Decompresses a member in another thread. @param size what it may have, which then comes in one piece. Bytes */
const inflateWhole = (
  bytes: Buffer,
  size = 0,
): Promise<{ readonly out?: Buffer; readonly used: number; readonly error?: Error }> =>
  new Promise((resolve) => {
    const chunkSize = Math.min(Math.max(zlib.constants.Z_DEFAULT_CHUNK, size + MIN_CHUNK_BYTES), MAX_WHOLE_BYTES)
    zlib.inflateRaw(bytes, { ...lenient, chunkSize }, (error, result) => {
      if (error) return resolve({ used: 0, error })
      const { buffer, engine } = result as unknown as Inflated
      resolve({ out: buffer, used: engine.bytesWritten })
    })
  })

/**
 * Compressed and decompressed size up to which a member is decompressed in this thread: reading pages of 25 KB took 0.13 to 0.16 ms of
 * processor time each, and 0.18 to 0.21 ms where another thread decompressed them. Bytes.
 */
const SMALL_BYTES = 32 * 1024
const SMALL_OUT_BYTES = 64 * 1024
/** Deflated data without a byte, and the checksum and size of none. */
const EMPTY = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])

/** Reads the member at the start of the window if it is small and whole: a hostile file may have millions of them. */
async function readSmall(
  input: Window,
  data: number,
  { end: seemingEnd, size }: SeemingMember,
): Promise<MemberPiece | undefined> {
  if (seemingEnd > data + SMALL_BYTES || size > SMALL_OUT_BYTES) return undefined
  const packed = input.window.subarray(data, data + SMALL_BYTES)
  const member = input.at
  if (packed.subarray(0, EMPTY.length).equals(EMPTY)) {
    input.drop(data + EMPTY.length)
    return { bytes: NOTHING, member }
  }
  try {
    // All of it comes in one piece, and there is room to see that there is no more.
    const options = { ...small, chunkSize: size + MIN_CHUNK_BYTES }
    const { buffer, engine } = zlib.inflateRawSync(packed, options) as unknown as Inflated
    const end = data + engine.bytesWritten
    // What zlib has taken to the last byte may go on.
    if (engine.bytesWritten + TRAILER_BYTES > packed.length) return undefined
    const warning = checkSum(buffer, input.window.subarray(end, end + TRAILER_BYTES))
    const hidden = warning === undefined ? undefined : await findHidden(input, data, end + TRAILER_BYTES)
    if (hidden !== undefined) return await cutMember(input, data, hidden)
    input.drop(end + TRAILER_BYTES)
    return { bytes: buffer, member, warning }
  } catch (error) {
    return isTooLarge(error) ? undefined : await brokenMember(input, data, error)
  }
}

/** Smallest piece that zlib gives. Bytes. */
const MIN_CHUNK_BYTES = 64

/** A member as it seems to be: its end, and its size behind the head. Bytes. */
interface SeemingMember {
  readonly end: number
  readonly size: number
}

/**
 * Finds the end of a member, which is where the next one begins or the file ends, and what the member says before it that its size is. Of
 * one that is followed by something else, the size is any number. It is undefined for one that is larger than what is held of a file.
 */
async function findEnd(input: Window, data: number): Promise<SeemingMember | undefined> {
  const most = data + MAX_WINDOW_BYTES
  let end = findMember(input.window, data)
  while (end === -1 && input.window.length < most) {
    // The signature may lie across the end of what is held.
    const looked = Math.max(data, input.window.length - SIGNATURE_BYTES + 1)
    if (await input.more()) end = findMember(input.window, looked)
    else end = input.window.length
  }
  return end < data + TRAILER_BYTES ? undefined : { end, size: input.window.readUInt32LE(end - 4) }
}

const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'

/**
 * Leaves the fixed part of the head of a broken member behind. Its end is not known: the next signature is looked for, also in what the
 * head says is a name or the like, for that may be what is broken. Those in its content are left behind as well.
 */
async function brokenMember(input: Window, data: number, error: unknown): Promise<MemberPiece> {
  const member = input.at
  const { window } = input
  let end = Math.min(HEAD_BYTES, window.length)
  for (let at = window.indexOf(0x1f, end); at !== -1; at = window.indexOf(0x1f, at + 1)) {
    if (!isMember(window, at)) continue
    if (!input.mayTryAgain() || !(await isContent(window, data, at))) break
    end = at + 1
  }
  input.drop(end)
  return { bytes: NOTHING, member, problem: `is broken: ${messageOf(error)}` }
}

const small = { info: true, finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: SMALL_OUT_BYTES }

/** Reads the member at the start of the window: at once, or as a stream if it is large. */
async function readMember(input: Window, data: number): Promise<Iterable<MemberPiece> | AsyncIterable<MemberPiece>> {
  const seeming = await findEnd(input, data)
  const read = seeming && (await readSmall(input, data, seeming))
  if (read) return [read]
  const member = input.at
  for (;;) {
    const { out, used, error } = await inflateWhole(input.window.subarray(data), seeming?.size)
    if (isTooLarge(error)) return streamMember(input, data)
    if (error) return [await brokenMember(input, data, error)]
    const end = data + used
    if (out && end + TRAILER_BYTES <= input.window.length) {
      const warning = checkSum(out, input.window.subarray(end, end + TRAILER_BYTES))
      const hidden = warning === undefined ? undefined : await findHidden(input, data, end + TRAILER_BYTES)
      if (hidden !== undefined) return [await cutMember(input, data, hidden)]
      input.drop(end + TRAILER_BYTES)
      return [{ bytes: out, member, warning }]
    }
    if (input.window.length > MAX_WINDOW_BYTES) return streamMember(input, data)
    // Twice as much, so that no member is decompressed in vain for each of its chunks.
    const wanted = 2 * input.window.length
    let hasMore = await input.more()
    const isMore = hasMore
    while (hasMore && input.window.length < wanted) hasMore = await input.more()
    if (isMore) continue
    const hidden = await findHidden(input, data, input.window.length)
    if (hidden !== undefined) return [await cutMember(input, data, hidden)]
    input.drop(input.window.length)
    return [
      { bytes: out ?? NOTHING, member },
      { bytes: NOTHING, problem: 'is cut short', problemAt: member },
    ]
  }
}

const checkSum = (out: Buffer, trailer: Buffer): string | undefined =>
  trailer.readUInt32LE(4) === out.length % 2 ** 32 && trailer.readUInt32LE(0) === zlib.crc32(out)
    ? undefined
    : 'has a wrong checksum'

/** Reads a large member as it comes. */
async function* streamMember(input: Window, data: number): AsyncGenerator<MemberPiece, void, undefined> {
  const start = input.at
  let member: number | undefined = start
  const inflate = zlib.createInflateRaw({ finishFlush: zlib.constants.Z_SYNC_FLUSH, chunkSize: 65_536 })
  input.drop(data)
  let isCut = false
  const feed = async (): Promise<void> => {
    let fed = 0
    for (;;) {
      const chunk = input.window
      fed += chunk.length
      await new Promise<void>((resolve) => inflate.write(chunk, () => resolve()))
      const left = fed - inflate.bytesWritten
      if (inflate.errored) return
      input.drop(chunk.length - left)
      // What zlib has not taken is behind the end of the member.
      if (left > 0) return
      if (await input.more()) continue
      isCut = true
      inflate.end()
      return
    }
  }
  // What came before its source failed is given first.
  const feeding = feed().catch((error: unknown) => {
    inflate.end()
    return { error }
  })
  let fault: string | undefined
  try {
    for await (const bytes of inflate as AsyncIterable<Buffer>) {
      yield { bytes, member }
      member = undefined
    }
  } catch (error) {
    fault = messageOf(error)
  } finally {
    inflate.destroy()
  }
  const failure = await feeding
  if (failure) throw failure.error
  if (fault !== undefined) yield { bytes: NOTHING, member, problem: `is broken: ${fault}` }
  else if (isCut) yield { bytes: NOTHING, problem: 'is cut short', problemAt: start }
  else await dropTrailer(input)
}

async function dropTrailer(input: Window): Promise<void> {
  while (input.window.length < TRAILER_BYTES && (await input.more()));
  input.drop(Math.min(TRAILER_BYTES, input.window.length))
}

/** The part of a stream that is read and not used yet. */
class Window {
  window: Buffer = NOTHING
  /** Place of its first byte in the file. */
  at: number
  readonly #chunks: AsyncIterator<Uint8Array>
  #hasEnded = false
  #hidden = 0

  constructor(bytes: ByteStream, at: number) {
    this.#chunks = bytes[Symbol.asyncIterator]()
    this.at = at
  }

  get isEmpty(): boolean {
    return this.#hasEnded && this.window.length === 0
  }

  /** Reads a further chunk. @returns false at the end */
  async more(): Promise<boolean> {
    if (this.#hasEnded) return false
    const { done, value } = await this.#chunks.next()
    if (done) {
      this.#hasEnded = true
      return false
    }
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    this.window = this.window.length === 0 ? chunk : Buffer.concat([this.window, chunk])
    return true
  }

  /** True if what is held is all that is left. */
  get isWhole(): boolean {
    return this.#hasEnded
  }

  /** Tests whether a further place may be taken for a member that is hidden in another. */
  mayTryAgain(): boolean {
    this.#hidden += 1
    return this.#hidden <= MAX_HIDDEN
  }

  /** Ends the reading of the stream. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  drop(length: number): void {
    this.window = this.window.subarray(length)
    this.at += length
  }
}
