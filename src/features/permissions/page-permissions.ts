import { TrawlError } from '../errors.js'
import type { Digest } from '../digest/digest.js'
import {
  type FoundLicense,
  listLicenses,
  readPageStatements,
  RSL_TYPE,
} from '../frontier/permissions/page-statements.js'
import {
  decidePermissions,
  describeDenial,
  type Permissions,
  type RankedStatement,
} from '../frontier/permissions/permissions.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { PolicyBudget } from '../frontier/policies/policy-budget.js'
import type { NamedLicense, PolicySource, SitePolicies } from '../frontier/policies/site-policies.js'
import { isSuccessStatus } from '../http/statuses.js'
import { ROBOTS_AGENT } from '../plan/crawl/plan-crawl.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'
import type { ScrapeRequest } from './scrape-request.js'

/** Uses that a page's site permits, and the reason why the page must not be handed out. */
export interface PagePermissions {
  /** Undefined if nothing is stated. */
  readonly permissions: Permissions | undefined
  /** Set if the plan names a use that is denied. */
  readonly denial?: string
}

/** Maximum characters of the licences in one page to read, together. */
const MAX_INLINE_CHARACTERS = 65_536
/** Maximum licence files of one page to read. */
const MAX_FILES = 5

/** Facts about the permissions of a page that are known before it is digested. */
export interface SiteStatements {
  readonly statements: readonly RankedStatement[]
  /** Set if the plan names a use that the site's files, the headers of the answer, or licence files that these name deny. */
  readonly denial?: string
}

/**
 * Finds what the files of a page's site and the headers of its answer state, and whether they deny a use of the plan. With
 * `use`, files are requested, also those that a `Link` header names, but not with `lockdown`.
 *
 * @throws TrawlError if robots.txt cannot be read with `use`; the signal's reason
 */
export async function findSiteStatements(
  context: PermissionContext,
  { page }: Pick<ObtainedPage, 'page'>,
  signal = context.deadline.signal,
): Promise<SiteStatements> {
  const { plan, tools } = context
  const budget = context.request.policyBudget
  const statements = await lendPermit(context, readSite(page.url, plan, tools.policies, { signal, budget }), signal)
  const use = isSuccessStatus(page.statusCode) ? plan.permissions?.use : undefined
  if (!use) return { statements }
  const { statements: inHeaders, licenses } = readPage(page, { metadata: {} }, plan)
  const named = await readLicenses(context, page.url, licenses, signal)
  const denial = describeDenial(decidePermissions([...statements, ...inHeaders, ...named]), use)
  return { statements, ...(denial !== undefined && { denial }) }
}

type PermissionContext = Pick<PageContext, 'request' | 'plan' | 'tools' | 'deadline'>

/** Waits for files of sites without holding the slot of the page for long. */
function lendPermit<Result>(
  { request: { permit, clock }, plan }: PermissionContext,
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const mayTakeLong = permit !== undefined && sourceOf(plan, { signal }) !== 'cached'
  return mayTakeLong ? permit.wait(work, { signal, clock }) : work
}

/**
 * Finds what a page permits: by the page, its headers, and the site's files as far as they are known. With `use`, the licence
 * files that the page names are requested, but not with `lockdown`.
 *
 * @throws TrawlError if robots.txt cannot be read with `use`; the signal's reason
 */
export async function findPermissions(
  context: PermissionContext,
  { page }: Pick<ObtainedPage, 'page'>,
  digest: Digest,
  site: SiteStatements,
): Promise<PagePermissions> {
  const { plan, tools } = context
  const { use = [] } = plan.permissions ?? {}
  const { statements, licenses } = readPage(page, digest, plan)
  const texts = digest.licenses?.rsl ?? []
  const inline = texts.length === 0 ? [] : await readInline(texts, new URL(page.url), tools.policies)
  const linked = licenses.length === 0 ? [] : await readLicenses(context, page.url, licenses, context.deadline.signal)
  const permissions = decidePermissions([...site.statements, ...statements, ...inline, ...linked])
  // An error page is not what the site's preferences are about.
  const denial = isSuccessStatus(page.statusCode) ? describeDenial(permissions, use) : undefined
  return { permissions, ...(denial !== undefined && { denial }) }
}

/** Reads the first {@link MAX_FILES} licence files that a page names. */
async function readLicenses(
  context: PermissionContext,
  url: string,
  licenses: readonly FoundLicense[],
  signal: AbortSignal,
): Promise<readonly RankedStatement[]> {
  if (licenses.length === 0) return []
  const { plan, tools, request } = context
  const from = sourceOf(plan, { signal, budget: request.policyBudget })
  const page = new URL(url)
  const reading = Promise.all(
    licenses
      .slice(0, from === 'cached' ? undefined : MAX_FILES)
      .map((license) => tools.policies.readLicense(toNamed(license), page, from)),
  )
  return (await lendPermit(context, reading, signal)).flat()
}

const toNamed = ({ url, source, where }: FoundLicense): NamedLicense => ({ url, source, where, text: url })

/** Reads the licences that a page contains, the first {@link MAX_INLINE_CHARACTERS} characters of them. */
async function readInline(
  texts: readonly string[],
  page: URL,
  policies: SitePolicies,
): Promise<readonly RankedStatement[]> {
  const statements: RankedStatement[] = []
  const origin = { url: page.href, where: 'licence in the page', rank: 2 }
  let read = 0
  for (const text of texts) {
    read += text.length
    if (read > MAX_INLINE_CHARACTERS) {
      const problem = `not read: the licences in the page have more than ${MAX_INLINE_CHARACTERS} characters`
      return [...statements, { source: 'rsl', protocol: 'rsl', where: origin.where, text: problem, says: {} }]
    }
    statements.push(...(await policies.readInline(text, origin, page)))
  }
  return statements
}

/** Product token by which sites address this crawler, in robots.txt, headers and meta tags. */
/** Returns the name by which sites speak to this crawler. */
export const agentOf = ({ permissions }: ScrapePlan): string => permissions?.agent ?? ROBOTS_AGENT

/** Returns the source of the files of sites: without `use` and with `lockdown`, none is requested. */
const sourceOf = ({ permissions, cache }: ScrapePlan, wait: PolicyWait): PolicySource =>
  permissions?.use !== undefined && cache.lockdown !== true ? wait : 'cached'

/** Limits of the wait for files of sites. */
export interface PolicyWait {
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** Time of the page for policy files. @default that of each file */
  readonly budget?: PolicyBudget | undefined
}

/** Gives a page its time for policy files, unless it has one already. */
export const withPolicyBudget = (request: ScrapeRequest, { fetch, permissions }: ScrapePlan): ScrapeRequest =>
  request.policyBudget || !permissions?.use ? request : { ...request, policyBudget: new PolicyBudget(fetch.timeoutMs) }

const readSite = (
  url: string,
  plan: ScrapePlan,
  policies: SitePolicies,
  wait: PolicyWait,
): Promise<readonly RankedStatement[]> => policies.read(new URL(url), agentOf(plan), sourceOf(plan, wait))

/** Reads the statements of a page and its headers, and lists the licence files that it names. */
function readPage(
  page: ObtainedPage['page'],
  digest: Pick<Digest, 'metadata' | 'licenses'>,
  plan: ScrapePlan,
): { readonly statements: readonly RankedStatement[]; readonly licenses: readonly FoundLicense[] } {
  const facts = {
    url: page.url,
    headers: page.headers,
    metadata: digest.metadata,
    licenses: digest.licenses?.links,
    agent: agentOf(plan),
  }
  const licenses = listLicenses(facts).filter(({ type }) => type === RSL_TYPE)
  return { statements: readPageStatements(facts), licenses }
}

const describeUnread = (license: FoundLicense): RankedStatement => ({
  source: license.source,
  protocol: 'rsl',
  where: license.where,
  text: license.url.slice(0, 200),
  says: {},
  license: license.url,
})

/** Finds what a page that the caller supplied permits: only by itself. Sends no request. */
export function findGivenPermissions(page: ObtainedPage['page'], digest: Digest, plan: ScrapePlan): PagePermissions {
  const { statements, licenses } = readPage(page, digest, plan)
  const permissions = decidePermissions([...statements, ...licenses.map(describeUnread)])
  const denial = describeDenial(permissions, plan.permissions?.use ?? [])
  return { permissions, ...(denial !== undefined && { denial }) }
}

/**
 * Finds the reason why a page must not be requested: one of the uses of the plan is denied by robots.txt, `tdmrep.json` or a
 * licence file. Undefined without `use`.
 *
 * @throws TrawlError if robots.txt cannot be read; the signal's reason
 */
export async function findSiteDenial(
  url: string,
  plan: ScrapePlan,
  policies: SitePolicies,
  wait: PolicyWait,
): Promise<string | undefined> {
  const use = plan.permissions?.use
  if (!use) return undefined
  return describeDenial(decidePermissions(await readSite(url, plan, policies, wait)), use)
}

/**
 * Finds the reason why a further URL must not be requested for a page, as {@link findSiteDenial} does. The page lends its slot
 * meanwhile.
 *
 * @throws TrawlError if robots.txt cannot be read; the signal's reason
 */
export const findFurtherDenial = (
  context: PermissionContext,
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> =>
  lendPermit(
    context,
    findSiteDenial(url, context.plan, context.tools.policies, { signal, budget: context.request.policyBudget }),
    signal,
  )

/**
 * Finds the reason why an answer without a page of its own must not be used, such as a 304 or the answer of an API: one of the
 * uses of the plan is denied by its headers, or by the files of its site. Undefined without `use`.
 *
 * @param signal ends the reading. @default that of the page
 * @throws TrawlError if robots.txt cannot be read; the signal's reason
 */
export async function findAnswerDenial(
  context: PermissionContext,
  { page }: Pick<ObtainedPage, 'page'>,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (!context.plan.permissions?.use) return undefined
  // A 304 is about a page that was a success.
  const answer = page.statusCode === 304 ? { ...page, statusCode: 200 } : page
  return (await findSiteStatements(context, { page: answer }, signal)).denial
}

/**
 * Leaves out what the action `scrape` took of pages whose site denies a use of the plan: actions can lead to other pages.
 *
 * @returns the page, and a warning for each result that was left out
 * @throws TrawlError if robots.txt cannot be read; the signal's reason
 */
export async function withoutDeniedScrapes(
  context: PermissionContext,
  page: FetchedPage,
): Promise<{ readonly page: FetchedPage; readonly warnings: readonly string[] }> {
  const { plan, deadline } = context
  const { actions } = page
  if (!actions || actions.scrapes.length === 0 || !plan.permissions?.use) return { page, warnings: [] }
  const scrapes: typeof actions.scrapes = []
  const warnings: string[] = []
  for (const scrape of actions.scrapes) {
    const denial = await findFurtherDenial(context, scrape.url, deadline.signal)
    if (denial === undefined) scrapes.push(scrape)
    else warnings.push(`A result of the action \`scrape\` was left out, ${scrape.url}: ${denial}.`)
  }
  return { page: { ...page, actions: { ...actions, scrapes } }, warnings }
}

/** Creates the error of a page whose use is denied. */
export const notPermitted = (denial: string, url: string): TrawlError =>
  new TrawlError('SCRAPE_NOT_PERMITTED', denial, { url })
