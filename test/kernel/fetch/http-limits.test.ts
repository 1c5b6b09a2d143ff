import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openFetcher } from './open-fetcher.js'

const MIB = 1024 * 1024

describe('the limit of wire bytes', () => {
  it('refuses a body by its Content-Length before reading it', async () => {
    await using site = await startSite({
      pages: { '/claim': ({ response }) => response.writeHead(200, { 'content-length': '5000' }).flushHeaders() },
    })
    await using http = openFetcher({ limits: { wireBytes: 4_999 } })
    await expect(http.get(site.url('/claim'))).rejects.toMatchObject({
      code: 'SCRAPE_BODY_TOO_LARGE',
      message: expect.stringContaining('`limits.wireBytes` (4999 bytes)'),
      url: site.url('/claim'),
    })
  })

  it('stops a body that never ends', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { wireBytes: 100_000 } })
    await expect(http.get(site.url('/endless'))).rejects.toMatchObject({ code: 'SCRAPE_BODY_TOO_LARGE' })
    await expect.poll(() => site.connections.open).toBe(0)
  })

  it('accepts a body of exactly that size', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { wireBytes: 100_000 } })
    for (const path of ['/big?bytes=100000', '/big?chunked&bytes=100000']) {
      expect((await http.get(site.url(path))).body).toHaveLength(100_000)
    }
    await expect(http.get(site.url('/big?chunked&bytes=100001'))).rejects.toMatchObject({
      code: 'SCRAPE_BODY_TOO_LARGE',
    })
  })

  it('counts compressed bytes', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { wireBytes: 80_000 } })
    expect((await http.get(site.url('/gzip'))).body.length).toBeGreaterThan(100_000)
  })
})

describe('the limit of decompressed bytes', () => {
  it.each(['gzip', 'deflate', 'br', 'zstd'])('stops a %s bomb early, with constant memory', async (coding) => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { bodyBytes: 4 * MIB } })
    let peak = 0
    const before = memory()
    const watch = setInterval(() => (peak = Math.max(peak, memory() - before)), 5)
    await expect(http.get(site.url(`/bomb?coding=${coding}&bytes=${8192 * MIB}`))).rejects.toMatchObject({
      code: 'SCRAPE_DECOMPRESSED_TOO_LARGE',
      message: expect.stringContaining('`limits.bodyBytes`'),
    })
    clearInterval(watch)
    expect(peak).toBeLessThan(300 * MIB)
    // The connection of a bomb that was received completely can be used again.
    await http.close()
    await expect.poll(() => site.connections.open).toBe(0)
  })

  it('applies between stacked codings', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { bodyBytes: 100_000 } })
    await expect(http.get(site.url('/stacked?codings=gzip,zstd'))).rejects.toMatchObject({
      code: 'SCRAPE_DECOMPRESSED_TOO_LARGE',
    })
  })

  it('applies to a body without a coding', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { bodyBytes: 1_000 } })
    await expect(http.get(site.url('/big?bytes=1001'))).rejects.toMatchObject({ code: 'SCRAPE_DECOMPRESSED_TOO_LARGE' })
    expect((await http.get(site.url('/big?bytes=1000'))).body).toHaveLength(1_000)
  })

  const memory = () => process.memoryUsage().rss
})

describe('the limit of header bytes', () => {
  it('refuses a large header', async () => {
    await using site = await startSite()
    await using http = openFetcher({ limits: { headerBytes: 10_000 } })
    expect((await http.get(site.url('/big-header?bytes=5000'))).headers['x-big']).toHaveLength(5_000)
    await expect(http.get(site.url('/big-header?bytes=10000'))).rejects.toMatchObject({
      code: 'SCRAPE_HEADERS_TOO_LARGE',
      message: expect.stringContaining('`limits.headerBytes`'),
    })
  })

  it('stops headers that never end', async () => {
    await using site = await startSite()
    await using http = openFetcher()
    await expect(http.get(site.url('/header-flood'))).rejects.toMatchObject({ code: 'SCRAPE_HEADERS_TOO_LARGE' })
    await expect.poll(() => site.connections.open).toBe(0)
  })
})
