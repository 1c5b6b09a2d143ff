import { constants, deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { a, locs, problemsOf, readItems, urlsOf } from './sitemap-files.js'

/** A gzipped sitemap with this in its header. */
function withHeader(flags: number, fields: string): Buffer {
  const plain = gzipSync(locs(a))
  return Buffer.concat([
    plain.subarray(0, 3),
    Buffer.from([flags]),
    plain.subarray(4, 10),
    Buffer.from(fields, 'latin1'),
    plain.subarray(10),
  ])
}

describe('a gzipped sitemap', () => {
  const urls = Array.from({ length: 4000 }, (_, n) => `https://example.com/${n}/${Math.sin(n)}`)
  const xml = locs(...urls)
  const whole = gzipSync(xml)

  it('is read up to a truncation', async () => {
    const items = await readItems(whole.subarray(0, Math.floor(whole.length / 2)))
    const found = urlsOf(items)
    expect(found.length).toBeGreaterThan(1500)
    expect(found).toEqual(urls.slice(0, found.length))
    expect(problemsOf(items)).toEqual([expect.stringContaining('not closed')])
  })

  it('is read except for the chunk in which the data is damaged', async () => {
    const half = deflateRawSync(xml.slice(0, xml.length / 2), { finishFlush: constants.Z_FULL_FLUSH })
    const items = await readItems(Buffer.concat([whole.subarray(0, 10), half, Buffer.alloc(9999, 0xff)]))
    const found = urlsOf(items)
    expect(found.length).toBeGreaterThan(1500)
    expect(found).toEqual(urls.slice(0, found.length))
    expect(problemsOf(items)).toEqual([expect.stringMatching(/^is broken gzip: invalid block type/)])
  })

  it.each([
    [
      'a comment that a cache has written after its data',
      Buffer.concat([gzipSync(locs(a)), Buffer.from('\n<!-- cached -->')]),
    ],
    ['zeros after its data', Buffer.concat([gzipSync(locs(a)), Buffer.alloc(512)])],
    ['a wrong checksum', Buffer.concat([gzipSync(locs(a)).subarray(0, -8), Buffer.alloc(8, 1)])],
    ['no checksum', gzipSync(locs(a)).subarray(0, -8)],
    [
      'members one after the other',
      Buffer.concat([locs(a).slice(0, 60), '', locs(a).slice(60)].map((part) => gzipSync(part))),
    ],
    ['a file name and a comment in its header', withHeader(0x18, 'sitemap.xml\0made by hand\0')],
    ['extra fields and a header checksum', withHeader(0x06, '\x03\x00abc\x00\x00')],
  ])('is read with %s', async (_name, body) => {
    const items = await readItems(body)
    expect(urlsOf(items)).toEqual([a])
    expect(problemsOf(items)).toEqual([])
  })

  it.each([
    ['a name without end', withHeader(0x08, 'x'.repeat(1000)).subarray(0, 500)],
    ['extra fields beyond its end', withHeader(0x04, '\xff\xff')],
    ['nothing but a header', gzipSync('').subarray(0, 10)],
    ['two bytes', gzipSync('').subarray(0, 2)],
  ])('is not a sitemap with %s', async (_name, body) => {
    expect(await readItems(body)).toEqual([{ kind: 'problem', problem: 'is empty' }])
  })

  it('stops at the maximum of members', async () => {
    const empty = gzipSync('')
    const body = Buffer.concat(Array<Buffer>(1_000_000).fill(empty))
    expect(await readItems(body)).toEqual([{ kind: 'problem', problem: 'is broken gzip: more than 1000 members' }])
  }, 20_000)
})
