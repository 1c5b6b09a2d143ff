import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { readBody } from '../../src/fetch/http/read-body.js'
import { defaultLimits } from './open-fetcher.js'

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

  it('refuses more than five content codings', async () => {
    const answer = { headers: { 'content-encoding': Array(6).fill('gzip').join(',') }, body: cut(new Uint8Array(1), 1) }
    await expect(readBody(answer, defaultLimits, alive)).rejects.toMatchObject({ code: 'SCRAPE_ENCODING_ERROR' })
  })
})
