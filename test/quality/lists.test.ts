import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findCollection } from '../../benchmarks/quality/collection.js'
import { extract } from '../../src/content/extract/extract.js'
import type { PageList } from '../../src/content/extract/list/page-list.js'
import { parseHtml } from '../content/parse/pages.js'
import { countCells, type EntryPositions, f1, noCounts } from './list-scores.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const found = findCollection(root)
const missing = 'missing' in found ? found.missing : undefined
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`
const entries = JSON.parse(readFileSync(join(root, 'test/fixtures/lists/entries.json'), 'utf8')) as Record<
  string,
  EntryPositions
>

/** A page of the collection. */
interface CollectedPage {
  readonly id: string
  readonly url: string | null
  readonly type: string
  readonly html: string
}

async function loadPages(): Promise<CollectedPage[]> {
  if ('missing' in found) return []
  const archive = (await import(pathToFileURL(join(found.folder, 'lib/archive.mjs')).href)) as {
    loadSet: (folder: string, set: string, half: string) => CollectedPage[]
  }
  const pages = archive.loadSet(join(found.folder, 'data'), 'wcxb', 'dev')
  return [...new Map(pages.map((page) => [page.id, page])).values()].filter(({ url }) => url !== null)
}

function readLists(page: CollectedPage): readonly PageList[] {
  const plan = { onlyMainContent: true, includeTags: [], excludeTags: [], fidelity: false, list: {} }
  return extract(parseHtml(page.html, {}, page.url ?? ''), plan).lists ?? []
}

/**
 * Articles and pages of documentation that show a list of things by a reader's judgement: events, courses, books,
 * recipes, cards of components, a table of fields.
 */
const SHOWING_A_LIST: ReadonlySet<string> = new Set(
  '0138 0154 0375 4020 4150 4362 4415 4843 5324 5373 5374 5375 5390 5570'.split(' '),
)

describe('the lists of the quality collection', () => {
  test.skipIf(missing)(
    `have titles and URLs with an F1 of .95, and other fields of .90${skipped}`,
    { timeout: 300_000 },
    async () => {
      const pages = new Map((await loadPages()).map((page) => [page.id, page]))
      const halves = [noCounts(), noCounts()] as const
      const all = noCounts()
      for (const [at, [id, positions]] of Object.entries(entries)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .entries()) {
        const page = pages.get(id)
        if (page === undefined) throw new Error(`page ${id} is not in the collection`)
        const { tree, baseUrl } = parseHtml(page.html, {}, page.url ?? '')
        const [list] = readLists(page)
        for (const counts of [halves[at % 2 === 0 ? 0 : 1], all])
          countCells(list, positions, { $: tree.$, baseUrl }, counts)
      }
      for (const [name, counts] of Object.entries({ developed: halves[0], unseen: halves[1], all }))
        console.log(
          `${name}: title ${f1(counts.title).toFixed(3)}, url ${f1(counts.url).toFixed(3)}, rest ${f1(counts.rest).toFixed(3)}`,
        )
      expect(f1(all.title)).toBeGreaterThanOrEqual(0.95)
      expect(f1(all.url)).toBeGreaterThanOrEqual(0.95)
      expect(f1(all.rest)).toBeGreaterThanOrEqual(0.9)
    },
  )

  test.skipIf(missing)(
    `are found on at most 2 % of 200 pages without a list${skipped}`,
    { timeout: 300_000 },
    async () => {
      const pages = (await loadPages()).filter(({ id }) => !SHOWING_A_LIST.has(id))
      const documentation = pages.filter(({ type }) => type === 'documentation')
      const articles = pages.filter(({ type }) => type === 'article').slice(0, 200 - documentation.length)
      const read = [...documentation, ...articles]
      expect(read).toHaveLength(200)
      const wrong = read.filter((page) => readLists(page).length > 0).map(({ id }) => id)
      console.log(`pages with a list that is none: ${wrong.join(', ')}`)
      expect(wrong.length).toBeLessThanOrEqual(4)
    },
  )
})
