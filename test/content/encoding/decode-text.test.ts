import { describe, expect, it } from 'vitest'
import { type CharsetRule, decodeText } from '../../../src/content/encoding/decode-text.js'

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'))
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (body: Uint8Array, rule: CharsetRule, contentType?: string): string =>
  decodeText({ body, ...(contentType !== undefined && { contentType }) }, rule)
const html = (bytes: Uint8Array, contentType?: string): string => read(bytes, 'html', contentType)

describe('the charset of a body', () => {
  it('takes the first declaration, in whatever markup it stands', () => {
    const head = '<!DOCTYPE html>\n<html lang="en"><head><!-- made --><title>a > b</title><meta name="a" content="b">'
    for (const declared of [
      '<meta charset="utf-8">',
      '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8" />',
    ])
      expect(html(utf8(`${head}${declared}<meta charset="iso-8859-2">é`))).toContain('é')
    for (const hidden of [
      '<!-- <meta charset="utf-8"> -->',
      '<a title=\'<meta charset="utf-8">\'>',
      '<meta charset="iso-8859-2"><meta charset="utf-8">',
    ])
      expect(html(latin1(`${head}${hidden}<meta charset="iso-8859-2">\xb1`))).toContain('ą')
  })

  it('is that of the byte order mark before all others, and the mark is not in the text', () => {
    expect(html(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('é')]), 'text/html; charset=iso-8859-1')).toBe('é')
    expect(html(new Uint8Array([0xff, 0xfe, 0x41, 0, 0xa9, 0x03]), 'text/html; charset=utf-8')).toBe('AΩ')
    expect(html(new Uint8Array([0xfe, 0xff, 0, 0x41, 0x03, 0xa9]), 'text/html')).toBe('AΩ')
  })

  it('is that of the header before that of a meta tag', () => {
    expect(html(utf8('<meta charset=iso-8859-1>é'), 'text/html; charset="UTF-8"')).toContain('é')
    expect(html(utf8('<meta charset=iso-8859-1>é'), "text/html;Charset='utf-8'")).toContain('é')
  })

  it('is that of a meta tag if the header names none, or an unknown one', () => {
    const body = utf8('<meta http-equiv="Content-Type" content="text/html; charset=utf-8">é')
    expect(html(body)).toContain('é')
    expect(html(body, 'text/html; charset=no-such-thing')).toContain('é')
  })

  it('is that of a meta tag after the first 1024 bytes, as in browsers', () => {
    expect(html(utf8(`<!-- ${'x'.repeat(3000)} --><meta charset=utf-8>é`))).toContain('é')
  })

  it('is that of a meta tag which begins before byte 1024 and ends after it', () => {
    for (const before of [990, 1000, 1005, 1012, 1020]) {
      const start = `<!doctype html><!--${'x'.repeat(before - 22)}-->`
      expect(html(latin1(`${start}<meta charset=iso-8859-2>\xb1`))).toContain('ą')
      expect(html(latin1(`${start}<meta charset='iso-8859-2' >\xb1`))).toContain('ą')
    }
  })

  it('is that of the first meta tag with a known one', () => {
    const far = `<!-- ${'x'.repeat(3000)} -->`
    expect(html(latin1(`<meta charset=iso-8859-2>${far}<meta charset=iso-8859-5>\xb1`))).toContain('ą')
    expect(html(latin1(`<meta charset=no-such-thing>${far}<meta charset=iso-8859-2>\xb1`))).toContain('ą')
  })

  it('is that of a meta tag, however late, before that of an XML declaration', () => {
    const xml = '<?xml version="1.0" encoding="iso-8859-5"?>'
    expect(html(latin1(`${xml}<html>\xb1`))).toContain('Б')
    expect(html(latin1(`${xml}<!-- ${'x'.repeat(3000)} --><meta charset=iso-8859-2>\xb1`))).toContain('ą')
  })

  it('is not that of a meta tag in a comment', () => {
    expect(html(latin1('<!-- <meta charset=utf-8> -->\xe9'))).toContain('é')
  })

  it('is UTF-8 if a meta tag names UTF-16, in which the tag itself could not be read', () => {
    expect(html(utf8('<meta charset=utf-16le>é'))).toContain('é')
  })

  it('is windows-1252 if none is declared and the body is not UTF-8', () => {
    expect(html(latin1('\x93smart\x94 \x80 \xe9'))).toBe('“smart” € é')
    // Few letters of another encoding are a letter in UTF-8.
    expect(html(latin1('\xc3\xa9 \xe9 \xe8'))).toBe('Ã© é è')
  })

  it('is UTF-8 if none is declared and few of many letters are broken', () => {
    expect(html(Buffer.concat([utf8('é'.repeat(50)), latin1(' caf\xe9 '), utf8('ü')]))).toMatch(/^é{50} caf\uFFFD ü$/)
    const cut = utf8('日本語'.repeat(20)).subarray(1)
    expect(read(cut, 'text')).toMatch(/本語日本語$/)
  })

  it.each(['text/html', 'text/html; charset=utf-8', undefined])('is UTF-16 by its zeros, declared as %s', (type) => {
    const page = '<!doctype html>\r\n<p>Grüße, мир</p>'
    const bytes = Buffer.from(page, 'utf16le')
    expect(html(bytes, type)).toBe(page)
    expect(html(Buffer.from(bytes).swap16(), type)).toBe(page)
    expect(read(Buffer.from('{"name": "мир"}', 'utf16le'), 'json')).toBe('{"name": "мир"}')
  })
})

describe('the default charset of a kind of file', () => {
  it('is UTF-8 for JSON, whatever the header names', () => {
    expect(read(utf8('"é"'), 'json', 'application/json; charset=iso-8859-1')).toBe('"é"')
  })

  it('is that of the declaration for XML, else UTF-8', () => {
    expect(read(latin1('<?xml version="1.0" encoding="iso-8859-1"?><a>\xe9</a>'), 'xml')).toContain('é')
    expect(read(utf8('<a>é</a>'), 'xml')).toContain('é')
  })

  it('is UTF-8 for plain text that is valid UTF-8, else windows-1252', () => {
    expect(read(utf8('é'), 'text', 'text/plain')).toBe('é')
    expect(read(latin1('\xe9 \x96'), 'text', 'text/plain')).toBe('é –')
  })
})

describe('decoding', () => {
  it.each([
    ['iso-8859-1', [0x93, 0x80, 0x9f, 0xe9], '“€Ÿé'],
    ['windows-1252', [0x81, 0x8d, 0x92], '\x81\x8d’'],
    ['iso-8859-2', [0xb1, 0xf8], 'ąř'],
    ['iso-8859-15', [0xa4], '€'],
    ['iso-8859-16', [0xaa], 'Ș'],
    ['windows-1251', [0xcf, 0xf0, 0xe8, 0x98], 'При\x98'],
    ['koi8-r', [0xf0, 0xd2], 'Пр'],
    ['x-mac-cyrillic', [0x80], 'А'],
    ['iso-8859-8-i', [0xe0, 0xe1], 'אב'],
    ['tis-620', [0xa1], 'ก'],
    ['shift_jis', [0x82, 0xa0, 0x87, 0x40, 0xb1], 'あ①ｱ'],
    ['euc-jp', [0xa4, 0xa2, 0x8e, 0xb1], 'あｱ'],
    ['iso-2022-jp', [0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42], 'あ'],
    ['gbk', [0xc4, 0xe3, 0x80, 0xfe, 0x50], '你€⺁'],
    ['gb2312', [0xa2, 0xe3], '€'],
    ['gb18030', [0xc4, 0xe3, 0x90, 0x30, 0x81, 0x30], '你𐀀'],
    ['big5', [0xa7, 0x41, 0x87, 0x40], '你䏰'],
    ['euc-kr', [0xb0, 0xa1, 0x81, 0x41], '가갂'],
    ['utf-16le', [0x41, 0, 0, 0xd8, 0x42, 0], 'A\ufffdB'],
    ['utf-16be', [0, 0x41], 'A'],
    ['utf-8', [0xe2, 0x82, 0xac, 0xff, 0xed, 0xa0, 0x80], '€\ufffd\ufffd\ufffd\ufffd'],
    ['x-user-defined', [0x92], '’'],
    ['hz-gb-2312', [0x41], 'A'],
  ])('decodes %s as the standard says', (label, bytes, text) => {
    expect(html(new Uint8Array(bytes), `text/html; charset=${label}`)).toBe(text)
  })

  it('decodes ISO-2022-JP that only a meta tag names', () => {
    const body = [...latin1('<meta charset="ISO-2022-JP">'), 0x1b, 0x24, 0x42, 0x24, 0x22, 0x1b, 0x28, 0x42]
    expect(html(new Uint8Array(body))).toContain('あ')
  })

  it('decodes x-mac-cyrillic that only an XML declaration names', () => {
    expect(html(latin1('<?xml version="1.0" encoding="x-mac-cyrillic"?><p>\x80'))).toContain('А')
  })

  it('reads bytes that are a part of a larger buffer', () => {
    const whole = latin1('xx\x80yy')
    expect(html(whole.subarray(2, 3))).toBe('€')
  })
})
