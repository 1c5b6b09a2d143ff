import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { makePdf, type PageContent } from './make-pdf.js'

async function toMarkdown(page: PageContent, producer = 'Skia/PDF m147'): Promise<string> {
  const body = makePdf([page], { info: { Producer: producer } })
  const made = await digestFile({ url: 'https://site.test/a.pdf', body, contentType: 'application/pdf' }, digestPlan())
  return (made.fields.markdown ?? '').trim()
}

/** A square of this width, whose top left corner stands here, as Chromium draws the bullets of deep lists. */
const square = (x: number, y: number, width = 3): string => `${x} ${792 - y - width} ${width} ${width} re f`

const items = {
  pieces: [
    { text: 'What to bring:', x: 72, y: 100 },
    { text: 'papers of the ship', x: 102, y: 114 },
    { text: 'and of the crew', x: 102, y: 126 },
    { text: 'money', x: 102, y: 138 },
    { text: 'coins', x: 132, y: 150 },
    { text: 'printDate', x: 102, y: 162, font: 'Courier' },
  ],
  drawing: [square(92, 109), square(92, 133), square(122, 145), square(92, 157)].join('\n'),
} satisfies PageContent

it('bullets that Chromium draws as shapes begin items of a list', async () => {
  expect(await toMarkdown(items)).toBe(
    'What to bring:\n\n- papers of the ship and of the crew\n- money\n  - coins\n- `printDate`',
  )
})

it('shapes are no bullets if they stand after text, are too large, or another program drew them', async () => {
  const after = { ...items, drawing: [square(134, 96), square(90, 126, 9)].join('\n') }
  const plain = await toMarkdown({ ...items, drawing: '' })
  expect(plain).not.toContain('- ')
  expect(await toMarkdown(after)).toBe(plain)
  expect(await toMarkdown(items, 'cairo 1.16.0 (https://cairographics.org)')).toBe(plain)
})

it('an item in larger type than most of the text is no heading', async () => {
  const small = Array.from({ length: 30 }, (_, at) => ({
    text: `cell ${at} of a table`,
    x: 72,
    y: 200 + 9 * at,
    size: 7,
  }))
  const pieces = [
    { text: 'has all parts of the library', x: 102, y: 114 },
    { text: 'has some of them', x: 102, y: 126 },
  ]
  const drawing = [square(92, 109), square(92, 121)].join('\n')
  expect(await toMarkdown({ pieces: [...pieces, ...small], drawing })).toMatch(
    /^- has all parts of the library\n- has some of them/,
  )
})
