import { afterAll, describe, expect, it } from 'vitest'
import { createEngine, type ChangedBlock } from '../../../src/index.js'
import { type EditedPage, makePage, makeRandom, type Section, writePage } from '../../site/edited-page.js'

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

/** The expected change: its kind, the kind of block, and the heading above. */
type Told = readonly [change: ChangedBlock['change'], kind: ChangedBlock['kind'], heading: string]

interface Scenario {
  readonly name: string
  /** Edits the page and returns the expected changes; none for an edit that is ignored. */
  edit(page: EditedPage, random: (below: number) => number): Told[]
  /** True when the edit does not appear in the Markdown. @default false */
  readonly isDropped?: boolean
}

const sectionOf = (page: EditedPage, at: number): Section => {
  const section = page.sections[at]
  if (!section) throw new Error(`no section ${at}`)
  return section
}

/** Edits one paragraph anywhere. */
const rewrite =
  (edit: (text: string) => string): Scenario['edit'] =>
  (page, random) => {
    const section = sectionOf(page, random(page.sections.length))
    const at = random(section.paragraphs.length)
    section.paragraphs[at] = edit(section.paragraphs[at] ?? '')
    return [['edited', 'text', section.heading]]
  }

const silently =
  (edit: (page: EditedPage) => void): Scenario['edit'] =>
  (page) => {
    edit(page)
    return []
  }

const scenarios: readonly Scenario[] = [
  { name: 'a word', edit: rewrite((text) => text.replace(' stands ', ' leans ')) },
  { name: 'a number', edit: rewrite((text) => text.replace(/\b1\d\d\b/, '987')) },
  { name: 'digits that change places', edit: rewrite((text) => text.replace(/\b1(\d)(\d)\b/, '$2$11')) },
  { name: 'a link in a sentence', edit: rewrite((text) => text.replace('stands', '<a href="/stands">stands</a>')) },
  { name: 'a sentence more', edit: rewrite((text) => `${text} It was a surprise to everybody in the house.`) },
  {
    name: 'a table cell',
    edit(page, random) {
      const section = sectionOf(page, 3)
      const row = section.table?.[1 + random(5)]
      if (row) row[1] = '$7.77'
      return [['edited', 'row', section.heading]]
    },
  },
  {
    name: 'a table row more',
    edit(page, random) {
      const section = sectionOf(page, 3)
      section.table?.splice(1 + random(5), 0, ['A quite different thing', '$1.00', '3'])
      return [['added', 'row', section.heading]]
    },
  },
  {
    name: 'a reordered list',
    edit(page, random) {
      const section = sectionOf(page, 1)
      const items = section.list?.items ?? []
      items.unshift(...items.splice(2 + random(3), 1))
      return [['moved', 'item', section.heading]]
    },
  },
  {
    name: 'an item less',
    edit(page, random) {
      const section = sectionOf(page, 1)
      section.list?.items.splice(random(5), 1)
      return [['removed', 'item', section.heading]]
    },
  },
  {
    name: 'a step put into a numbered list',
    edit(page, random) {
      const section = sectionOf(page, 2)
      section.list?.items.splice(random(4), 0, 'Wait for quite some while')
      return [['added', 'item', section.heading]]
    },
  },
  {
    name: 'a moved section',
    edit(page) {
      const [moved] = page.sections.splice(0, 1)
      if (!moved) return []
      page.sections.splice(4, 0, moved)
      return [
        ['moved', 'heading', page.title],
        ['moved', 'text', moved.heading],
        ['moved', 'text', moved.heading],
      ]
    },
  },
  {
    name: 'a section more',
    edit(page, random) {
      const heading = 'News of the week'
      page.sections.splice(1 + random(4), 0, { heading, paragraphs: ['Nobody had expected any of this at all.'] })
      return [
        ['added', 'heading', page.title],
        ['added', 'text', heading],
      ]
    },
  },
  {
    name: 'a paragraph less',
    edit(page, random) {
      const section = sectionOf(page, random(page.sections.length))
      section.paragraphs.splice(random(2), 1)
      return [['removed', 'text', section.heading]]
    },
  },
  {
    name: 'a line of code',
    edit(page) {
      const section = sectionOf(page, 4)
      section.code = section.code?.replace("'light'", "'feather'") ?? ''
      return [['edited', 'code', section.heading]]
    },
  },
  {
    name: 'the indentation of code',
    edit(page) {
      const section = sectionOf(page, 4)
      section.code = section.code?.replace('  return', '      return') ?? ''
      return [['edited', 'code', section.heading]]
    },
  },
  {
    name: 'an advertisement in place of another',
    edit: silently((page) => (page.volatile.advertisement = 'balloons')),
  },
  { name: 'the time of the last update', edit: silently((page) => (page.volatile.updated = '19 November 2026')) },
  {
    name: 'a counter, and how long ago something was',
    edit: silently((page) => Object.assign(page.volatile, { views: '10,431', age: '2 hours' })),
  },
  { name: 'a token in a URL', edit: silently((page) => (page.volatile.token = '00ffee11dd22cc33bb44aa5599668877')) },
  { name: 'white space', edit: silently((page) => (page.space = '\n\n    \t\n')), isDropped: true },
]

let serial = 0

/** Change statuses and blocks of a page scraped twice, with an edit in between. */
async function follow(seed: number, { edit, isDropped = false }: Scenario) {
  const page = makePage(seed)
  const url = `https://pages.test/${serial++}`
  const scrape = async () => {
    const options = { formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }] } as const
    return await engine.parse({ body: writePage(page), url }, options)
  }
  const before = await scrape()
  expect(before.changeTracking?.changeStatus).toBe('new')
  const [html, expected] = [writePage(page), edit(page, makeRandom(seed))]
  const { changeTracking, markdown } = await scrape()
  const { changeStatus, diff } = changeTracking ?? {}
  // Ignored edits are in the text as well.
  expect(writePage(page)).not.toBe(html)
  expect(markdown === before.markdown).toBe(isDropped)
  const told = (diff?.blocks ?? []).map(({ change, kind, headings }) => [change, kind, headings.at(-1)])
  return { expected, changeStatus, told, diff }
}

describe.each(scenarios)('$name', (scenario) => {
  it.each([1, 20, 300])('is reported as the edit that was made (seed %i)', async (seed) => {
    const { expected, changeStatus, told, diff } = await follow(seed, scenario)
    expect(changeStatus).toBe(expected.length === 0 ? 'same' : 'changed')
    expect(told).toEqual(expected)
    expect(diff === undefined).toBe(expected.length === 0)
  })
})

it('there are twenty edit scenarios', () => expect(scenarios).toHaveLength(20))
