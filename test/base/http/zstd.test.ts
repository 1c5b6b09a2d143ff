import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeZstd, isZstdCutShort } from '../../../src/base/http/zstd.js'
import { writeEncodedPage } from '../../site/encoded-page.js'
import { storeAsZstd } from '../../site/faults/encodings.js'

const compressed = readFileSync(new URL('../../site/encoded-page.html.zst', import.meta.url))

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

async function decode(bytes: Uint8Array, chunkBytes = 65_536): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of decodeZstd(cut(bytes, chunkBytes))) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const frame = (...bytes: number[]) => Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, ...bytes)

describe('decodeZstd', () => {
  it.each([1, 7, 1_000, 65_536])('decodes output of the reference encoder, in chunks of %i bytes', async (size) => {
    expect((await decode(compressed, size)).toString()).toBe(writeEncodedPage())
  })

  it('decodes raw blocks, however the input is split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), fc.integer({ min: 1, max: 50 }), async (body, size) => {
        expect(await decode(storeAsZstd(body), size)).toEqual(Buffer.from(body))
      }),
    )
  })

  it('decodes consecutive frames, and skips skippable ones', async () => {
    const skippable = Buffer.concat([Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 5, 0, 0, 0), Buffer.from('hello')])
    const parts = [skippable, storeAsZstd(Buffer.from('a')), skippable, compressed, storeAsZstd(Buffer.from('z'))]
    for (const size of [1, 65_536]) {
      expect((await decode(Buffer.concat(parts), size)).toString()).toBe(`a${writeEncodedPage()}z`)
    }
  })

  it('leaves other bytes behind a frame, as browsers do, in whatever number', async () => {
    for (const rest of ['\n', '1234', '<!-- 12345 -->', '\0'.repeat(100)])
      for (const size of [1, 65_536]) {
        const bytes = Buffer.concat([compressed, Buffer.from(rest)])
        expect((await decode(bytes, size)).toString(), rest).toBe(writeEncodedPage())
        expect(await isZstdCutShort(cut(bytes, size)), rest).toBe(false)
      }
  })

  it('yields nothing for an empty input', async () => {
    expect(await decode(new Uint8Array())).toHaveLength(0)
    expect(await decode(storeAsZstd(new Uint8Array()))).toHaveLength(0)
  })

  it('yields what it can decode of a truncated frame', async () => {
    const whole = writeEncodedPage()
    const most = (await decode(compressed.subarray(0, -20))).toString()
    expect(most.length).toBeGreaterThan(100_000)
    expect(whole.startsWith(most.replace(/\uFFFD$/, ''))).toBe(true)
    expect((await decode(compressed.subarray(0, -4))).toString()).toBe(whole)
  })

  it('refuses a window larger than 8 MiB without allocating it', async () => {
    await expect(decode(frame(0x00, 14 << 3, 1, 0, 0))).rejects.toThrow('window of 16777216 bytes')
    await expect(decode(frame(0x00, 0xff, 1, 0, 0))).rejects.toThrow('window')
    await expect(decode(frame(0xe0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0))).rejects.toThrow('window of 4294967296 bytes')
    expect(await decode(frame(0x00, 13 << 3, 1, 0, 0))).toHaveLength(0)
  })

  it('refuses other bytes, dictionaries, and blocks that are too large or of an unknown type', async () => {
    await expect(decode(Buffer.from('<p>plain</p>'))).rejects.toThrow('not a Zstandard frame')
    await expect(decode(frame(0x01, 10 << 3, 7, 1, 0, 0))).rejects.toThrow('dictionary')
    await expect(decode(frame(0x00, 10 << 3, 0xff, 0xff, 0xff))).rejects.toThrow('block')
    await expect(decode(frame(0x00, 10 << 3, 0x07, 0, 0))).rejects.toThrow()
  })

  it('yields to the event loop while it decodes many small blocks', async () => {
    const block = Buffer.from([1 << 3, 0, 0, 0x41])
    const costly = Buffer.concat([frame(0x00, 13 << 3), Buffer.alloc(4_000, block), Uint8Array.of(1, 0, 0)])
    let turns = 0
    let isDone = false
    const count = () => {
      turns++
      if (!isDone) setImmediate(count)
    }
    setImmediate(count)
    expect(await decode(costly)).toHaveLength(1_000)
    isDone = true
    expect(turns).toBeGreaterThan(50)
  })

  const emptyBlock = Uint8Array.of(0, 0, 0)
  const emptyRun = Uint8Array.of(0b010, 0, 0, 0)
  const byteBlock = Uint8Array.of(1 << 3, 0, 0, 0x41)
  const emptyFrame = frame(0x00, 0, 1, 0, 0)
  const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0)

  /** The same bytes again and again. Counts the times that they were asked for. */
  function repeat(start: Uint8Array, bytes: Uint8Array, times: number) {
    const perChunk = Math.floor(65_536 / bytes.length)
    let sent = 0
    async function* send(): AsyncGenerator<Uint8Array> {
      yield start
      const chunk = Buffer.concat(Array.from({ length: perChunk }, () => bytes))
      for (; sent < times; sent += perChunk) yield chunk
    }
    return { source: send(), sent: () => sent }
  }

  it.each([
    ['empty blocks', frame(0x00, 0), emptyBlock, 300_000],
    ['empty blocks of a frame with the largest window', frame(0x00, 13 << 3), emptyBlock, 30_000],
    ['empty blocks of a frame without a window', frame(0x20, 0), emptyBlock, 300_000],
    ['empty runs', frame(0x00, 0), emptyRun, 300_000],
    ['blocks of one byte', frame(0x00, 0), byteBlock, 310_000],
    ['blocks of one byte with the largest window', frame(0x00, 13 << 3), byteBlock, 30_000],
    ['empty frames', new Uint8Array(), emptyFrame, 200_000],
    ['empty frames with the largest window', new Uint8Array(), frame(0x00, 13 << 3, 1, 0, 0), 20_000],
    ['frames to be skipped', new Uint8Array(), skippable, 300_000],
  ])('stops after a bounded number of %s', { timeout: 60_000 }, async (_what, start, bytes, most) => {
    const { source, sent } = repeat(start, bytes, 3_000_000)
    const decoding = (async () => {
      for await (const _ of decodeZstd(source));
    })()
    await expect(decoding).rejects.toThrow('far more work than their output')
    expect(sent()).toBeLessThan(most)
  })

  it('decodes a stream that was flushed every fifty bytes', async () => {
    const part = Buffer.alloc(50, 'x')
    const block = Buffer.concat([Uint8Array.of((50 << 3) & 0xff, 50 >> 5, 0), part])
    const { source } = repeat(frame(0x00, 10 << 3), block, 5_000)
    let bytes = 0
    for await (const chunk of decodeZstd(source)) bytes += chunk.length
    expect(bytes).toBeGreaterThanOrEqual(250_000)
  })
})

describe('isZstdCutShort', () => {
  it('says what is cut, wherever it is, and that other bytes behind the last frame are no part of it', async () => {
    const body = storeAsZstd(Buffer.from('hello'))
    const test = (bytes: Uint8Array) => isZstdCutShort(cut(bytes, 7))
    for (let end = 1; end < body.length; end++) expect(await test(body.subarray(0, end))).toBe(true)
    expect(await test(Buffer.concat([body, body]))).toBe(false)
    for (const more of ['\n', '\r\n', '\r\n\r\n'])
      expect(await test(Buffer.concat([body, Buffer.from(more)]))).toBe(false)
  })

  it('steps over no more empty blocks than the decoder does', async () => {
    const blocks = Buffer.concat([frame(0x00, 0), Buffer.alloc(3 * 300_000)])
    await expect(isZstdCutShort(cut(blocks, 65_536))).rejects.toThrow('far more work')
  })
})
