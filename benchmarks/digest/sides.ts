import { Readability } from '@mozilla/readability'
import { load } from 'cheerio'
import { parseHTML } from 'linkedom'
import { createEngine } from 'trawl'
import TurndownService from 'turndown'

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
