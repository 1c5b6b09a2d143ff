import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../../src/base/http/read-body.js'
import { defaultLimits } from '../../kernel/fetch/open-fetcher.js'

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const alive = new AbortController().signal

describe('readBody', () => {
  it('joins chunks of any size in a buffer of their own', async () => {
    const bytes = Uint8Array.from({ length: 300_000 }, (_, i) => i % 251)
    for (const size of [1, 1_000, 65_536, 300_000]) {
      const body = await readBody({ headers: {}, body: cut(bytes, size) }, defaultLimits, alive)
      expect(Buffer.compare(body, bytes)).toBe(0)
      expect(body.buffer.byteLength).toBe(300_000)
    }
  })

  it('stops decoding buffered data when the signal aborts', async () => {
    const answer = { headers: { 'content-encoding': 'gzip' }, body: cut(gzipSync(Buffer.alloc(1_000_000)), 65_536) }
    await expect(readBody(answer, defaultLimits, AbortSignal.abort('why'))).rejects.toBe('why')
  })

  it('rethrows errors of the connection unchanged', async () => {
    const broken = new Error('broken')
    async function* body(): AsyncGenerator<Uint8Array> {
      yield gzipSync('a beginning').subarray(0, 15)
      throw broken
    }
    for (const coding of ['gzip', 'deflate, gzip', 'identity']) {
      const answer = { headers: { 'content-encoding': coding }, body: body() }
      await expect(readBody(answer, defaultLimits, alive)).rejects.toBe(broken)
    }
  })

  it.each(['\n', 'x', '<!-- 12 ms -->', '\0\0', '\x1f\x8b', 'x'.repeat(100_000)])(
    'ignores bytes after the end of a compressed body: %j',
    async (rest) => {
      const text = Array.from({ length: 3000 }, (_, i) => `<p>${i} ${Math.sin(i)}</p>`).join('')
      const [start, end] = [Buffer.from(text.slice(0, 999)), Buffer.from(text.slice(999))]
      const named = Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]), Buffer.from('page.html\0')])
      const encoded = {
        gzip: [gzipSync(text), Buffer.concat([gzipSync(start), gzipSync(end)])],
        'x-gzip': [Buffer.concat([named, gzipSync(text).subarray(10)])],
        deflate: [deflateSync(text), deflateRawSync(text)],
        br: [brotliCompressSync(text)],
      }
      for (const [coding, bodies] of Object.entries(encoded))
        for (const body of bodies)
          for (const size of [1000, 16_384, 1_000_000]) {
            const whole = Buffer.concat([body, Buffer.from(rest, 'latin1')])
            const answer = { headers: { 'content-encoding': coding }, body: cut(whole, size) }
            expect(Buffer.from(await readBody(answer, defaultLimits, alive)).toString()).toBe(text)
          }
    },
  )

  it('limits a body that is decoded again because of bytes after its end', async () => {
    const bomb = Buffer.concat([gzipSync(Buffer.alloc(300_000)), Buffer.from('rest')])
    const answer = { headers: { 'content-encoding': 'gzip' }, body: cut(bomb, 1_000_000) }
    const limits = { ...defaultLimits, bodyBytes: 200_000 }
    await expect(readBody(answer, limits, alive)).rejects.toMatchObject({ code: 'SCRAPE_DECOMPRESSED_TOO_LARGE' })
  })

  it('decodes at most a hundred members of a body again', async () => {
    const members = Buffer.concat([...Array.from({ length: 101 }, () => gzipSync('')), Buffer.from('rest')])
    const answer = { headers: { 'content-encoding': 'gzip' }, body: cut(members, 1_000_000) }
    await expect(readBody(answer, defaultLimits, alive)).rejects.toMatchObject({ code: 'SCRAPE_ENCODING_ERROR' })
  })

  it('refuses more than five content codings', async () => {
    const answer = { headers: { 'content-encoding': Array(6).fill('gzip').join(',') }, body: cut(new Uint8Array(1), 1) }
    await expect(readBody(answer, defaultLimits, alive)).rejects.toMatchObject({ code: 'SCRAPE_ENCODING_ERROR' })
  })
})
