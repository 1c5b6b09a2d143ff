import { Readability } from '@mozilla/readability'
import { load } from 'cheerio'
import { parseHTML } from 'linkedom'
import { createEngine } from 'trawl'
import TurndownService from 'turndown'

/** A page to be read. */
export interface BenchPage {
  readonly url: string
  readonly html: string
}

/** Gives what it made of a page: its length tells whether anything came of it. */
export type ReadPage = (page: BenchPage) => Promise<string> | string

/** Ways of reading a page, each with the reader that it opens. The first is what the others are compared with. */
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
    // A tree is what comes of it; to ask for its text would be more work.
    return ({ html }: BenchPage) => (load(html).root().children().length > 0 ? html : '')
  },
} satisfies Record<string, () => ReadPage>

export type Side = keyof typeof sides
export const sideNames = Object.keys(sides) as Side[]
