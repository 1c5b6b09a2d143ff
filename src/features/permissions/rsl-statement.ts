import { yieldIfHeld } from '../../base/concurrency/yield-turn.js'
import { type RankedStatement, shortenStatement, type Use, uses } from './permissions.js'
import { addVerdict } from './read-signals.js'
import { listTargets, matchesPattern, normalizePattern } from '../../content/robots/robots-pattern.js'
import { asksPayment, judgeLicense, type RslContent, type RslLicense, splitContentUrl } from './rsl-file.js'

/** Place where a licence file was found. */
export interface RslOrigin {
  /** URL of the file, or of the page that contains it. */
  readonly url: string
  /** The place in words, such as `https://example.com/license.xml`. */
  readonly where: string
  /** Precedence: 0 if robots.txt names the file, 1 for a header, 2 for the page itself. */
  readonly rank: number
}

/**
 * Finds what a licence file says about a page: by its most specific `<content>`. The licences of a content are offers: a use
 * that one of them grants for nothing is granted; else one that any denies is denied.
 *
 * @see RSL 1.0 sections 3.3 and 4.9
 */
export async function findRslStatement(
  contents: readonly RslContent[],
  origin: RslOrigin,
  page: URL,
): Promise<RankedStatement[]> {
  const content = await findContent(contents, origin, page)
  if (!content) return []
  const says: Partial<Record<Use, 'granted' | 'denied'>> = {}
  for (const use of uses) {
    const verdicts = new Set(content.licenses.map((license) => judgeLicense(license, use)))
    const isGranted = verdicts.has('granted')
    if (isGranted || verdicts.has('denied')) addVerdict(says, use, isGranted ? 'granted' : 'denied')
    // A licence of a server must be obtained first, even one that costs nothing.
    if (content.server !== undefined) addVerdict(says, use, 'denied')
  }
  const paid = content.licenses.find(asksPayment)
  const { url, where, rank } = origin
  return [
    {
      source: 'rsl',
      protocol: 'rsl',
      where,
      text: shortenStatement(describeContent(content)),
      says,
      license: url,
      price: paid && describePrice(paid),
      rank,
    },
  ]
}

/** Maximum characters of a price in documents and messages. */
const MAX_PRICE_CHARACTERS = 100

const describePrice = ({ amount, payment = '' }: RslLicense): string =>
  (amount === undefined ? payment : `${amount} (${payment})`).slice(0, MAX_PRICE_CHARACTERS)

async function findContent(
  contents: readonly RslContent[],
  origin: RslOrigin,
  page: URL,
): Promise<RslContent | undefined> {
  const targets = listTargets(page)
  let best: { readonly content: RslContent; readonly length: number } | undefined
  for (const content of contents) {
    await yieldIfHeld()
    const length = measureMatch(content.url, origin, page, targets)
    if (length !== undefined && length > (best?.length ?? -1)) best = { content, length }
  }
  return best?.content
}

/** Length of the pattern of a content that matches a page; undefined if it does not. */
function measureMatch(
  written: string,
  { url: base, rank }: RslOrigin,
  page: URL,
  targets: readonly string[],
): number | undefined {
  // Without a URL, a content is about what names the file: the page, or the site.
  if (written === '') return rank > 0 || new URL(base).origin === page.origin ? 0 : undefined
  const split = splitContentUrl(written, base)
  if (!split || split.origin !== page.origin) return undefined
  const pattern = normalizePattern(Buffer.from(split.path).toString('latin1'))
  return matchesPattern(pattern, targets) ? pattern.length : undefined
}

const describeContent = ({ url, server, licenses }: RslContent): string =>
  [
    `<content url="${url}"${server === undefined ? '' : ` server="${server}"`}>`,
    ...licenses.slice(0, 5).map(describeLicense),
  ].join(' ')

const describeLicense = ({ permits, prohibits, payment, amount }: RslLicense): string =>
  `<license>${[
    ...(permits ? [`permits ${permits.join(' ')}`] : []),
    ...(prohibits ? [`prohibits ${prohibits.join(' ')}`] : []),
    ...(payment === undefined ? [] : [`payment ${payment}${amount === undefined ? '' : ` ${amount}`}`]),
  ].join('; ')}`
