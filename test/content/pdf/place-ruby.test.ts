import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { makePdf } from './make-pdf.js'

/** A font whose characters are all as wide as they are high. */
const FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /UniJIS-UTF16-H /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 ' +
  '/BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /DW 1000 /W [231 [500]] ' +
  '/FontDescriptor << /Type /FontDescriptor /FontName /Mincho /Flags 4 /FontBBox [0 -200 1000 800] /Ascent 800 /Descent -200 >> >>] >>'

const ucs2 = (text: string): string =>
  Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')

interface Drawn {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly font?: 'F0'
}

const draw = ({ text, x, y, size, font }: Drawn): string =>
  `BT /${font ?? 'C'} ${size} Tf 1 0 0 1 ${x} ${y} Tm ${font === undefined ? `<${ucs2(text)}>` : `(${text})`} Tj ET\n`

async function read(drawn: readonly Drawn[]): Promise<string | undefined> {
  const body = makePdf([{ drawing: drawn.map(draw).join('') }], { fonts: { C: FONT } })
  const input = { url: 'https://site.test/file.pdf', body, contentType: 'application/pdf' }
  return (await digestFile(input, digestPlan())).fields.markdown?.trim()
}

/** An annotation of half the size, centered above characters of a line at the left of 72. */
const above = (text: string, from: number, to: number, y: number): Drawn => ({
  text,
  x: 72 + 6 * (from + to) - 3 * text.length,
  y: y + 11,
  size: 6,
})
const line = (text: string, y: number): Drawn => ({ text, x: 72, y, size: 12 })

describe('small characters above Chinese characters', () => {
  it('follow the word that they are above, in parentheses', async () => {
    const drawn = [
      line('夜ごとに港の灯台は灯された。', 700),
      above('みなと', 4, 5, 700),
      above('とうだい', 6, 8, 700),
      above('とも', 9, 10, 700),
      line('番人が硝子を拭き、', 676),
      above('ガラス', 3, 5, 676),
    ]
    const text = '夜ごとに港(みなと)の灯台(とうだい)は灯(とも)された。\n\n番人が硝子(ガラス)を拭き、'
    expect(await read(drawn)).toBe(text)
    expect(await read(drawn.toReversed())).toBe(text)
  })

  it('follow each character of a word that has one for each', async () => {
    const drawn = [line('彼は東京にいた。', 700), above('とう', 2, 3, 700), above('きょう', 3, 4, 700)]
    expect(await read(drawn)).toBe('彼は東(とう)京(きょう)にいた。')
  })

  it('are of all of a word that is wider than they are', async () => {
    expect(await read([line('彼の祖父母だった。', 700), above('そ', 2, 5, 700)])).toBe('彼の祖父母(そ)だった。')
  })

  it('are found above lines that are drawn character by character', async () => {
    const letters = Array.from('港の灯台だ。', (text, at) => ({ text, x: 72 + 12 * at, y: 700, size: 12 }))
    expect(await read([...letters, above('みなと', 0, 1, 700)])).toBe('港(みなと)の灯台だ。')
  })

  it('may be Latin letters with tones', async () => {
    const drawn = [line('北京', 700), { text: 'bei jing', x: 82, y: 711, size: 6, font: 'F0' as const }]
    expect(await read(drawn)).toBe('北京(bei jing)')
  })
})

describe('small characters that explain none', () => {
  it.each<readonly [what: string, drawn: readonly Drawn[], lines: readonly string[]]>([
    [
      'a line above, too far away',
      [line('灯台の番人は毎晩舟を数える。', 700), { ...above('まえがき', 0, 2, 700), y: 730 }],
      ['まえがき'],
    ],
    ['a line above kana', [line('とうだいのばんにん', 700), above('まえがき', 0, 2, 700)], ['まえがき']],
    [
      'little smaller ones',
      [line('灯台の番人', 700), { ...above('まえがき', 0, 2, 700), size: 10, y: 713 }],
      ['まえがき'],
    ],
    ['those below', [line('灯台の番人', 700), { ...above('まえがき', 0, 2, 700), y: 689 }], ['まえがき']],
  ])('stay a line: %s', async (_, drawn, lines) => {
    const markdown = await read(drawn)
    for (const text of lines) expect(markdown).toMatch(new RegExp(`(?:^|[^(])${text}(?:$|[^)])`))
    expect(markdown).not.toContain('(')
  })
})
