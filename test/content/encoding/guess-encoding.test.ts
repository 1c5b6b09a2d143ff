import { describe, expect, it } from 'vitest'
import { streamOutline } from '../../../src/content/digest/digest-outline.js'
import { parse } from '../../../src/content/parse/parse.js'
import { parsePlan } from '../parse/pages.js'

/** Encodes text, by the table of an encoding that its decoder gives. */
function encode(text: string, encoding: string): Buffer {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const table = new Map<string, readonly number[]>()
  const add = (...bytes: readonly number[]): void => {
    try {
      const letter = decoder.decode(Uint8Array.from(bytes))
      if (Array.from(letter).length === 1 && !table.has(letter)) table.set(letter, bytes)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
    }
  }
  for (let first = 0; first < 0x100; first += 1) add(first)
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x40; second < 0xff; second += 1) add(first, second)
  return Buffer.from(
    Array.from(text).flatMap((letter) => {
      const bytes = table.get(letter)
      if (bytes === undefined) throw new Error(`${encoding} has no ${letter}`)
      return bytes
    }),
  )
}

/** Reads a file of a site that declares no encoding. */
const read = (body: Uint8Array, contentType?: string, url = 'http://127.0.0.1/file') =>
  parse({ url, body, ...(contentType !== undefined && { contentType }) }, parsePlan)

const guessed = (encoding: string): string =>
  `No known encoding is declared: the text was read as ${encoding}, which its bytes suggest.`

const russian = 'Смотритель маяка каждый вечер считает лодки и записывает число в книгу.'
const japanese = '番人は毎晩、桟橋を歩いて、どの舟が戻ったかを帳面に書き込む。'
const polish = 'Później latarnik gasi światło i śpi aż do świtu, a łodzie są już w porcie i nikt ich nie liczy.'
const texts = [
  ['windows-1251', russian],
  ['koi8-u', russian],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gbk', '看守人每天晚上都要数一数船只，然后把数字写进账本里。'],
  ['big5', '看守人每天晚上都要數一數船隻，然後把數字寫進帳本裡。'],
  ['euc-kr', '등대지기는 매일 저녁 배를 세고 그 수를 책에 적는다.'],
  ['iso-8859-2', polish],
  ['windows-1250', polish],
  ['windows-1253', 'Ο φύλακας του λιμανιού μετράει κάθε βράδυ τις βάρκες και γράφει τον αριθμό στο βιβλίο.'],
  ['windows-1254', 'Fener bekçisi her akşam kayıkları sayar ve sayısını kimsenin açamadığı deftere yazar.'],
  ['windows-1255', 'שומר המגדלור סופר בכל ערב את הסירות ורושם את המספר בספר.'],
  ['windows-1256', 'يعد حارس المنارة القوارب كل مساء ويكتب العدد في الدفتر.'],
  ['windows-874', 'คนเฝ้าประภาคารนับเรือทุกเย็นและเขียนจำนวนลงในสมุด'],
  ['windows-1252', 'Der Wärter zahlt jeden Abend für die Boote und schreibt die Größe in das Buch über Häfen.'],
  ['ibm866', russian],
] as const

describe.each(texts)('text in %s that nothing declares', (encoding, text) => {
  const bytes = encode(text, encoding)
  const around = (before: string, after: string): Buffer =>
    Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])

  it.each([
    ['HTML', 'text/html', around('<html><title>x</title><p>', '</p></html>')],
    [
      'HTML with a long head',
      'text/html',
      around(`<html><style>${'p { margin: 0 } '.repeat(9000)}</style><p>`, '</p>'),
    ],
    ['HTML without a type', undefined, around('<!doctype html><html><title>x</title><p>', '</p></html>')],
    ['HTML with an unknown charset', 'text/html; charset=none', around('<meta charset="no-such"><p>', '</p>')],
    ['plain text', 'text/plain', bytes],
    ['Markdown', 'text/markdown', around('# ', '\n')],
    ['CSV', 'text/csv', around('id,name\n1,', '\n')],
    ['JSON', 'application/json', around('{"name": "', '"}')],
    ['a feed', 'application/rss+xml', around('<rss><channel><item><title>', '</title></item></channel></rss>')],
    ['SVG', 'image/svg+xml', around('<svg xmlns="http://www.w3.org/2000/svg"><text>', '</text></svg>')],
  ])('is read in %s, with a warning', (_, contentType, body) => {
    const page = read(body, contentType)
    expect(page.text).toContain(text)
    expect(page.warnings).toEqual([guessed(encoding)])
  })

  it('is read where a page is read without a tree, with a warning', () => {
    const input = {
      url: 'http://127.0.0.1/',
      body: around('<html><title>x</title><p>', '</p></html>'),
      contentType: 'text/html',
    }
    const outline = streamOutline(input, parsePlan, { formats: [{ type: 'rawHtml' }], text: true })
    expect(outline?.text).toContain(text)
    expect(outline?.made.warnings).toEqual([guessed(encoding)])
  })
})

describe('few letters in an encoding that nothing declares', () => {
  const page = (text: string, encoding: string, tag: string): Buffer =>
    Buffer.concat([Buffer.from(`${tag}<p>`), encode(text, encoding), Buffer.from('</p>')])

  it('are read by the language that the page names', () => {
    expect(read(page('סעיף ה.', 'windows-1255', '<html lang="he">'), 'text/html').text).toContain('סעיף ה.')
    expect(read(page('第13条', 'shift_jis', '<html dir=ltr lang=ja-JP>'), 'text/html').text).toContain('第13条')
    expect(read(page('中文', 'big5', '<HTML LANG="zh-Hant-TW">'), 'text/html').text).toContain('中文')
    expect(read(page('Müße', 'windows-1252', '<html lang="de">'), 'text/html').text).toContain('Müße')
  })

  it('are read by the country of the domain', () => {
    const body = page('Žąsis skrido', 'windows-1257', '<html lang="en-x">')
    expect(read(page('Žąsis skrido', 'windows-1257', ''), 'text/html', 'https://ezeras.lt/').text).toContain('Žąsis')
    expect(read(body, 'text/html', 'https://[::1]/').text).not.toContain('Žąsis')
  })

  it('do not decide what many letters say otherwise', () => {
    const text = `${russian} ${russian}`
    expect(read(page(text, 'windows-1251', '<html lang="ar">'), 'text/html', 'https://site.sa/').text).toContain(
      russian,
    )
    expect(read(page(text, 'windows-1251', '<html lang="en">'), 'text/html', 'https://site.jp/').text).toContain(
      russian,
    )
  })
})

describe('symbols in English text that declares no encoding', () => {
  it.each([
    '© 2024 Acme',
    'Acme® ',
    '“Hello”, he said – it’s 5 • 6…',
    'from £23.99, 40 €',
    'at 375°F, 190ºC, 1½ cups, ¼ cup, 3 × 4, ±2',
    '« Oui »',
    'a··· b',
  ])('are those of windows-1252: %s', (text) => {
    const high = new Map(
      Array.from('€‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ').map((letter, at) => [letter, at + (at > 0 ? 0x81 : 0x80)]),
    )
    const bytes = Buffer.from(Array.from(text).map((letter) => high.get(letter) ?? letter.charCodeAt(0)))
    expect(read(bytes, 'text/plain')).toMatchObject({ text, warnings: [] })
    expect(read(bytes, 'text/plain', 'https://site.jp/')).toMatchObject({ text, warnings: [] })
  })
})

describe('what is known of an encoding', () => {
  it('counts before its bytes, and UTF-8 needs no guess', () => {
    const bytes = encode(russian, 'windows-1251')
    expect(read(bytes, 'text/plain; charset=utf-8').text).not.toContain('Смотритель')
    expect(read(bytes, 'text/plain; charset=koi8-r').warnings).toEqual([])
    expect(read(Buffer.from(russian), 'text/plain')).toMatchObject({ text: russian, warnings: [] })
    expect(read(Buffer.from('plain'), 'text/plain')).toMatchObject({ text: 'plain', warnings: [] })
    expect(read(encode('{"a": "ж"}', 'koi8-r'), 'application/json; charset=koi8-r')).toMatchObject({
      text: '{"a": "ж"}',
      warnings: [],
    })
  })

  it('is shown by the escape sequences of ISO-2022-JP, and only by them', () => {
    const bytes = Buffer.from('<p>\x1b$B$3$s$K$A$O\x1b(B</p>', 'latin1')
    expect(read(bytes, 'text/html')).toMatchObject({ text: '<p>こんにちは</p>', warnings: [guessed('iso-2022-jp')] })
    const long = Buffer.from(`<p>a\x1b$B${'$3$s'.repeat(9000)}\x1b(B</p>`, 'latin1')
    expect(read(long, 'text/html').text).toContain('こん'.repeat(9000))
    for (const text of ['\x1b[31mred\x1b[0m', 'cost\x1b$', '\x1b$B', '\x1b$B\x1b(B'])
      expect(read(Buffer.from(text), 'text/plain')).toMatchObject({ text, warnings: [] })
  })

  it('is not lost where a body is cut off within a letter', () => {
    const text = `${japanese}\n`.repeat(40)
    for (const [encoding] of [['shift_jis'], ['euc-jp']] as const) {
      const bytes = encode(text, encoding)
      for (const cut of [1, 2, 3, 4, 5]) expect(read(bytes.subarray(0, -cut), 'text/plain').text).toContain(japanese)
    }
  })
})
