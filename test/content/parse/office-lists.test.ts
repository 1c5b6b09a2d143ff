import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

const engine = createEngine({ threads: 0 })
const read = async (html: string): Promise<string> =>
  (
    await engine.parse({
      url: 'https://site.test/',
      body: `<main><p>Things to bring:</p>${html}<p>Nothing else.</p></main>`,
    })
  ).markdown

const word = (level: number, mark: string, text: string, list = 0): string =>
  `<p class="MsoListParagraph" style="margin-left:36pt;mso-list:l${list} level${level} lfo1"><!--[if !supportLists]--><span style="font-family:Symbol"><span style="mso-list:Ignore">${mark}<span style="font:7pt">&nbsp;&nbsp; </span></span></span><!--[endif]-->${text}<o:p></o:p></p>\n`

const gap = '<span style=\'font:7.0pt "Times New Roman"\'>&nbsp;&nbsp;&nbsp; </span>'
/** An item of Word's filtered HTML. */
const filtered = (indent: string, mark: string, text: string): string =>
  `<p class=MsoListParagraphCxSpMiddle style='${indent}text-indent:-18.0pt'>${mark.replace('|', gap)}${text}</p>\n`

const between = (list: string): string => `Things to bring:\n\n${list}\n\nNothing else.`

it.each([
  [
    'Word, with bullets',
    word(1, '·', 'A rope') + word(2, 'o', 'of forty yards') + word(1, '·', 'A lamp'),
    '- A rope\n  - of forty yards\n- A lamp',
  ],
  [
    'Word, with numbers',
    word(1, '3.', 'A rope') +
      word(2, '1.', 'of <b>forty</b> yards') +
      word(1, '4.', 'A lamp') +
      word(1, '7.', 'A bell'),
    '3. A rope\n   1. of **forty** yards\n4. A lamp\n7. A bell',
  ],
  [
    'Word, with labels that others may refer to',
    word(1, 'b)', 'A rope') + word(1, '1.2', 'A lamp'),
    '- b) A rope\n- 1.2 A lamp',
  ],
  [
    'Word, with an item that is hidden',
    word(1, '·', 'A rope') +
      word(1, '·', 'A lamp').replace('margin-left:36pt', 'display:none') +
      word(1, '·', 'A bell'),
    '- A rope\n- A bell',
  ],
  [
    'Word, filtered, with bullets',
    filtered('margin-left:36.0pt;', "<span style='font-family:Symbol'>·|</span>", 'A rope') +
      filtered('margin-left:1.0in;', '<span style=\'font-family:"Courier New"\'>o|</span>', 'of <b>forty</b> yards') +
      filtered('', "<span style='font-family:Symbol'>·|</span>", 'A lamp'),
    '- A rope\n  - of **forty** yards\n- A lamp',
  ],
  [
    'Word, filtered, with numbers and labels',
    filtered('', '3.|', 'A rope') + filtered('margin-left:2.54cm;', 'a)|', 'new') + filtered('', '4.|', 'A lamp'),
    '3. A rope\n   - a) new\n4. A lamp',
  ],
  [
    'Google Docs, on lines of their own',
    '<ul class="lst-kix_a1-0">\n<li>A rope</li>\n</ul>\n<ul class="lst-kix_a1-1">\n<li>new</li>\n</ul>\n<ul class="lst-kix_a1-0">\n<li>A lamp</li>\n</ul>',
    '- A rope\n  - new\n- A lamp',
  ],
  [
    'Word, with a level left out',
    word(1, '·', 'A rope') + word(3, '§', 'long') + word(2, 'o', 'new') + word(1, '·', 'A lamp'),
    '- A rope\n  - long\n  - new\n- A lamp',
  ],
  [
    'Google Docs',
    '<ul class="c1 lst-kix_a1-0 start"><li>A rope</li></ul><ul class="c1 lst-kix_a1-1 start"><li>of forty yards</li></ul><ul class="c1 lst-kix_a1-0"><li>A lamp</li></ul>',
    '- A rope\n  - of forty yards\n- A lamp',
  ],
])('lists of %s are nested', async (_, html, list) => {
  expect(await read(html)).toBe(between(list))
})

it('a heading with a number of Word stays a heading', async () => {
  const heading = word(1, '1.', 'Ropes').replace('<p class="MsoListParagraph"', '<h2').replace('</p>', '</h2>')
  expect(await read(heading)).toContain('Ropes\n')
})

it('a paragraph with small text beside a word is no item, and keeps it', async () => {
  const small = '<span style=\'font:7.0pt "Times New Roman"\'>net</span>'
  expect(await read(`<p style='text-indent:-18.0pt'>9 kg${small} of flour</p>`)).toBe(between('9 kgnet of flour'))
})
