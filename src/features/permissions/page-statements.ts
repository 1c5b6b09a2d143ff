import { readRobotsHeader, readRobotsMeta } from '../../base/http/robots-directives.js'
import { resolveWebUrl } from '../../base/url.js'
import { listLinks } from '../../base/http/link-header.js'
import { type RankedStatement, shortenStatement, type StatedUses, type Use } from './permissions.js'
import { addVerdict, readContentSignal, readContentUsage } from './read-signals.js'

/** A licence that a page links to. */
interface LicenseLink {
  readonly url: string
  /** Media type that the link names; empty without one. */
  readonly type: string
}

/** Facts in which a page states something about its use. */
interface StatedFacts {
  /** URL after redirects. */
  readonly url: string
  /** Headers with names in lower case; repeated ones are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The page's meta tags by name. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** Links of the page with `rel="license"`. */
  readonly licenses?: readonly LicenseLink[]
  /** Product token of this crawler. */
  readonly agent: string
}

/** Media type of licence files. @see RSL 1.0 section 4 */
export const RSL_TYPE = 'application/rsl+xml'

/** Maximum licences of one header, and maximum licence links of a page, that become statements. */
const MAX_LICENSES = 20

/** Reads what a page states about its use in its headers, its meta tags and its links. */
export function readPageStatements(facts: StatedFacts): RankedStatement[] {
  return [
    ...readHeaders(facts),
    ...readMetaTags(facts),
    ...(facts.headers['tdm-reservation'] === undefined ? [] : readTdmHeader(facts, facts.headers['tdm-reservation'])),
    ...listLicenses(facts)
      .filter(({ type }) => type !== RSL_TYPE)
      .map(describeLicense),
  ]
}

/** A licence of a page, and where it is named. */
export interface FoundLicense extends LicenseLink {
  readonly source: 'header' | 'link'
  readonly where: string
}

/**
 * Lists the licences that a page names in its `Link` header and in its links, each URL once. What is no web URL, or longer than
 * one may be, is left out: documents have these URLs.
 */
export function listLicenses({ url, headers, licenses = [] }: StatedFacts): FoundLicense[] {
  const found = new Map<string, FoundLicense>()
  const { link: header } = headers
  const inHeader = (header === undefined ? [] : readLicenseHeader(header)).flatMap(({ target, type }) => {
    const resolved = resolveWebUrl(target, url)
    return resolved ? [{ url: resolved.href, type }] : []
  })
  for (const link of inHeader) found.set(link.url, { ...link, source: 'header', where: 'header `link`' })
  for (const link of licenses.slice(0, MAX_LICENSES)) {
    const isUsable = resolveWebUrl(link.url) !== undefined
    if (isUsable && !found.has(link.url))
      found.set(link.url, { ...link, source: 'link', where: 'link `license` of the page' })
  }
  return [...found.values()]
}

/** Reads the licences in a `Link` header. @see RFC 8288; RSL 1.0 section 4 */
function readLicenseHeader(header: string): { readonly target: string; readonly type: string }[] {
  const licenses = []
  for (const { target, names, params } of listLinks(header)) {
    if (!names.includes('license')) continue
    const type = /;\s*type\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params)
    licenses.push({ target, type: (type?.[1] ?? type?.[2] ?? '').trim().toLowerCase() })
    if (licenses.length === MAX_LICENSES) break
  }
  return licenses
}

const describeLicense = ({ url, source, where }: FoundLicense): RankedStatement => ({
  source,
  protocol: 'rel-license',
  where,
  text: shortenStatement(url),
  says: {},
  license: url,
})

/** Headers that state something, with their readers. */
const HEADERS: readonly (readonly [
  name: string,
  protocol: RankedStatement['protocol'],
  read: (text: string, agent: string) => StatedUses,
])[] = [
  ['content-signal', 'content-signals', readContentSignal],
  ['content-usage', 'aipref', readContentUsage],
  ['x-robots-tag', 'robots-directives', (text, agent) => readDirectives(readRobotsHeader(text, agent))],
]

function readHeaders({ headers, agent }: StatedFacts): RankedStatement[] {
  const statements: RankedStatement[] = []
  for (const [name, protocol, read] of HEADERS) {
    const text = headers[name]
    const says = text === undefined ? {} : read(text, agent)
    if (text === undefined || Object.keys(says).length === 0) continue
    statements.push({ source: 'header', protocol, where: `header \`${name}\``, text: shortenStatement(text), says })
  }
  return statements
}

/**
 * Uses that directives deny. They grant nothing: their absence has no meaning.
 *
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag: `noindex`, `none`, `nosnippet`
 * @see https://blogs.bing.com/webmaster/september-2023/Announcing-new-options-for-webmasters-to-control-usage-of-their-content-in-Bing-Chat
 * @see https://www.deviantart.com/team/journal/UPDATE-All-Deviations-Are-Opted-Out-of-AI-Datasets-934500371: `noai`, `noimageai`
 */
const DENIED: ReadonlyMap<string, readonly Use[]> = new Map<string, readonly Use[]>([
  ['noindex', ['search']],
  ['none', ['search']],
  ['nosnippet', ['ai-input']],
  ['max-snippet:0', ['ai-input']],
  ['noarchive', ['ai-input', 'ai-train']],
  // Of such a page, only title and snippet are for answers and for training.
  ['nocache', ['ai-train']],
  ['noai', ['ai-train']],
  ['noimageai', ['ai-train']],
])

function readDirectives(directives: readonly string[]): StatedUses {
  const says: Partial<Record<Use, 'granted' | 'denied'>> = {}
  for (const [index, written] of directives.entries()) {
    // `max-snippet: 0` has a blank that splits it.
    const directive = written === 'max-snippet:' ? `${written}${directives[index + 1] ?? ''}` : written
    // A page with both is treated as one with `nocache`.
    if (directive === 'noarchive' && directives.includes('nocache')) continue
    for (const use of DENIED.get(directive) ?? []) addVerdict(says, use, 'denied')
  }
  return says
}

const textsOf = (value: unknown): string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && text !== '')

function readMetaTags({ url, metadata, agent }: StatedFacts): RankedStatement[] {
  const statements: RankedStatement[] = []
  const policies: string[] = []
  const reservations: string[] = []
  for (const [written, value] of Object.entries(metadata)) {
    const name = written.toLowerCase()
    if (name === 'tdm-policy') policies.push(...textsOf(value))
    else if (name === 'tdm-reservation') reservations.push(...textsOf(value))
  }
  for (const { name, text, directives } of readRobotsMeta(metadata, agent)) {
    const says = readDirectives(directives)
    if (Object.keys(says).length === 0) continue
    const where = `meta \`${name}\``
    statements.push({ source: 'meta', protocol: 'robots-directives', where, text: shortenStatement(text), says })
  }
  const tdm = reservations.length > 0 ? describeReservation(reservations, policies[0], url) : undefined
  return tdm ? [...statements, { source: 'meta', where: 'meta `tdm-reservation`', ...tdm }] : statements
}

function readTdmHeader({ url, headers }: StatedFacts, written: string): RankedStatement[] {
  const tdm = describeReservation(written.slice(0, 100).split(','), headers['tdm-policy'], url)
  return tdm ? [{ source: 'header', where: 'header `tdm-reservation`', ...tdm }] : []
}

/**
 * Describes a reservation of text and data mining: 1 denies `ai-input` and `ai-train`, 0 grants both. It says nothing about
 * `search`.
 *
 * @param values the values as written; other values than 0 and 1, and several that differ, are protocol errors
 * @returns undefined for a protocol error, because the reservation is then unset
 * @see https://w3c.github.io/tdm-reservation-protocol/spec/ section "tdm-reservation"
 */
export function describeReservation(
  values: readonly string[],
  policy: string | undefined,
  base: string,
): Pick<RankedStatement, 'protocol' | 'text' | 'says' | 'license'> | undefined {
  const [value, ...others] = new Set(values.map((one) => one.trim()))
  if (others.length > 0 || (value !== '0' && value !== '1')) return undefined
  const verdict = value === '1' ? 'denied' : 'granted'
  // With 0, a policy is not to be processed.
  const license = value === '1' && policy !== undefined ? resolveWebUrl(policy, base) : undefined
  const named = license?.href
  return {
    protocol: 'tdmrep',
    text: shortenStatement(`tdm-reservation: ${value}${named === undefined ? '' : `; tdm-policy: ${named}`}`),
    says: { 'ai-input': verdict, 'ai-train': verdict },
    license: named,
  }
}
