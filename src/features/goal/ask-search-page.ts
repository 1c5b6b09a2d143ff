import { TrawlError } from '../../base/errors.js'
import { isSuccess } from '../../base/http/site-file.js'
import { isOnSite, type ScopePlan } from '../../kernel/frontier/scope/scope.js'
import { relate } from '../../kernel/frontier/scope/site-relation.js'
import type { SearchResult } from './search-answer.js'
import { fillTemplate } from './site-search/reading/search-template.js'
import { searchLimits, type SearchPage } from './site-search/search-page.js'
import type { CrawlPlan } from '../../kernel/plan/crawl-plan.js'
import type { JobContext } from '../../kernel/job/job-context.js'
import { readAnswerAside, readDescriptionAside } from './run-aside.js'
import type { CrawlGoal } from './crawl-goal.js'

/** Rules of the crawl, as they are when its site is asked. */
export interface SearchRules {
  readonly scope: ScopePlan
  readonly plan: CrawlPlan
}

/** Parts that a search for the goal of a crawl needs. */
interface SearchParts {
  readonly goal: CrawlGoal
  readonly rules: SearchRules
  readonly context: JobContext
  /** URLs that the page with the declaration links to. */
  readonly linked: ReadonlySet<string>
}

/** Result of asking the search pages that a page declares. */
interface AskedPages {
  /** True if a search page was requested. */
  readonly isAsked: boolean
  /** URL of the search page with these results. */
  readonly url?: string
  readonly results: readonly SearchResult[]
}

/** Tests for a search page, or its description, on the site of the crawl. */
export function isOfSite(address: string, { scope }: SearchRules): boolean {
  const url = fillTemplate(address, 'a')
  return url !== undefined && isOnSite(relate(url, new URL(scope.start)), scope)
}

/**
 * Asks the first search page that robots.txt allows: for all words of the goal, and if that finds nothing, for fewer. A page that gives
 * no web page is passed over for the next one.
 *
 * @throws TrawlError for a request without an answer
 */
export async function askSearchPages(pages: readonly SearchPage[], parts: SearchParts): Promise<AskedPages> {
  let requests = 0
  for (const page of pages) {
    if (requests >= searchLimits.requests) break
    const template = page.isDescription ? await readTemplateOf(page.url, parts) : page.url
    if (template === undefined || !isOfSite(template, parts.rules)) continue
    for (const query of parts.goal.queries) {
      const url = fillTemplate(template, query)
      if (requests >= searchLimits.requests || !url || !(await isAllowed(url, parts))) break
      requests += 1
      const results = await ask(url, query, parts)
      if (results === undefined) break
      if (results.length > 0) return { isAsked: true, url: url.href, results }
    }
  }
  return { isAsked: requests > 0, results: [] }
}

async function isAllowed(url: URL, { rules, context: { tools, signal } }: SearchParts): Promise<boolean> {
  const { robots } = rules.plan
  return !robots.obey || (await tools.robots.judge(url, robots.agent, signal)).allowed
}

async function readTemplateOf(url: string, parts: SearchParts): Promise<string | undefined> {
  const { rules, context } = parts
  if (!(await isAllowed(new URL(url), parts))) return undefined
  const file = await context.getFile(url, context.signal, searchLimits.descriptionBytes).catch((error: unknown) => {
    // The form of the page may serve as well.
    context.signal.throwIfAborted()
    if (error instanceof TrawlError) return undefined
    throw error
  })
  if (!file || !isSuccess(file)) return undefined
  const { parse } = rules.plan.page.digest
  return readDescriptionAside({ url: file.url, body: file.body, parse }, context.tools, context.signal)
}

/** @returns the results, none where they have no word of the goal; undefined where the answer is not a web page */
async function ask(
  asked: URL,
  query: string,
  { goal, rules, context, linked }: SearchParts,
): Promise<readonly SearchResult[] | undefined> {
  const { tools, getFile, signal } = context
  const { scope, plan } = rules
  const file = await getFile(asked.href, signal, searchLimits.bytes)
  const isHtml = /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(file.contentType ?? 'text/html')
  const site = new URL(scope.start)
  if (!isSuccess(file) || !isHtml || !isOnSite(relate(new URL(file.url), site), scope)) return undefined
  const robotsHeader = file.headers?.['x-robots-tag']
  const answer = await readAnswerAside(
    {
      url: file.url,
      body: file.body,
      contentType: file.contentType,
      robotsHeader,
      asked: asked.href,
      query,
      terms: goal.terms,
      parse: plan.page.digest.parse,
      agent: plan.robots.agent,
    },
    tools,
    signal,
  )
  if (typeof answer === 'string') throw new Error(answer)
  if (answer === undefined) throw new Error('reading it took too much time or memory')
  if (plan.robots.obeyMeta && answer.isNofollow) return []
  const results = answer.results.filter(
    ({ url, textSet, nofollow }) =>
      isOnSite(relate(new URL(url), site), scope) &&
      !(plan.robots.obeyMeta && nofollow) &&
      // A link of the menu that other pages have as well.
      !(textSet === 0 && linked.has(url)),
  )
  // A page that finds nothing may suggest others. They have no word of the goal.
  return results.some(({ textSet }) => textSet !== 0) ? results : []
}
