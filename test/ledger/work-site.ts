import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlRequest, Document, Job, LedgerRow } from '../../src/index.js'
import type { Handler } from '../site/exchange.js'
import { pathOf } from '../job/crawl-site.js'

const FOLDERS = ['guide', 'news', 'shop']
const PAGES_OF_FOLDER = 14

/** Text of its own for each page, so that pages are no duplicates. */
const textOf = (name: string): string =>
  Array.from({ length: 40 }, (_, at) => `${name.replace(/\W/g, '')}${(at * 7) % 13} word${at}`).join(' ')

const banner = `<p>Subscribe to our weekly letter with the best offers of the whole season, sent every Friday morning.</p>`

const write = (name: string, links: readonly string[]): string =>
  `<!doctype html><title>${name}</title><body><main><h1>${name}</h1>${banner}<p>${textOf(name)}.</p>
   <p>${links.map((href) => `<a href="${href}">see ${href}</a>`).join(' ')}</p>
   <p>This text is at the end of each page of the folder, whatever the page is about, and it is always the same.</p></main>`

/** Requests of a site at the same time, by the site's own count. */
export interface SiteLoad {
  most(): number
  reset(): void
}

/**
 * A site with all that a crawl learns and decides: text that repeats, two copies of a page, a redirect to a page, an error
 * page, a page that fails at each first attempt, links out of scope.
 *
 * @param answerMs time of each answer
 */
export function createWorkSite(answerMs: number): { pages: Record<string, Handler>; load: SiteLoad; count: number } {
  let active = 0
  let most = 0
  const answer = (body: string, statusCode = 200): Handler => {
    return async ({ response }) => {
      most = Math.max(most, ++active)
      await sleep(answerMs)
      active -= 1
      response.statusCode = statusCode
      response.end(body)
    }
  }
  const pages: Record<string, Handler> = {}
  for (const folder of FOLDERS) {
    for (let at = 0; at < PAGES_OF_FOLDER; at += 1) {
      const links = [3 * at + 1, 3 * at + 2, 3 * at + 3].filter((to) => to < PAGES_OF_FOLDER)
      pages[`/${folder}/${at}`] = answer(
        write(
          `${folder} ${at}`,
          links.map((to) => `/${folder}/${to}`),
        ),
      )
    }
  }
  const starts = FOLDERS.map((folder) => `/${folder}/0`)
  pages['/'] = answer(
    write('start', [...starts, '/copy/1', '/copy/2', '/moved', '/gone', '/flaky', 'https://other.test/']),
  )
  pages['/copy/1'] = answer(write('copy', []))
  pages['/copy/2'] = answer(write('copy', []))
  pages['/gone'] = answer(write('gone', []), 404)
  pages['/moved'] = ({ response }) => {
    response.statusCode = 301
    response.setHeader('location', '/guide/2')
    response.end()
  }
  let attempts = 0
  pages['/flaky'] = (exchange) => {
    attempts += 1
    return answer(write('flaky', []), attempts % 2 === 1 ? 503 : 200)(exchange)
  }
  const load = { most: () => most, reset: () => void (most = 0) }
  return { pages, load, count: Object.keys(pages).length }
}

export const crawlOf = (url: string): CrawlRequest => ({ url, limit: 100, ignoreRobotsTxt: true, sitemap: 'skip' })

/** The documents and outcomes of a crawl, as they must be however many engines have worked for it. */
export async function resultsOf(job: Job<Document>): Promise<unknown> {
  const { data } = await job.finished()
  const rows: LedgerRow[] = []
  for await (const row of job.rows()) rows.push(row)
  return {
    documents: data.map(({ markdown, metadata: { url, statusCode, depth, title } }) => {
      // The site has another port in each test.
      const text = markdown?.replaceAll(new URL(url).origin, '')
      return [pathOf(url), statusCode, depth, title, text]
    }),
    // The order of the rows of one depth depends on the number of pages at once, in one engine as well.
    rows: rows
      .map(({ url, outcome, refusal, attempts }) => `${pathOf(url)} ${outcome} ${refusal?.reason} ${attempts.length}`)
      .toSorted(),
  }
}
