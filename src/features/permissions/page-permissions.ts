import type { EngineInternals, FeatureSteps } from '../../kernel/engine/feature.js'
import { isSuccessStatus } from '../../base/http/statuses.js'
import type { Digest } from '../../content/digest/digest.js'
import type { FeaturePage, StepResult } from '../../kernel/page/feature-page.js'
import type { PageInternals } from '../../kernel/page/feature-steps.js'
import { agentOf } from '../../kernel/plan/crawl/plan-crawl.js'
import { type FoundLicense, listLicenses, readPageStatements, RSL_TYPE } from './page-statements.js'
import { decidePermissions, describeDenial, type Permissions, type RankedStatement, type Use } from './permissions.js'
import { PolicyBudget } from './policy-budget.js'
import { policyLimits } from './policy-limits.js'
import { createPreferenceReader } from './robots-preferences.js'
import { createSitePolicies, type NamedLicense, type PolicySource, type SitePolicies } from './site-policies.js'

/** Part of permissions in the plan of a page. */
export interface PermissionSlice {
  /** Uses that must not be denied; a page whose site denies one is not taken. @default none, and nothing is requested */
  readonly use?: readonly Use[]
}

/** Statements of the files of a site about a page. */
export type Statements = readonly RankedStatement[]

type Page = FeaturePage<PermissionSlice, Statements>

/** Maximum characters of the licences in one page to read, together. */
const MAX_INLINE_CHARACTERS = 65_536
/** Maximum licence files of one page to read. */
const MAX_FILES = 5

/** Opens the steps of an engine, which share the files of sites. */
export function openPermissions({
  robots,
  now,
  getFile,
}: EngineInternals): FeatureSteps<PermissionSlice, Permissions, Statements> {
  const { timeoutMs, fileBytes: maxBytes } = policyLimits
  const get = (url: string, signal: AbortSignal) => getFile(url, { timeoutMs, maxBytes }, signal)
  const reader = new PermissionReader(createSitePolicies({ get, robots: createPreferenceReader(robots), now }))
  return {
    refuse: async ({ url, slice, signal }, visit) => {
      const statements = await reader.readSite(url, slice, visit, signal)
      return describeDenial(decidePermissions(statements), slice.use ?? [])
    },
    beforeDigest: reader.readAnswer.bind(reader),
    afterDigest: (page, internals) => (page.isGiven ? readGiven(page, internals) : reader.readPage(page, internals)),
  }
}

/** The visit of a page for which files are requested. */
interface Visit {
  readonly plan: PageInternals['plan']
  readonly visit: object
}

/** Reads what sites state about their pages. */
class PermissionReader {
  readonly #policies: SitePolicies
  /** Time of the pages under way for policy files, by their visits. */
  readonly #budgets = new WeakMap<object, PolicyBudget>()

  constructor(policies: SitePolicies) {
    this.#policies = policies
  }

  /**
   * Reads the files of a site.
   *
   * @throws TrawlError if robots.txt cannot be read with `use`; the signal's reason
   */
  readSite(url: string, slice: PermissionSlice, internals: Visit, signal: AbortSignal): Promise<Statements> {
    return this.#policies.read(new URL(url), agentOf(internals.plan), this.#sourceOf(slice, internals, signal))
  }

  /**
   * Finds what the files of a page's site state. With `use`, files are requested, also those that a `Link` header names, but not
   * with `lockdown`.
   *
   * @returns refused if these, or the headers of the answer, deny a use: the page itself may overrule them
   */
  async readAnswer(page: Page, internals: PageInternals): Promise<StepResult<Statements>> {
    const { slice, finalUrl, statusCode, signal } = page
    const from = this.#sourceOf(slice, internals, signal)
    const reading = this.#policies.read(new URL(finalUrl), agentOf(internals.plan), from)
    const found = await (from === 'cached' ? reading : internals.lend(reading))
    const use = isSuccessStatus(statusCode) ? slice.use : undefined
    if (!use) return { found }
    const { statements, licenses } = readStatements(page, internals, undefined)
    const named = licenses.length === 0 ? [] : await this.#readLicenses(page, licenses, internals)
    return { found, refused: describeDenial(decidePermissions([...found, ...statements, ...named]), use) }
  }

  /**
   * Finds what a page permits: by the page, its headers, and the site's files as far as they are known. With `use`, the licence
   * files that the page names are requested, but not with `lockdown`.
   */
  async readPage(page: Page, internals: PageInternals): Promise<StepResult<Permissions>> {
    const { early = [], finalUrl, statusCode, slice } = page
    const { statements, licenses } = readStatements(page, internals, internals.digest?.licenses)
    const texts = internals.digest?.licenses?.rsl ?? []
    const inline = texts.length === 0 ? [] : await this.#readInline(texts, new URL(finalUrl))
    const linked = licenses.length === 0 ? [] : await this.#readLicenses(page, licenses, internals)
    const found = decidePermissions([...early, ...statements, ...inline, ...linked])
    // An error page is not what the site's preferences are about.
    return { found, refused: slice.use && isSuccessStatus(statusCode) ? describeDenial(found, slice.use) : undefined }
  }

  /** Reads the first {@link MAX_FILES} licence files that a page names. */
  async #readLicenses(
    { slice, finalUrl, signal }: Page,
    licenses: readonly FoundLicense[],
    internals: PageInternals,
  ): Promise<Statements> {
    const from = this.#sourceOf(slice, internals, signal)
    const url = new URL(finalUrl)
    const reading = Promise.all(
      licenses
        .slice(0, from === 'cached' ? undefined : MAX_FILES)
        .map((license) => this.#policies.readLicense(toNamed(license), url, from)),
    )
    return (await (from === 'cached' ? reading : internals.lend(reading))).flat()
  }

  /** Reads the licences that a page contains, the first {@link MAX_INLINE_CHARACTERS} characters of them. */
  async #readInline(texts: readonly string[], page: URL): Promise<Statements> {
    const statements: RankedStatement[] = []
    const origin = { url: page.href, where: 'licence in the page', rank: 2 }
    let read = 0
    for (const text of texts) {
      read += text.length
      if (read > MAX_INLINE_CHARACTERS) {
        const problem = `not read: the licences in the page have more than ${MAX_INLINE_CHARACTERS} characters`
        return [...statements, { source: 'rsl', protocol: 'rsl', where: origin.where, text: problem, says: {} }]
      }
      statements.push(...(await this.#policies.readInline(text, origin, page)))
    }
    return statements
  }

  /** Returns the source of the files of sites: without `use` and with `lockdown`, none is requested. */
  #sourceOf(slice: PermissionSlice, { plan, visit }: Visit, signal: AbortSignal): PolicySource {
    if (slice.use === undefined || plan.cache.lockdown === true) return 'cached'
    const budget = this.#budgets.get(visit) ?? new PolicyBudget(plan.fetch.timeoutMs)
    this.#budgets.set(visit, budget)
    return { signal, budget }
  }
}

const toNamed = ({ url, source, where }: FoundLicense): NamedLicense => ({ url, source, where, text: url })

/** Reads the statements of a page and its headers, and lists the licence files that it names. */
function readStatements(
  { finalUrl, headers, metadata }: Page,
  { plan }: PageInternals,
  licenses: Digest['licenses'],
): { readonly statements: Statements; readonly licenses: readonly FoundLicense[] } {
  const facts = { url: finalUrl, headers, metadata, licenses: licenses?.links, agent: agentOf(plan) }
  return {
    statements: readPageStatements(facts),
    licenses: listLicenses(facts).filter(({ type }) => type === RSL_TYPE),
  }
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
async function readGiven(page: Page, internals: PageInternals): Promise<StepResult<Permissions>> {
  const { statements, licenses } = readStatements(page, internals, internals.digest?.licenses)
  const found = decidePermissions([...statements, ...licenses.map(describeUnread)])
  return { found, refused: describeDenial(found, page.slice.use ?? []) }
}
