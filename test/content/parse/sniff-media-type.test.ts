import { describe, expect, it } from 'vitest'
import { sniffMediaType } from '../../../src/content/parse/media-type/sniff-media-type.js'

const sniff = (body: string, contentType?: string, file?: { url?: string; fileName?: string }): string =>
  sniffMediaType(new Uint8Array(Buffer.from(body, 'latin1')), contentType, file)

describe('files with a signature in their first bytes', () => {
  it.each([
    ['%PDF-1.7\n', 'text/html', 'application/pdf'],
    ['%PDF-1.7\n', 'image/jp2', 'application/pdf'],
    ['\r\n%PDF-1.4', 'application/pdf', 'application/pdf'],
    ['{\\rtf1\\ansi', 'text/plain', 'application/rtf'],
    ['PK\x03\x04\x14\0', undefined, 'application/zip'],
    ['PK\x03\x04\x14\0', 'image/png', 'application/zip'],
    ['PK\x03\x04\x14\0', 'application/epub+zip', 'application/epub+zip'],
    ['\x1f\x8b\x08\0', 'text/plain', 'application/gzip'],
    ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'text/html', 'application/x-cfb'],
  ])('believes %j rather than %s', (body, contentType, type) => {
    expect(sniff(body, contentType)).toBe(type)
  })

  it('does not detect PDF in a text about PDF files', () => {
    expect(sniff('A file begins with %PDF-1.7 and so on', 'text/plain')).toBe('text/plain')
    expect(sniff('<p>A file begins with %PDF-1.7</p>', 'text/html')).toBe('text/html')
  })
})

describe('the declared type', () => {
  it.each([
    ['<p>', 'Text/HTML; charset=utf-8', 'text/html'],
    ['{}', 'application/vnd.api+json; profile="x"', 'application/vnd.api+json'],
    ['<svg/>', 'image/svg+xml', 'image/svg+xml'],
    ['<html>', 'text/plain', 'text/plain'],
    ['a,b', 'text/csv', 'text/csv'],
    ['let x = 1', 'application/javascript', 'application/javascript'],
    ['a: 1', 'application/yaml', 'application/yaml'],
    ['page\0with a stray NUL', 'text/html', 'text/html'],
  ])('is used for %j as %s', (body, contentType, type) => {
    expect(sniff(body, contentType)).toBe(type)
  })

  it('is not used for binary data declared as plain text', () => {
    expect(sniff('\0\x01\x02\x03', 'text/plain')).toBe('application/octet-stream')
    expect(sniff(`a few words${'.'.repeat(500)}\x01`, 'text/plain')).toBe('application/octet-stream')
  })

  it('is not used for binary data declared as any kind of text', () => {
    const noise = Array.from({ length: 4096 }, (_, at) => String.fromCharCode((at * 7919 + (at >> 3) * 31) % 256)).join(
      '',
    )
    for (const contentType of ['text/html', 'text/csv', 'application/json', 'text/markdown', 'application/xml']) {
      expect(sniff(noise, contentType)).toBe('application/octet-stream')
    }
    // A program that unpacks itself: a script, and its data behind.
    expect(sniff(`#!/bin/sh\n${'# text\n'.repeat(400)}${noise}`, 'text/x-sh')).toBe('application/octet-stream')
  })

  it('is not used for XML declared as another text', () => {
    for (const contentType of ['text/x-opml', 'text/vnd.wap.wml', 'text/csv'])
      expect(sniff('<?xml version="1.0"?><a/>', contentType)).toBe('application/xml')
    for (const contentType of ['text/plain', 'text/xml', 'text/x-php', 'text/html'])
      expect(sniff('<?xml version="1.0"?><a/>', contentType)).toBe(contentType)
  })

  it('is used for UTF-16 without a byte order mark', () => {
    const bytes = Buffer.from('name,height\r\nФарос,100\r\n', 'utf16le')
    expect(sniffMediaType(bytes, 'text/csv')).toBe('text/csv')
    expect(sniffMediaType(Buffer.from(bytes).swap16(), 'text/plain')).toBe('text/plain')
    expect(sniffMediaType(Buffer.from('<!doctype html><p>x', 'utf16le'), undefined)).toBe('text/html')
    // Numbers of 16 bits, and a text with a NUL after each letter of its title.
    expect(
      sniffMediaType(
        Uint8Array.from({ length: 512 }, (_, at) => (at % 2 === 0 ? at % 200 : 0)),
        'text/csv',
      ),
    ).toBe('application/octet-stream')
  })

  it.each([
    [' {"name": "Pharos", "html": "<p>a lamp</p>"}\n', 'application/json'],
    ['[\n  {"a\\"b":1},\n  {"a":2}\n]', 'application/json'],
    ['{"a": 1} and more text', 'text/html'],
    ['{{"a": 1}}', 'text/html'],
    ['{name: 1}', 'text/html'],
    ['[1] Introduction [2]', 'text/html'],
    ['<p>{"a": 1}', 'text/html'],
  ])('is not used for JSON declared as a page: %j', (body, type) => {
    expect(sniff(body, 'text/html; charset=utf-8')).toBe(type)
    expect(sniff(body, 'text/plain')).toBe('text/plain')
  })

  it('is not used for HTML declared as an image or binary file', () => {
    for (const contentType of ['image/png', 'application/octet-stream', 'application/pdf', '', undefined]) {
      expect(sniff('\n <!-- x --> <!DOCTYPE html><p>', contentType)).toBe('text/html')
    }
  })

  it('is replaced by text/plain for text of an unknown type', () => {
    expect(sniff('some text', 'application/x-whatever')).toBe('text/plain')
  })

  it('is used for an unknown kind of image', () => {
    expect(sniff('\x00\x01', 'image/x-strange')).toBe('image/x-strange')
  })

  it('distinguishes UTF-16 without a byte order mark from binary data', () => {
    const text = Buffer.from('a,b\n一,二\n', 'utf16le').toString('latin1')
    expect(sniff(text, 'text/csv; charset=utf-16le')).toBe('text/csv')
    expect(sniff(text, 'text/csv')).toBe('text/csv')
    expect(sniff(text.replaceAll('\n', '\x01'), 'text/csv')).toBe('application/octet-stream')
  })
})

describe('the name of a file', () => {
  it.each([
    ['https://a.test/x/data.csv', 'application/octet-stream', 'text/csv'],
    ['https://a.test/x/DATA.CSV?v=1', 'text/plain', 'text/csv'],
    ['https://a.test/README.md', 'text/plain', 'text/markdown'],
    ['https://a.test/llms.txt', 'text/plain', 'text/markdown'],
    ['https://a.test/main.rs', 'text/plain; charset=utf-8', 'text/rust'],
    ['https://a.test/app.ts', 'video/mp2t', 'text/typescript'],
    ['https://a.test/Makefile', 'application/octet-stream', 'text/x-makefile'],
    ['https://a.test/main.go', 'text/plain', 'text/x-go'],
    ['https://a.test/docs/go', 'text/plain', 'text/plain'],
    ['https://a.test/properties', 'text/plain', 'text/plain'],
    ['https://a.test/commit/1/diff', 'text/plain', 'text/x-diff'],
    ['https://a.test/export/csv', 'text/plain', 'text/csv'],
    ['https://a.test/notes.txt', 'text/plain', 'text/plain'],
    ['https://a.test/page.html', 'text/plain', 'text/plain'],

    ['https://a.test/status.php', 'text/plain', 'text/plain'],
  ])('says what the server does not: %s as %s', (url, contentType, type) => {
    expect(sniff('words, and more words', contentType, { url })).toBe(type)
  })

  it('identifies HTML by its extension if the text has tags', () => {
    expect(sniff('<header>Hello', 'application/octet-stream', { url: 'https://a.test/page.html' })).toBe('text/html')
  })

  it('is not used if the server declares a text type', () => {
    expect(sniff('<p>', 'text/html', { url: 'https://a.test/data.csv' })).toBe('text/html')
    expect(sniff('{}', 'application/json', { url: 'https://a.test/readme.md' })).toBe('application/json')
  })

  it('does not give binary data a text type', () => {
    expect(sniff('\0\x01\x02', 'application/octet-stream', { url: 'https://a.test/data.csv' })).toBe(
      'application/octet-stream',
    )
  })

  it('is that of the download if there is one, even if the declared type is text/html', () => {
    const file = { url: 'https://a.test/export.php', fileName: 'export.csv' }
    expect(sniff('a;b', 'application/octet-stream', file)).toBe('text/csv')
    expect(sniff('a;b', 'text/html', file)).toBe('text/csv')
    expect(sniff('<!doctype html><p>Log in first', 'text/html', file)).toBe('text/html')
  })
})

describe('a body without a declared type', () => {
  it.each([
    ['<html><p>', 'text/html'],
    ['<?xml version="1.0"?><!-- a --><html>', 'text/html'],
    ['<?xml version="1.0"?><rss>', 'application/xml'],
    ['<rss version="2.0">', 'application/xml'],
    ['just words', 'text/plain'],
    ['', 'text/plain'],
    ['\x00\x01\x02', 'application/octet-stream'],
    ['\xff\xfew\0o\0', 'text/plain'],
    ['\xff\xfe<\0h\0t\0m\0l\0>\0', 'text/html'],
  ])('is detected: %j as %s', (body, type) => {
    expect(sniff(body)).toBe(type)
  })

  it('is detected quickly after many comments', () => {
    expect(sniff('<!---->'.repeat(290))).toBe('text/plain')
  })
})

it('reads a Content-Type with a charset of blanks in linear time', () => {
  // Cubic where every way to share the blanks out is tried: hours.
  expect(sniff('<p>a', `text/html;charset=${' '.repeat(600_000)}"`)).toBe('text/html')
  expect(sniff('a\0b\0', 'text/plain; charset = "utf-16le"')).toBe('text/plain')
})
