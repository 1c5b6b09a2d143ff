import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { findCollection } from '../../benchmarks/quality/collection.js'
import { createEngine } from '../../src/index.js'

const found = findCollection(fileURLToPath(new URL('../../', import.meta.url)))
const missing = 'missing' in found ? found.missing : undefined

/** A page of the collection with the texts that a reader wants of it. */
interface Page {
  readonly id: string
  readonly url?: string
  readonly html: string
  readonly wants?: readonly string[]
  readonly want?: readonly string[]
}

/** What the collection's scorers export, as far as it is used here. */
interface Scorers {
  loadSet(folder: string, set: string, half: string): Page[]
  squeeze(text: string): object
  places(text: object, want: string): unknown[]
  markdownToText(markdown: string): string
}

const loadScorers = async (folder: string): Promise<Scorers> => {
  const modules = ['lib/archive.mjs', 'lib/text.mjs', 'wants.mjs'].map(
    async (file) => (await import(/* @vite-ignore */ pathToFileURL(`${folder}/${file}`).href)) as object,
  )
  return Object.assign({}, ...(await Promise.all(modules))) as Scorers
}

/**
 * Texts that structured data still takes away, by page: 10. The model reads what a page states as the whole of its text. To take the higher of
 * its predictions with and without that on every page left 6 of 17, and lowered F1 of AEB from .975 to .972; to read nothing
 * but `articleBody` left 1, and lowered AEB to .973, products of WCXB from .879 to .876. The list may only become shorter.
 */
const KNOWN: ReadonlyMap<string, number> = new Map([
  ['wcxb/0196', 1],
  ['wcxb/0649', 4],
  ['wcxb/0704', 1],
  ['wcxb/0718', 1],
  ['wcxb/3026', 1],
  ['wcxb/3060', 1],
  ['wcxb/5572', 1],
])

/** Takes the statements out of a page: JSON-LD, and the attributes of microdata. */
const withoutStatements = (html: string): string =>
  html
    .replaceAll(/<script\b[^>]*application\/ld\+json[^>]*>[\s\S]*?<\/script\s*>/gi, '')
    .replaceAll(/\s(?:itemscope|itemprop|itemtype|itemid|itemref)(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?/gi, '')

test.skipIf(missing)(
  `What a page states in structured data takes no more of its wanted texts away than it did${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  { timeout: 900_000 },
  async () => {
    if ('missing' in found) return
    const { loadSet, squeeze, places, markdownToText } = await loadScorers(found.folder)
    await using engine = createEngine({ threads: 0 })
    const read = async (body: string, url: string): Promise<object> =>
      squeeze(markdownToText((await engine.parse({ body, url })).markdown ?? ''))
    const lost: string[] = []
    let pages = 0
    for (const set of ['recipes', 'courts', 'products', 'events', 'wcxb', 'traf', 'wcxb2'])
      for (const page of loadSet(`${found.folder}/data`, set, 'all')) {
        const { html } = page
        const bare = withoutStatements(html)
        const wants = page.wants ?? page.want ?? []
        if (bare === html || wants.length === 0) continue
        pages += 1
        const url = /^https?:/i.test(page.url ?? '') ? (page.url ?? '').trim() : 'https://example.com/'
        const [stated, unstated] = [await read(html, url), await read(bare, url)]
        const own: string[] = []
        for (const want of wants)
          if (places(stated, want).length === 0 && places(unstated, want).length > 0)
            own.push(`${set}/${page.id}: ${want.slice(0, 80)}`)
        if (own.length > (KNOWN.get(`${set}/${page.id}`) ?? 0)) lost.push(...own)
      }
    expect(pages).toBeGreaterThan(500)
    expect(lost, lost.join('\n')).toEqual([])
  },
)
