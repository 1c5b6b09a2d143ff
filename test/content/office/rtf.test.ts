import { describe, expect, it } from 'vitest'
import { markdownOf, readFile, refusalOf } from './read.js'

const rtf = (inner: string): Promise<string> =>
  markdownOf(
    Buffer.from(
      `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fswiss\\fcharset0 Arial;}{\\f1\\fmodern\\fcharset0 Courier New;}{\\f2\\fswiss\\fcharset204 Arial Cyr;}{\\f3\\fnil\\fcharset128 MS Mincho;}}{\\stylesheet{ Normal;}{\\s1\\outlinelevel0\\b heading 1;}{\\s2 heading 2;}{\\s3 HTML Preformatted;}{\\*\\cs10 Strong;}}${inner}}`,
      'latin1',
    ),
    'application/rtf',
  )

describe('letters', () => {
  it('are decoded by the code page of the file or of the font, or as Unicode', async () => {
    expect(
      await rtf(
        "caf\\'e9 \\'80 {\\f2\\'cf\\'f0\\'e8\\'e2\\'e5\\'f2} {\\f3\\'93\\'8c\\'8b\\'9e} \\u8364? {\\uc0\\u233}! \\u-10179?\\u-8704?",
      ),
    ).toBe('café € Привет 東京 € é! 😀')
  })

  it.each([
    ['a control word', 'a\\u8226\\bullet b\\u8211\\endash c', 'a•b–c'],
    ['missing at the end of a group', '{\\u8364}uro {\\uc2\\u9731}{snow}', '€uro ☃snow'],
    ['the same text in another group', '{\\upr{caf?}{\\*\\ud{caf\\u233 e}}} open', 'café open'],
  ])('are read once if their substitute is %s', async (_, inner, shown) => {
    expect(await rtf(inner)).toBe(shown)
  })

  it.each([
    ['\\ansi\\ansicpg437', 'café'],
    ['\\pc', 'café'],
    ['\\pca', 'café'],
    ['\\ansi\\ansicpg852', 'café'],
    ['\\ansi\\ansicpg1252', 'caf‚'],
  ])('are decoded in a file that begins with `%s`', async (head, shown) => {
    expect(await markdownOf(Buffer.from(`{\\rtf1${head} caf\\'82\\par}`), 'application/rtf')).toBe(shown)
  })

  it('are decoded by the character set of the default font', async () => {
    const head = '{\\rtf1\\ansi\\ansicpg1252\\deff1{\\fonttbl{\\f0 Arial;}{\\f1\\fcharset204 Arial Cyr;}}'
    const body = `${head}\\'cf\\'f0\\'e8 {\\f0 caf\\'e9}\\par}`
    expect(await markdownOf(Buffer.from(body), 'application/rtf')).toBe('При café')
  })

  it('can be written as control words', async () => {
    expect(await rtf('a\\emdash b\\~c \\ldblquote d\\rdblquote  \\{e\\} \\\\ f\\line g')).toMatch(
      /^a—b.c “d” \{e\} \\+ f\s+g$/u,
    )
  })

  it('can be bold, italic, superscript, strikethrough and code', async () => {
    expect(
      await rtf('{\\b bold\\b0  {\\i it}} m{\\super 2} {\\strike no} {\\f1 code} {\\v hidden}{\\deleted gone}end'),
    ).toBe('**bold** *it* m<sup>2</sup> ~~no~~ `code` end')
  })
})

describe('paragraphs', () => {
  it('are headings by their style or their outline level, and preformatted lines', async () => {
    expect(
      await rtf(
        '\\pard\\s1\\b One\\b0\\par\\pard\\s2 Two\\par\\pard\\outlinelevel2 Three\\par\\pard\\s3 a\\par b\\par\\pard text\\par',
      ),
    ).toBe('# One\n\n## Two\n\n### Three\n\n```\na\nb\n```\n\ntext')
  })

  it('are list items if a list marker precedes them', async () => {
    const item = (marker: string, level: number, text: string): string =>
      `{\\listtext\\tab ${marker}\\tab}\\pard\\ls1\\ilvl${level} ${text}\\par`
    expect(
      await rtf([item("\\'b7", 0, 'a'), item('3.', 1, 'b'), item('4.', 1, 'c'), item("\\'b7", 0, 'd')].join('')),
    ).toBe('- a\n\n  3. b\n  4. c\n- d')
  })

  it.each([
    [
      'a mark of WordPad',
      (li: number, text: string) => `\\pard{\\pntext\\f0\\'B7\\tab}{\\*\\pn\\pnlvlblt}\\fi-360\\li${li} ${text}\\par`,
    ],
    ['a bullet that was typed', (li: number, text: string) => `\\pard\\fi-360\\li${li}\\bullet\\tab ${text}\\par`],
    ['a dash that was typed', (li: number, text: string) => `\\pard\\fi-360\\li${li} -\\tab ${text}\\par`],
  ])('are items of the level that their indent says: %s', async (_, item) => {
    const items = [item(720, 'a'), item(1440, 'b'), item(2160, 'c'), item(1450, 'd'), item(720, 'e')].join('')
    const text = `\\pard t\\par${items}\\pard u\\par${item(1440, 'f')}${item(720, 'g')}`
    expect(await rtf(text)).toBe('t\n\n- a\n  - b\n    - c\n  - d\n- e\n\nu\n\n- f\n- g')
  })

  it('are no items by a dash without an indent, or within the text', async () => {
    expect(await rtf('\\pard\\li720 - a\\par\\pard b -\\tab c\\par')).not.toMatch(/^- /m)
  })

  it('are in the list that they name, and in the item before if their mark is a space', async () => {
    const item = (marker: string, list: number, text: string): string =>
      `{\\listtext ${marker}\\tab}\\pard\\ls${list}\\ilvl0 ${text}\\par`
    expect(
      await rtf(
        [item('1.', 1, 'a'), item(' ', 2, 'more'), item('2.', 1, 'b'), item('g)', 3, 'c'), item('h)', 3, 'd')].join(''),
      ),
    ).toBe('1. a\n\n   more\n2. b\n\n7) c\n8) d')
  })

  it('have links, bookmarks and notes', async () => {
    expect(
      await rtf(
        '{\\field{\\*\\fldinst{HYPERLINK "https://site.test/x"}}{\\fldrslt{\\ul there}}} a{\\super\\chftn}{\\footnote\\pard {\\super\\chftn} the note}b\\par',
      ),
    ).toBe('[there](https://site.test/x) a[^1]b\n\n[^1]: the note')
  })
})

describe('fields', () => {
  const form = (data: string, code: string): string =>
    `{\\field{\\*\\fldinst{${code}}{{\\*\\formfield{${data}{\\*\\ffname Name}}}}}{\\fldrslt }}`

  it('of forms show their state', async () => {
    const list = (chosen: string): string => form(`\\fftype2${chosen}{\\*\\ffl Red}{\\*\\ffl Blue}`, 'FORMDROPDOWN')
    expect(
      await rtf(
        `${form('\\fftype1\\ffres1', 'FORMCHECKBOX')} a ${form('\\fftype1\\ffres0', 'FORMCHECKBOX')} b ${form('\\fftype1\\ffres25\\ffdefres1', 'FORMCHECKBOX')} c ${list('\\ffres1')} ${list('\\ffres25\\ffdefres0')}`,
      ),
    ).toBe('☒ a ☐ b ☒ c Blue Red')
    const name = '{\\field{\\*\\fldinst{FORMTEXT}{{\\*\\formfield{\\fftype0{\\*\\ffdeftext ?}}}}}{\\fldrslt Ann}}'
    expect(await rtf(`Name: ${name}`)).toBe('Name: Ann')
  })

  it('show symbols without a result, and no results of fields in their codes', async () => {
    expect(
      await rtf(
        '5 {\\field{\\*\\fldinst{SYMBOL 109 \\\\f "Symbol"}}{\\fldrslt }}g {\\field{\\*\\fldinst{IF {\\field{\\*\\fldinst PAGE}{\\fldrslt 7}} = 1 "a" "b"}}{\\fldrslt b}}',
      ),
    ).toBe('5 μg b')
    expect(await rtf('a {\\field{\\*\\fldinst{MACROBUTTON NoMacro Click here}}{\\fldrslt }} z')).toBe('a Click here z')
  })
})

it('hidden text hides its notes, images and line breaks', async () => {
  expect(await rtf('a{\\v{\\footnote note}}b{\\v{\\pict 00}}c{\\v\\line}d\\par')).toBe('abcd')
})

describe('tables', () => {
  it('have cells merged across and down', async () => {
    const row = (definition: string, ...cells: string[]): string =>
      `\\trowd${definition}\\pard\\intbl ${cells.map((cell) => `${cell}\\cell `).join('')}\\row`
    expect(
      await rtf(
        `${row('\\trhdr\\cellx1000\\cellx2000\\cellx3000', 'A', 'B', 'C')}${row('\\clvmgf\\cellx1000\\cellx3000', 'tall', 'wide')}${row('\\clvmrg\\cellx1000\\cellx2000\\cellx3000', '', '1', '2')}\\pard after\\par`,
      ),
    ).toBe('| A | B | C |\n| --- | --- | --- |\n| tall | wide |  |\n| tall | 1 | 2 |\n\nafter')
  })
})

it('an RTF file is read without headers, comments and data for programs', async () => {
  expect(
    await rtf(
      '{\\header head}{\\*\\generator X;}{\\colortbl;\\red0;}{\\*\\annotation c}{\\*\\unknown u}text{\\pict\\picw1 89504e47}\\par',
    ),
  ).toBe('text ![](#picture-1)')
})

it('the metadata of an RTF file is read', async () => {
  const { metadata } = await readFile(
    Buffer.from('{\\rtf1{\\info{\\title A title}{\\author Ann}{\\creatim\\yr2026\\mo3\\dy1\\hr9\\min30}}x}'),
    'text/html',
  )
  expect(metadata).toMatchObject({ title: 'A title', author: 'Ann', publishedTime: '2026-03-01T09:30:00' })
})

it('a file that only claims to be RTF is refused', async () => {
  expect(await refusalOf(Buffer.from('plain text'), 'text/rtf')).toBe('SCRAPE_FILE_BROKEN')
})

it('the open bullets of an RTF file are bullets, and no letter of an alphabet', async () => {
  const item = (level: number, bullet: string, text: string): string =>
    `{\\listtext ${bullet}\\tab}\\pard\\ls1\\ilvl${level} ${text}\\par`
  expect(await rtf(`${item(0, '\\bullet', 'Rye')}${item(1, 'o', 'winter rye')}${item(0, '\\bullet', 'Wheat')}`)).toBe(
    '- Rye\n  - winter rye\n- Wheat',
  )
})
