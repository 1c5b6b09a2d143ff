import { Readability } from '@mozilla/readability'
import { load } from 'cheerio'
import { parseHTML } from 'linkedom'
import { createEngine } from 'trawl'
import TurndownService from 'turndown'
import { digest } from '../../src/content/digest/digest.js'
import { digestParts } from '../../src/features/digest-parts.js'
import { planEngine } from '../../src/kernel/plan/plan-engine.js'
import { planScrape } from '../../src/kernel/plan/scrape/plan-scrape.js'

/** A page to measure. */
export interface BenchPage {
  readonly url: string
  readonly html: string
}

/** Converts a page. An empty result means that nothing was found. */
export type ReadPage = (page: BenchPage) => Promise<string> | string

/** Compared libraries, each with a function that creates its reader. The first one is the reference for the others. */
export const sides = {
  trawl: () => {
    const engine = createEngine({ threads: 0 })
    return async ({ url, html }: BenchPage) => (await engine.parse({ url, body: html })).markdown
  },
  'trawl, as in the threads of a crawl': () => {
    // Without what the caller of `parse()` waits for: a check of its options, pauses, and a document.
    const plan = planScrape({ formats: ['markdown', 'links'] }, planEngine({}), true).digest
    const drop = { feature: 'boilerplate', learnt: [] }
    return ({ url, html }: BenchPage) =>
      digest({ url, body: Buffer.from(html), contentType: 'text/html' }, { ...plan, drop }, { parts: digestParts })
        .fields.markdown ?? ''
  },
  'Readability over linkedom + Turndown': () => {
    const turndown = new TurndownService()
    return ({ html }: BenchPage) => turndown.turndown(new Readability(parseHTML(html).document).parse()?.content ?? '')
  },
  'cheerio.load alone': () => {
    // Only the tree is made: reading its text would be additional work.
    return ({ html }: BenchPage) => (load(html).root().children().length > 0 ? html : '')
  },
} satisfies Record<string, () => ReadPage>

export type Side = keyof typeof sides
export const sideNames = Object.keys(sides) as Side[]
