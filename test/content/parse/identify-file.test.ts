import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { findMediaType, identifyFile } from '../../../src/content/parse/media-type/identify-file.js'
import { officeZips, makeZip } from './make-zip.js'

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))

const identify = (body: Uint8Array | string, contentType?: string, url = 'https://site.test/file'): Promise<string> => {
  const input = { url, body: typeof body === 'string' ? latin1(body) : body }
  return findMediaType(contentType === undefined ? input : { ...input, contentType })
}

const png = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\x0aIDAT'

describe('a binary file', () => {
  it.each([
    [png, 'text/html', 'image/png'],
    [png, 'image/jpeg', 'image/png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01', 'image/png', 'image/jpeg'],
    ['\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'application/octet-stream', 'video/mp4'],
    ['RIFF\x24\0\0\0WEBPVP8 \x18\0\0\0', 'image/png', 'image/webp'],
    ['\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0', 'text/plain', 'application/x-elf'],
    ['wOF2\0\x01\0\0\0\0\0\0\0\0\0\0', 'text/html', 'font/woff2'],
    ['7z\xbc\xaf\x27\x1c\0\x04\0\0\0\0', undefined, 'application/x-7z-compressed'],
    ['%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'text/html; charset=utf-8', 'application/pdf'],
    ['\0\x01\x02\x03nothing known', 'application/octet-stream', 'application/octet-stream'],
  ])('is known by its bytes: %j, served as %s', async (body, contentType, type) => {
    expect(await identify(body, contentType)).toBe(type)
  })

  it.each(Object.entries(officeZips))('is identified by the entries of its zip: %s', async (type, zip) => {
    for (const contentType of [undefined, 'application/zip', 'application/octet-stream', 'text/html'])
      expect(await identify(zip, contentType)).toBe(type)
  })

  it('is identified by its name if the contents of a zip or OLE container do not identify it', async () => {
    const zip = makeZip({ 'a.txt': 'a' })
    const cfb = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0\0\0'
    expect(await identify(zip, 'application/octet-stream')).toBe('application/zip')
    expect(await identify(zip, 'application/epub+zip')).toBe('application/epub+zip')
    expect(await identify(cfb, 'application/octet-stream', 'https://site.test/OLD.DOC')).toBe('application/msword')
    expect(await identify(cfb, 'application/vnd.ms-excel')).toBe('application/vnd.ms-excel')
    expect(await identify(cfb)).toBe('application/x-cfb')
  })

  it('is identified by its first bytes if it is truncated', async () => {
    for (const zip of Object.values(officeZips))
      expect(await identify(zip.subarray(0, 40), 'application/octet-stream')).toMatch(/^application\//)
  })
})

describe('a malformed zip file', () => {
  const [zip = new Uint8Array()] = Object.values(officeZips)

  it('is read no further than its end, whatever lengths it declares', async () => {
    for (let at = 4; at < 60; at++) {
      const lying = Buffer.from(zip)
      lying.writeUInt32LE(0xffffffff, at)
      expect(await identify(new Uint8Array(lying))).toMatch(/^[a-z]+\/[\w.+-]+$/)
    }
  })

  it('is identified quickly even with a hundred thousand entries', async () => {
    const one = Buffer.from(makeZip({ x: '' })).subarray(0, 31)
    expect(await identify(new Uint8Array(Buffer.concat(Array.from({ length: 100_000 }, () => one))))).toBe(
      'application/zip',
    )
  })
})

describe('a gzip file', () => {
  const sitemap = '<?xml version="1.0"?><urlset><url><loc>https://site.test/</loc></url></urlset>'

  it('is replaced by the text in it', async () => {
    const made = await identifyFile({
      url: 'https://site.test/sitemap.xml.gz',
      body: gzipSync(sitemap),
      contentType: 'application/x-gzip',
    })
    expect(made.mediaType).toBe('application/xml')
    expect(Buffer.from(made.body).toString()).toBe(sitemap)
    expect(made.contentType).toBeUndefined()
  })

  it('is replaced by the page in it, if a server compressed it twice', async () => {
    const made = await identifyFile({
      url: 'https://site.test/',
      body: gzipSync('<p>\xe9', { level: 1 }),
      contentType: 'text/html; charset=utf-8',
    })
    expect(made).toMatchObject({ mediaType: 'text/html', contentType: 'text/html; charset=utf-8' })
  })

  it('stays a gzip file if it contains no text, or is broken', async () => {
    const url = 'https://site.test/x.gz'
    expect(await identifyFile({ url, body: gzipSync(latin1(png)) })).toMatchObject({ mediaType: 'application/gzip' })
    expect(await identifyFile({ url, body: gzipSync(sitemap).subarray(0, 30) })).toMatchObject({
      mediaType: 'application/gzip',
    })
  })

  it('is rejected if it is too large after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(40_000_000, 'a'))
    await expect(identifyFile({ url: 'https://site.test/x.gz', body: bomb })).rejects.toMatchObject({
      code: 'SCRAPE_DECOMPRESSED_TOO_LARGE',
    })
  })
})
