import { setImmediate } from 'node:timers/promises'
import { Decompress } from 'fzstd'

/** Maximum window over HTTP, by RFC 9659. A frame header may request two gigabytes. */
const MAX_WINDOW_BYTES = 8 * 1024 * 1024
const MAX_BLOCK_BYTES = 128 * 1024
/** Bytes that a frame begins with. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/**
 * Work of a block or a frame beside the bytes that are moved for it, as the bytes that are moved in that time (about 4 µs). A block
 * may have three bytes and no output: 47 KB of gzip hold three million.
 */
const BLOCK_WORK_BYTES = 32 * 1024
/** Work before the event loop is yielded to (about 5 ms): fzstd moves its whole window for each block, and makes one for each frame. */
const MAX_SLICE_BYTES = 64 * 1024 * 1024
/** Work for any stream (about a second), and for each byte of output: of a real one, 64 to a block of 128 KiB with the largest window. */
const MAX_WORK_BYTES = 8 * 1024 * 1024 * 1024
const MAX_WORK_PER_BYTE = 256

/**
 * Decodes Zstandard on Node before 22.15, whose zlib does not.
 *
 * Frames are split here and passed to fzstd block by block: fzstd accepts any window size that a header claims, and one
 * chunk of four-byte blocks would block the event loop for seconds. The work is bounded by blocks and frames, not by output alone.
 *
 * @throws Error when the bytes are not Zstandard, or take far more work than their output; a frame that ends early yields what was decoded
 * @see RFC 8878 section 3.1
 */
export async function* decodeZstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = createByteReader(source)
  const work = createWorkMeter()
  for (let frame = await readFrame(input, work, true); frame; frame = await readFrame(input, work, false)) {
    const decoded: Uint8Array[] = []
    const decoder = new Decompress((chunk) => decoded.push(chunk))
    decoder.push(frame.header)
    for (let isLast = false; !isLast;) {
      const block = await readBlock(input, frame)
      if (!block) return
      isLast = block.isLast
      decoder.push(block.bytes, block.isEnd)
      for (const chunk of decoded.splice(0)) {
        work.allow(chunk.length)
        if (chunk.length > 0) yield chunk
      }
      await work.add(frame.windowBytes)
    }
  }
}

/**
 * Tests for Zstandard that ends within a frame. Nothing is decoded.
 *
 * @throws Error when the bytes are not Zstandard, or have more blocks than any real body
 */
export async function isZstdCutShort(source: AsyncIterable<Uint8Array>): Promise<boolean> {
  const input = createByteReader(source)
  const work = createWorkMeter()
  for (let frame = await readFrame(input, work, true); frame; frame = await readFrame(input, work, false)) {
    for (let isLast = false; !isLast;) {
      const block = await readBlock(input, frame)
      if (!block || (block.isLast && !block.isEnd)) return true
      isLast = block.isLast
      await work.add(0)
    }
  }
  // A further frame may be cut within its head. Other bytes were sent after the last one, such as a line end.
  const rest = input.peek().subarray(0, MAGIC.length)
  return rest.length > 0 && rest.equals(MAGIC.subarray(0, rest.length))
}

interface WorkMeter {
  /** Counts a block or frame for which so many bytes are moved. @throws Error when it is too much for the output so far */
  add(movedBytes: number): Promise<void> | undefined
  /** Counts output. */
  allow(outputBytes: number): void
}

function createWorkMeter(): WorkMeter {
  let allowedBytes = MAX_WORK_BYTES
  let sliceBytes = 0
  return {
    add(movedBytes) {
      const bytes = movedBytes + BLOCK_WORK_BYTES
      allowedBytes -= bytes
      if (allowedBytes < 0) throw new Error('the blocks take far more work than their output')
      sliceBytes += bytes
      if (sliceBytes < MAX_SLICE_BYTES) return undefined
      sliceBytes = 0
      return setImmediate()
    },
    allow(outputBytes) {
      allowedBytes += outputBytes * MAX_WORK_PER_BYTE
    },
  }
}

interface ZstdFrame {
  /** The bytes before the first block. */
  readonly header: Uint8Array
  readonly windowBytes: number
  readonly checksumBytes: number
}

/**
 * Reads the next frame with data; undefined at the end of the input, and where other bytes follow a frame: browsers and the zlib of Node
 * leave those.
 */
async function readFrame(input: ByteReader, work: WorkMeter, isFirst: boolean): Promise<ZstdFrame | undefined> {
  while (await input.has(8)) {
    const magic = input.peek().readUInt32LE()
    if (magic >>> 4 !== 0x184d2a5) break
    await work.add(0)
    await input.skip(input.take(8).readUInt32LE(4))
  }
  if (!(await input.has(5))) return undefined
  if (!input.peek().subarray(0, MAGIC.length).equals(MAGIC)) {
    if (!isFirst) return undefined
    throw new Error('not a Zstandard frame')
  }
  const descriptor = input.peek()[4] ?? 0
  if ((descriptor & 0x03) !== 0) throw new Error('the frame needs a dictionary')
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const headerBytes = 5 + (isSingleSegment ? 0 : 1) + sizeBytes
  if (!(await input.has(headerBytes))) return undefined
  const header = input.take(headerBytes)
  const windowBytes = isSingleSegment ? readContentSize(header.subarray(5)) : readWindow(header[5] ?? 0)
  if (windowBytes > MAX_WINDOW_BYTES) throw new Error(`the frame needs a window of ${windowBytes} bytes`)
  await work.add(windowBytes)
  return { header, windowBytes, checksumBytes: descriptor & 0x04 }
}

function readContentSize(bytes: Buffer): number {
  if (bytes.length === 8) return Number(bytes.readBigUInt64LE())
  return bytes.readUIntLE(0, bytes.length) + (bytes.length === 2 ? 256 : 0)
}

function readWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3))
  return base + (base / 8) * (descriptor & 7)
}

interface ZstdBlock {
  /** Header and content, followed by the frame's checksum for the last block. */
  readonly bytes: Uint8Array
  readonly isLast: boolean
  /** True when the frame is complete, checksum included, which a truncated one may lack. */
  readonly isEnd: boolean
}

/** Reads the next block of a frame; undefined when the input ends within it. */
async function readBlock(input: ByteReader, { checksumBytes }: ZstdFrame): Promise<ZstdBlock | undefined> {
  if (!(await input.has(3))) return undefined
  const header = input.peek().readUIntLE(0, 3)
  const isLast = (header & 1) === 1
  const isRunLength = (header & 6) === 2
  const sizeBytes = header >> 3
  if (sizeBytes > MAX_BLOCK_BYTES) throw new Error(`a block of ${sizeBytes} bytes`)
  const blockBytes = 3 + (isRunLength ? 1 : sizeBytes)
  const isEnd = isLast && (await input.has(blockBytes + checksumBytes))
  if (!(await input.has(blockBytes))) return undefined
  return { bytes: input.take(isEnd ? blockBytes + checksumBytes : blockBytes), isLast, isEnd }
}

interface ByteReader {
  /** Waits for a number of bytes; false when the source ends before. */
  has(bytes: number): Promise<boolean>
  /** The buffered bytes, without consuming them. */
  peek(): Buffer
  take(bytes: number): Buffer
  skip(bytes: number): Promise<void>
}

function createByteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]()
  let waiting: Buffer = Buffer.alloc(0)
  const input: ByteReader = {
    async has(bytes) {
      const parts = [waiting]
      let length = waiting.length
      while (length < bytes) {
        const next = await chunks.next()
        if (next.done) break
        parts.push(Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length))
        length += next.value.length
      }
      if (parts.length > 1) waiting = Buffer.concat(parts)
      return length >= bytes
    },
    peek: () => waiting,
    take(bytes) {
      const taken = waiting.subarray(0, bytes)
      waiting = waiting.subarray(bytes)
      return taken
    },
    async skip(bytes) {
      let left = bytes
      while (left > 0 && (await input.has(1))) left -= input.take(Math.min(left, waiting.length)).length
    },
  }
  return input
}
