import { setTimeout as sleep } from 'node:timers/promises'
import type { CrawlRequest, Document, Job } from '../../../src/index.js'
import type { Handler } from '../../site/exchange.js'
import { pathOf } from '../../kernel/job/crawl-site.js'
import type { RequestGate } from './request-gate.js'

const FOLDERS = ['guide', 'news', 'shop']
const PAGES_OF_FOLDER = 8
/** `Crawl-delay` of the site's robots.txt. Milliseconds. */
export const CRAWL_DELAY_MS = 100

/** Text of its own for each page, so that pages are no duplicates. */
const textOf = (name: string): string =>
  Array.from({ length: 40 }, (_, at) => `${name.replace(/\W/g, '')}${(at * 7) % 13} word${at}`).join(' ')

const banner = `<p>Subscribe to our weekly letter with the best offers of the whole season, sent every Friday morning.</p>`

const write = (name: string, links: readonly string[]): string =>
  `<!doctype html><title>${name}</title><body><main><h1>${name}</h1>${banner}<p>${textOf(name)}.</p>
   <p>${links.map((href) => `<a href="${href}">see ${href}</a>`).join(' ')}</p>
   <p>This text is at the end of each page of the folder, whatever the page is about, and it is always the same.</p></main>`

/** A request, by the clock of the site. Milliseconds. */
interface Visit {
  readonly path: string
  readonly startMs: number
  readonly endMs: number
}

/** Requests of a site, by its own count. */
export interface SiteLoad {
  /** Maximum number of requests at the same time. */
  most(): number
  readonly visits: readonly Visit[]
  reset(): void
}

export interface WorkSite {
  readonly pages: Record<string, Handler>
  readonly load: SiteLoad
  readonly count: number
}

/**
 * A site with all that a crawl learns and decides: text that repeats, two copies of a page, a redirect to a page, an error
 * page, a page that fails at each first attempt, links out of scope. Below `/limits/` it has a page that asks for a pause.
 *
 * @param answerMs time of each answer
 * @param gate of its requests. @default none
 */
export function createWorkSite(answerMs: number, gate?: RequestGate): WorkSite {
  let active = 0
  let most = 0
  let visits: Visit[] = []
  const answer = (body: string, statusCode = 200): Handler => {
    return async ({ response, url }) => {
      most = Math.max(most, ++active)
      const startMs = performance.now()
      await gate?.pass()
      await sleep(answerMs)
      active -= 1
      visits.push({ path: url.pathname, startMs, endMs: performance.now() })
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
  const limited = ['1', '2', '3', '4', 'busy'].map((name) => `/limits/${name}`)
  pages['/limits/'] = answer(write('limits', limited))
  for (const path of limited) pages[path] = answer(write(path, []))
  pages['/limits/busy'] = (exchange) => {
    if (exchange.visits > 1) return answer(write('busy', []))(exchange)
    exchange.response.setHeader('retry-after', '1')
    return answer(write('busy', []), 429)(exchange)
  }
  pages['/robots.txt'] = ({ response }) => response.end(`User-agent: *\nCrawl-delay: ${CRAWL_DELAY_MS / 1000}`)
  let attempts = 0
  pages['/flaky'] = (exchange) => {
    attempts += 1
    return answer(write('flaky', []), attempts % 2 === 1 ? 503 : 200)(exchange)
  }
  const load: SiteLoad = {
    most: () => most,
    get visits() {
      return visits
    },
    reset() {
      most = 0
      visits = []
    },
  }
  return { pages, load, count: Object.keys(pages).filter((path) => !/limits|robots/.test(path)).length }
}

export const crawlOf = (url: string): CrawlRequest => ({ url, limit: 100, ignoreRobotsTxt: true, sitemap: 'skip' })

/** The documents of a crawl, as they must be however many engines have worked for it. */
export async function documentsOf(job: Job<Document>): Promise<unknown> {
  const { data } = await job.finished()
  const facts = data.map(({ markdown, metadata: { url, statusCode, depth, title } }) => {
    // The site has another port in each test.
    const text = markdown?.replaceAll(new URL(url).origin, '')
    return [pathOf(url), statusCode, depth, title, text]
  })
  // Documents are in the order in which they ended: one whose worker was lost comes later.
  return facts.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))
}

/** The documents and the outcome of each URL. */
export async function resultsOf(job: Job<Document>): Promise<unknown> {
  const documents = await documentsOf(job)
  const rows: string[] = []
  for await (const { url, outcome, refusal, attempts } of job.urls())
    rows.push(`${pathOf(url)} ${outcome} ${refusal?.reason} ${attempts.length}`)
  // The order of the rows of one depth depends on the number of pages at once, in one engine as well.
  return { documents, rows: rows.toSorted() }
}
