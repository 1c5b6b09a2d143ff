import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { SHEET_SENTENCE, sheetPages, writeSheetPage } from './sheet-pages.js'

it('a sentence stays if browsers show it, and is left out if they do not, whatever its style sheet has', async () => {
  const wrong: string[] = []
  for (const page of sheetPages) {
    const { fields } = await digestFile(
      {
        url: 'https://harbour.test/a',
        body: Buffer.from(writeSheetPage(page)),
        contentType: 'text/html; charset=utf-8',
      },
      digestPlan(),
    )
    const text = fields.markdown ?? ''
    if (text.includes(SHEET_SENTENCE) !== page.isSeen)
      wrong.push(`${page.isSeen ? 'lost' : 'let through'}: ${page.begin ?? ''}${page.css} ${page.element ?? ''}`)
    if (!text.includes('Ship 7 leaves') || !text.includes('Ship 91 leaves')) wrong.push(`others lost: ${page.css}`)
  }
  expect(sheetPages.length).toBeGreaterThan(250)
  expect(wrong).toEqual([])
})

/** Styles that a hostile page may have to take the time of who reads it. */
const hostile: readonly (readonly [name: string, css: string, rows?: string])[] = [
  ['a megabyte of selectors', `${'.q>.w .q~.w:not(.x):is(.q,.w),'.repeat(35_000)}.q{display:none}`],
  ['a megabyte of lists', '.q:is(.a,.b,:bogus),.w:has(.q),[a=b]{display:none}'.repeat(20_000)],
  ['10,000 nested rules', `${'.w,.q{&,&{'.repeat(5000)}display:none`],
  ['10,000 nested conditions', `${'@media all{'.repeat(10_000)}.x{display:none}`],
  ['10,000 nested layers', `${'@layer a{@layer{'.repeat(5000)}.x{display:none}`],
  ['nested scopes', `${'@scope (.w){'.repeat(5000)}.x{display:none}`],
  ['brackets', `.q{display:none}${'('.repeat(300_000)}${'['.repeat(300_000)}${'url('.repeat(100_000)}`],
  ['nested brackets in selectors', `${':is(:not('.repeat(100)}.q${'))'.repeat(100)}{display:none}`.repeat(500)],
  [
    'conditions in brackets',
    `@media ${'('.repeat(50_000)}{.q{display:none}}@supports ${'(not '.repeat(50_000)}{a{b:c}}`,
  ],
  ['comments and strings', `${'/*'.repeat(100_000)}*/${'"\\"/*"'.repeat(50_000)}.x{display:none}`],
  [
    'custom properties that double',
    `${Array.from({ length: 2000 }, (_, at) => `.q{--a${at}:var(--a${at + 1})var(--a${at + 1})}`).join('')}.q{--a2000:x;display:var(--a0)}`,
  ],
  ['fallbacks within each other', `.q{display:${'var(--x,'.repeat(20_000)}none${')'.repeat(20_000)}}`],
  ['places among siblings', 'p:nth-child(2n+1 of p):nth-last-of-type(3n){opacity:0}'.repeat(5000)],
  ['layers that roll back', '@layer a{.q{display:revert-layer}}@layer{.q{display:revert-layer}}'.repeat(5000)],
  [
    'long attributes',
    Array.from({ length: 4000 }, (_, at) => `[title~=a${at}]{opacity:0}`).join(''),
    `<p title="${'a b '.repeat(2500)}">A pier.</p>`.repeat(100),
  ],
  [
    'siblings behind notes',
    ':first-child~b+i{opacity:0}'.repeat(500),
    `<p>${`<b>A</b>${'<!--a-->'.repeat(20)}`.repeat(3000)}<i>pier</i></p>`,
  ],
  [
    'rules for every element',
    `${'*{opacity:0;color:red}* *{--a:b}'.repeat(3000)}${'*:hover{opacity:1}@media print{*{display:none}}'.repeat(3000)}`,
    Array.from({ length: 6000 }, (_, at) => `<p class="c${at}">A pier.</p>`).join(''),
  ],
  ['a language of far above', ':lang(ab):dir(rtl){opacity:0}'.repeat(5000), `${'<div>'.repeat(200)}<p>A pier.</p>`],
  ['a long comparison', `@media (${' '.repeat(200_000)}x){.q{opacity:0}}`],
  ['values', `.q{${'display:inline inline;color:rgb(0,0);transform:rotate('.repeat(20_000)}}`],
]

it.each(hostile)(
  'a hostile style sheet is read in linear time: %s',
  async (_, css, rows = '<p class="q">A pier.</p>'.repeat(3000)) => {
    const { fields } = await digestFile(
      {
        url: 'https://harbour.test/a',
        body: Buffer.from(
          `<!doctype html><style>${css}</style><p>Ship 7 of the harbour</p><div class="w">${rows}</div>`,
        ),
        contentType: 'text/html',
      },
      digestPlan(),
    )
    expect(fields.markdown).toContain('Ship 7 of the harbour')
  },
)

it.each([
  ['tests', Array.from({ length: 1500 }, (_, at) => `[data-x${at}]{display:none}`).join(''), 2000],
  ['rules', '.c0{opacity:1}'.repeat(20_001), 1],
  ['characters', '.a{b:c}'.repeat(400_000), 1],
])('a page whose style sheets have too many %s to apply has a warning', async (_, css, count) => {
  const rows = Array.from({ length: count }, (__, at) => `<p class="c${at}">A pier.</p>`).join('')
  const { warnings } = await digestFile(
    {
      url: 'https://harbour.test/a',
      body: Buffer.from(
        `<!doctype html><style>${css}.z{display:none}</style><p>Ship 7 of the harbour</p><p class="z">Hidden</p>${rows}`,
      ),
      contentType: 'text/html',
    },
    digestPlan(),
  )
  expect(warnings.join(' ')).toContain('text that no reader sees may be left in')
})
