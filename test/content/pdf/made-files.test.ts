import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { makePdf } from './make-pdf.js'
import type { MadeFile } from './made-text.js'
import { books, shortColumns } from './made-books.js'
import { longTables } from './made-tables.js'
import { documents } from './made-documents.js'
import { headings, templates } from './made-templates.js'

/** Files of many kinds, made for the test of what is read of them. */
const madeFiles: readonly MadeFile[] = [
  ...templates,
  ...documents,
  ...headings,
  ...longTables,
  ...books,
  ...shortColumns,
]

/** Markdown as its reader sees it. */
const seen = (markdown: string): string =>
  markdown
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/<br ?\/?>|[*`]/g, ' ')
    .replace(/[ \t]+/g, ' ')

/** How often a text stands in another, as a whole. */
const timesIn = (text: string, part: string): number =>
  text
    .replace(/\n/g, ' ')
    .split(part)
    .filter((rest, index) => index > 0 && !/^\d/.test(rest)).length

interface Fault {
  readonly lost: string[]
  readonly doubled: string[]
  readonly outOfOrder: string[]
  readonly left: string[]
}

function compare(file: MadeFile, markdown: string): Fault {
  const text = seen(markdown)
  const flat = text.replace(/\n/g, ' ')
  const expected = [...file.wanted.map((part) => [part, 1] as const), ...Object.entries(file.repeated ?? {})]
  let at = 0
  const outOfOrder = file.wanted.filter((part) => {
    const place = flat.indexOf(part)
    const isBefore = place >= 0 && place < at
    at = Math.max(at, place)
    return isBefore
  })
  return {
    lost: expected.filter(([part, times]) => timesIn(text, part) < times).map(([part]) => part),
    doubled: expected.filter(([part, times]) => timesIn(text, part) > times).map(([part]) => part),
    outOfOrder,
    left: (file.gone ?? [])
      .filter((part) => (typeof part === 'string' ? flat.includes(part) : part.test(text)))
      .map(String),
  }
}

it.each(madeFiles)('$name: every text occurs once, in order, without page headers and footers', async (file) => {
  const body = makePdf(file.pages)
  const { fields, warnings } = await digestFile({ url: 'https://a.test/x.pdf', body }, digestPlan())
  expect(compare(file, fields.markdown ?? '')).toEqual({ lost: [], doubled: [], outOfOrder: [], left: [] })
  expect(warnings).toEqual([])
})
