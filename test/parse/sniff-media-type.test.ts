import { describe, expect, it } from 'vitest'
import { sniffMediaType } from '../../src/parse/sniff-media-type.js'

const sniff = (body: string, contentType?: string): string =>
  sniffMediaType(new Uint8Array(Buffer.from(body, 'latin1')), contentType)

describe('files that name themselves in their first bytes', () => {
  it.each([
    ['%PDF-1.7\n', 'text/html', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n', 'text/html', 'image/png'],
    ['PK\x03\x04\x14\0', undefined, 'application/zip'],
    ['\x1f\x8b\x08\0', 'text/plain', 'application/gzip'],
    ['\0\0\0\x18ftypmp42', 'application/octet-stream', 'video/mp4'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/png', 'image/webp'],
  ])('believes %j rather than %s', (body, contentType, type) => {
    expect(sniff(body, contentType)).toBe(type)
  })
})

describe('what the server says', () => {
  it.each([
    ['<p>', 'Text/HTML; charset=utf-8', 'text/html'],
    ['{}', 'application/vnd.api+json; profile="x"', 'application/vnd.api+json'],
    ['<svg/>', 'image/svg+xml', 'image/svg+xml'],
    ['<html>', 'text/plain', 'text/plain'],
    ['a,b', 'text/csv', 'text/csv'],
    ['page\0with a stray NUL', 'text/html', 'text/html'],
  ])('is believed of %j as %s', (body, contentType, type) => {
    expect(sniff(body, contentType)).toBe(type)
  })

  it('is not believed when it calls binary data plain text', () => {
    expect(sniff('\0\x01\x02\x03', 'text/plain')).toBe('application/octet-stream')
  })

  it('is not believed when it calls a page an image, a file or nothing', () => {
    for (const contentType of ['image/png', 'application/octet-stream', 'application/pdf', '', undefined]) {
      expect(sniff('\n <!-- x --> <!DOCTYPE html><p>', contentType)).toBe('text/html')
    }
  })

  it('takes other text for plain text: scripts, configuration, data', () => {
    expect(sniff('let x = 1', 'application/javascript')).toBe('text/plain')
    expect(sniff('a: 1', 'application/yaml')).toBe('text/plain')
  })

  it('is all there is to go by when a declared image is unknown', () => {
    expect(sniff('\x00\x01', 'image/x-strange')).toBe('image/x-strange')
  })
})

describe('what the bytes look like when nothing is said', () => {
  it.each([
    ['<html><p>', 'text/html'],
    ['<?xml version="1.0"?><!-- a --><html>', 'text/html'],
    ['<?xml version="1.0"?><rss>', 'application/xml'],
    ['just words', 'text/plain'],
    ['', 'text/plain'],
    ['\x00\x01\x02', 'application/octet-stream'],
    ['\xff\xfew\0o\0', 'text/plain'],
    ['\xff\xfe<\0h\0t\0m\0l\0>\0', 'text/html'],
  ])('takes %j for %s', (body, type) => {
    expect(sniff(body)).toBe(type)
  })

  it('does not look long at many comments', () => {
    expect(sniff('<!---->'.repeat(290))).toBe('text/plain')
  })
})
