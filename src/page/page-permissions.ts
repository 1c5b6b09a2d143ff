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
import type { SitePolicies } from '../frontier/policies/site-policies.js'
import { isSuccessStatus } from '../http/statuses.js'
import { ROBOTS_AGENT } from '../plan/crawl/plan-crawl.js'
import type { ScrapePlan } from '../plan/scrape-plan.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'

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

/**
 * Finds what a page's site permits: by the page, its headers, and the site's files as far as they are known. With `use`, files
 * are requested, but not with `lockdown`.
 *
 * @throws TrawlError if robots.txt cannot be read with `use`; the signal's reason
 */
export async function findPermissions(
  { plan, tools, deadline }: Pick<PageContext, 'plan' | 'tools' | 'deadline'>,
  { page }: ObtainedPage,
  digest: Digest,
): Promise<PagePermissions> {
  const { use = [] } = plan.permissions ?? {}
  const site = await readSite(page.url, plan, tools.policies, deadline.signal)
  const { statements, licenses } = readPage(page, digest, plan)
  const url = new URL(page.url)
  const inline = await readInline(digest.licenses?.rsl ?? [], url, tools.policies)
  const files = mayRequest(plan) ? licenses.slice(0, MAX_FILES) : []
  const linked: RankedStatement[] = []
  for (const license of files) {
    const origin = { url: license.url, where: `${license.url} (${license.where})`, rank: rankOf(license) }
    linked.push(...(await tools.policies.readLicense(origin, url, deadline.signal)))
  }
  const unread = mayRequest(plan) ? [] : licenses.map(describeUnread)
  const permissions = decidePermissions([...site, ...statements, ...inline, ...linked, ...unread])
  // An error page is not what the site's preferences are about.
  const denial = isSuccessStatus(page.statusCode) ? describeDenial(permissions, use) : undefined
  return { permissions, ...(denial !== undefined && { denial }) }
}

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
const agentOf = ({ permissions }: ScrapePlan): string => permissions?.agent ?? ROBOTS_AGENT

const mayRequest = ({ permissions, cache }: ScrapePlan): boolean =>
  permissions?.use !== undefined && cache.lockdown !== true

const readSite = async (
  url: string,
  plan: ScrapePlan,
  policies: SitePolicies,
  signal: AbortSignal,
): Promise<readonly RankedStatement[]> => {
  const agent = agentOf(plan)
  return mayRequest(plan) ? await policies.read(new URL(url), agent, signal) : await policies.known(new URL(url), agent)
}

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
    licenses: digest.licenses?.links.filter(({ url }) => url !== ''),
    agent: agentOf(plan),
  }
  const licenses = listLicenses(facts).filter(({ type }) => type === RSL_TYPE)
  return { statements: readPageStatements(facts), licenses }
}

const rankOf = ({ source }: FoundLicense): number => (source === 'header' ? 1 : 2)

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
  signal: AbortSignal,
): Promise<string | undefined> {
  const use = plan.permissions?.use
  if (!use) return undefined
  return describeDenial(decidePermissions(await readSite(url, plan, policies, signal)), use)
}

/**
 * Finds the reason why an answer without a page of its own must not be used, such as a 304, an image or the answer of an API:
 * one of the uses of the plan is denied by its headers, or by the files of its site. Undefined without `use`.
 *
 * @throws TrawlError if robots.txt cannot be read; the signal's reason
 */
export async function findAnswerDenial(
  { plan, tools }: Pick<PageContext, 'plan' | 'tools'>,
  { page }: Pick<ObtainedPage, 'page'>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const use = plan.permissions?.use
  if (!use) return undefined
  const site = await readSite(page.url, plan, tools.policies, signal)
  const { statements } = readPage(page, { metadata: {} }, plan)
  return describeDenial(decidePermissions([...site, ...statements]), use)
}

/** Creates the error of a page whose use is denied. */
export const notPermitted = (denial: string, url: string): TrawlError =>
  new TrawlError('SCRAPE_NOT_PERMITTED', denial, { url })
