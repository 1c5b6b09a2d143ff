import { messageOf } from '../../errors.js'
import type { UsageMeter } from '../../fetch/fetcher.js'
import { allowUnrequested, type RobotsFailure, type RobotsVerdict } from '../../frontier/robots/robots.js'
import { pageKey } from '../../frontier/duplicates/same-page.js'
import { refuse, type ScopePlan } from '../../frontier/scope/scope.js'
import { discoverSitemaps } from '../../frontier/sitemap/sitemap.js'
import { deriveTemplate } from '../../frontier/duplicates/url-template.js'
import type { UrlCandidate } from '../../ledger/ledger.js'
import type { ScrapedPage } from '../../page/pipeline.js'
import type { CrawlPlan } from '../../plan/crawl-plan.js'
import { childScope, isSameHost, withoutFragment } from '../../url.js'
import { LinkJudge } from './crawl-links.js'
import { refuseByLine } from './describe-verdict.js'
import { yieldIfHeld } from '../../concurrency/yield-turn.js'
import type { JobTools } from '../job-tools.js'
import { rebaseScope } from './rebase-scope.js'

/** A URL that a survey came to know, and what a crawl would do with it. */
export type SurveyedUrl = Omit<UrlCandidate, 'place'> & {
  /** Set when the robots.txt of its site could not be read, so that it would fail. */
  readonly failure?: RobotsFailure
}

/** What there is to know about a site without scraping it. */
export interface Survey {
  readonly scope: ScopePlan
  /** The start URL, then what the sitemaps name, then what the pages looked at link to; each page once. */
  readonly urls: readonly SurveyedUrl[]
  readonly robots: RobotsVerdict
  /** The start page, when one came. */
  readonly startPage: ScrapedPage | undefined
  /** What could not be read. */
  readonly problems: readonly string[]
}

/** How far a survey goes. */
export interface SurveyLimits {
  /** URLs of sitemaps that are read. */
  readonly sitemapUrls: number
  /** Pages looked at, the start page among them, no two of one template while there are others. */
  readonly pages: number
}

/**
 * Looks at a site as a crawl with this plan would find it: robots.txt, sitemaps, the start page and a few more.
 *
 * @param meter told of what that takes up
 */
export async function surveySite(
  plan: CrawlPlan,
  tools: Pick<JobTools, 'scrape' | 'robots' | 'getFile'>,
  limits: SurveyLimits,
  signal: AbortSignal,
  meter?: UsageMeter,
): Promise<Survey> {
  let { scope } = plan
  const known = new Map<string, SurveyedUrl>()
  const problems: string[] = []
  const links = new LinkJudge()
  const start = withoutFragment(new URL(plan.start))
  const add = (found: SurveyedUrl): void => {
    const before = known.get(found.key)
    if (!before || (before.refused && !found.refused)) known.set(found.key, found)
  }

  async function look(url: string, depth: number, order: number): Promise<ScrapedPage | undefined> {
    try {
      const page = await tools.scrape({ url, sourceURL: url, ...(meter && { meter }) }, plan.page, signal)
      const finalUrl = new URL(page.document.metadata.url)
      if (order === 0 && !isSameHost(finalUrl, start)) scope = rebaseScope(scope, finalUrl)
      const rules = { scope, obeyMeta: plan.robots.obeyMeta }
      if (plan.sitemap === 'only') return page
      for (const some of links.judge({ url, depth, order }, page, rules)) {
        for (const link of some) add(link)
        await yieldIfHeld()
      }
      return page
    } catch (error) {
      signal.throwIfAborted()
      problems.push(messageOf(error))
      return undefined
    }
  }

  const isAlone = plan.page.cache.lockdown === true
  const robots = isAlone ? allowUnrequested(start) : await tools.robots.judge(start, plan.robots.agent, signal)
  const key = pageKey(start, scope)
  const refused = refuse({ url: start, via: 'seed', depth: 0 }, scope)
  add({ key, url: start.href, via: 'seed', depth: 0, ...(refused ? { refused } : {}) })
  // Where robots.txt cannot be had, the page itself tells what is wrong with the site.
  const isForbidden = plan.robots.obey && !robots.allowed && robots.why === 'rule'
  const startPage = isForbidden ? undefined : await look(start.href, 0, 0)
  if (plan.sitemap !== 'skip') await readSitemaps()
  const looked = new Set([key])
  for (let order = 1; order < limits.pages; order++) {
    const next = pickNext(known, looked)
    if (!next) break
    looked.add(next.key)
    await look(next.url, next.depth, order)
  }
  await askRobots()
  return { scope, urls: [...known.values()], robots, startPage, problems }

  async function readSitemaps(): Promise<void> {
    const base = new URL(scope.start)
    const findings = discoverSitemaps({
      start: base,
      scopePrefix: scope.crawlEntireDomain ? '/' : childScope(base),
      robotsSitemaps: await tools.robots.sitemapsOf(base.origin, signal),
      get: (url, fileSignal) => tools.getFile(url, plan.page.fetch, fileSignal, meter),
      signal,
    })
    let left = limits.sitemapUrls
    for await (const finding of findings) {
      if (finding.kind === 'problem') {
        if (!finding.isGuess) problems.push(`The sitemap ${finding.sitemap} ${finding.problem}.`)
      } else {
        const url = withoutFragment(new URL(finding.url))
        const against = refuse({ url, via: 'sitemap', depth: 0, from: base }, scope)
        const { from: foundOn, lastmod } = finding
        const facts = { ...(lastmod === undefined ? {} : { lastmod }), ...(against ? { refused: against } : {}) }
        add({ key: pageKey(url, scope), url: url.href, via: 'sitemap', depth: 0, foundOn, ...facts })
        left -= 1
        if (left === 0) break
        await yieldIfHeld()
      }
    }
  }

  async function askRobots(): Promise<void> {
    if (!plan.robots.obey) return
    for (const found of known.values()) {
      if (found.refused) continue
      await yieldIfHeld()
      const verdict = await tools.robots.judge(new URL(found.url), plan.robots.agent, signal)
      if (verdict.allowed) continue
      const { failure } = verdict
      const refusal = refuseByLine(verdict)
      known.set(found.key, failure ? { ...found, failure } : { ...found, refused: refusal })
      if (failure && !problems.includes(failure.message)) problems.push(failure.message)
    }
  }
}

/** The first URL of a template that was not looked at, else the first that was not looked at itself. */
function pickNext(known: ReadonlyMap<string, SurveyedUrl>, looked: ReadonlySet<string>): SurveyedUrl | undefined {
  const open = [...known.values()].filter(({ key, refused }) => !refused && !looked.has(key))
  const seen = new Set([...looked].map((key) => templateOf(known.get(key)?.url)))
  return open.find(({ url }) => !seen.has(templateOf(url))) ?? open[0]
}

const templateOf = (url: string | undefined): string =>
  url === undefined ? '' : (deriveTemplate(new URL(url)).names[0] ?? '')
