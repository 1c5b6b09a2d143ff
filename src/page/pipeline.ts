import { openDeadline } from '../concurrency/deadline.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { Spending } from '../llm/spending.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import { detectUnchanged } from '../snapshot/detect-unchanged.js'
import { assembleDocument } from './assemble-document.js'
import { digestPage } from './digest-page.js'
import type { Document } from './document.js'
import { enrichPage } from './enrich-page.js'
import { prepareLists } from './learnt-lists.js'
import { obtainPage, useGivenPage } from './obtain-page.js'
import type { PageTools } from './page-context.js'
import {
  findAnswerDenial,
  findGivenPermissions,
  findPermissions,
  findSiteStatements,
  notPermitted,
  withoutDeniedScrapes,
  withPolicyBudget,
} from './page-permissions.js'
import { openPageModel } from './page-model.js'
import { loadPrevious } from './page-snapshot.js'
import { rememberPage } from './remember-page.js'
import { type ScrapedPage, toDeniedPage, toScrapedPage, toUnchangedPage } from './scraped-page.js'
import type { ScrapeRequest } from './scrape-request.js'

export type { ScrapedPage }

/**
 * Scrapes one page: calls the stations in order.
 *
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function scrapePage(
  request: ScrapeRequest,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<ScrapedPage> {
  using deadline = openDeadline(request.url, plan.fetch.timeoutMs, signal)
  const page = { request: { ...withPolicyBudget(request, plan), clock: deadline.clock }, plan, tools, deadline }
  using model = openPageModel(page)
  using obtained = await obtainPage(page.request, plan, tools, deadline.signal)
  const { lastSeen } = request
  const check = lastSeen && (await detectUnchanged(obtained.page, lastSeen))
  if (check === 'fetch again') return await scrapePage(withoutValidators(request), plan, tools, signal)
  if (check && lastSeen) {
    const denied = await findAnswerDenial(page, obtained, deadline.signal)
    return toUnchangedPage(page, obtained, lastSeen, {
      ...check,
      ...(denied !== undefined && { notPermitted: denied }),
    })
  }

  const { permit } = request
  permit?.enter?.('digest')
  const previous = await loadPrevious(page)
  const site = await findSiteStatements(page, obtained)
  const digest = await digestPage(page, obtained, previous, site)
  const { permissions, denial } = await findPermissions(page, obtained, digest, site)
  if (denial !== undefined) return toDeniedPage(page, obtained, digest, { permissions, denial })
  if (digest.failure) throw digest.failure
  permit?.enter?.('enrich')
  const list = await tools.readWholeList(page, obtained, digest)
  const twin = await tools.readTwin(page, obtained, digest)
  const permitted = await withoutDeniedScrapes(page, obtained.page)
  const extras = await enrichPage(page, permitted.page, { digest, previous, model: model.model, list, mayFetch: true })
  const warnings = [...permitted.warnings, ...(await rememberPage(page, obtained, digest))]
  const learnt = await prepareLists(digest, plan.enrich)
  const results = { digest, list, twin, extras, model: model.usage, warnings, permissions, learnt }
  return toScrapedPage(page, obtained, results)
}

/**
 * Makes the document of a page that the caller supplied: calls the stations after fetching.
 *
 * @throws TrawlError what the stations throw; the signal's reason
 */
export async function parsePage(
  fetched: FetchedPage,
  plan: ScrapePlan,
  tools: PageTools,
  signal: AbortSignal,
): Promise<Document> {
  using deadline = openDeadline(fetched.url, plan.fetch.timeoutMs, signal)
  const request = { url: fetched.url, sourceURL: fetched.url, spending: new Spending(plan.enrich.budget) }
  const page = { request, plan, tools, deadline }
  using model = openPageModel(page)
  using given = useGivenPage(fetched)

  const previous = await loadPrevious(page)
  const digest = await digestPage(page, given, previous, {})
  const { permissions, denial } = findGivenPermissions(fetched, digest, plan)
  if (denial !== undefined) throw notPermitted(denial, fetched.url)
  const extras = await enrichPage(page, fetched, { digest, previous, model: model.model, mayFetch: false })
  const warnings = await rememberPage(page, given, digest)
  // The caller supplied the page: there are no proxies to pay for, and no facts of robots.txt to report.
  const parts = { digest, extras, model: model.usage, warnings, robotsFacts: {}, terms: {}, permissions }
  return assembleDocument(page, given, parts)
}

/**
 * Removes the validators from a request, because the site answered 304 for another URL, for example after a redirect.
 */
export const withoutValidators = (request: ScrapeRequest): ScrapeRequest => ({
  ...request,
  lastSeen: { bodyHash: request.lastSeen?.bodyHash ?? '' },
})
