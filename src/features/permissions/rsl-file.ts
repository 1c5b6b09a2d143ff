import { scanXmlInSlices } from '../../content/office/package/scan-xml.js'
import { isWebUrl, resolveUrl } from '../../base/url.js'
import { type Use, uses } from './permissions.js'

/** A `<content>` of a licence file: pages, and the licences that are offered for them. */
export interface RslContent {
  /** Path pattern, or absolute URL with one; empty for the page or the site that names the file. */
  readonly url: string
  /** Server that a licence must be obtained from. */
  readonly server?: string
  readonly licenses: readonly RslLicense[]
}

/** A `<license>`: one offer. */
export interface RslLicense {
  /** Uses in `<permits type="usage">`; undefined if it does not limit them. */
  permits?: string[]
  /** Uses in `<prohibits type="usage">`. */
  prohibits?: string[]
  /** True if it is only for some users or countries. */
  isLimited?: true
  /** Type of `<payment>`; undefined without one, which means free. */
  payment?: string
  /** `<amount>` with its currency, as written. */
  amount?: string
}

const MAX_CONTENTS = 1000
const MAX_LICENSES = 50
/** Maximum uses that a licence permits or prohibits; the vocabulary has six. */
const MAX_TOKENS = 50
/** Maximum characters of an attribute or a text to read. */
const MAX_CHARACTERS = 8000

/**
 * Parses a licence file, in one pass and in slices. Elements of other vocabularies are skipped, so that feeds with licences are
 * read too.
 *
 * @param text the file; longer files are to be refused before
 * @see RSL 1.0 section 3
 */
export async function readRslFile(text: string): Promise<readonly RslContent[]> {
  const reader = new RslReader()
  await scanXmlInSlices(text, reader)
  return reader.contents
}

class RslReader {
  readonly contents: RslContent[] = []
  #licenses: RslLicense[] | undefined
  #license: RslLicense | undefined
  #type = ''
  #text: string | undefined

  open(written: string, attributes: Readonly<Record<string, string>>): void {
    const name = localName(written)
    const type = (attributes['type'] ?? '').slice(0, MAX_CHARACTERS)
    if (name === 'content' && this.contents.length < MAX_CONTENTS) {
      const { url = '', server } = attributes
      this.#licenses = []
      const isReadable = url.length <= MAX_CHARACTERS
      const served = server === undefined ? {} : { server: server.slice(0, MAX_CHARACTERS) }
      if (isReadable) this.contents.push({ url: url.trim(), ...served, licenses: this.#licenses })
    } else if (name === 'license' && this.#licenses && this.#licenses.length < MAX_LICENSES) {
      this.#license = {}
      this.#licenses.push(this.#license)
    } else if (this.#license && (name === 'permits' || name === 'prohibits')) {
      this.#type = type
      this.#text = ''
    } else if (this.#license && name === 'payment') {
      this.#license.payment = type.trim().toLowerCase()
    } else if (this.#license && name === 'amount') {
      this.#type = (attributes['currency'] ?? '').slice(0, 20)
      this.#text = ''
    }
  }

  text(data: string): void {
    if (this.#text !== undefined && this.#text.length < MAX_CHARACTERS) this.#text += data.slice(0, MAX_CHARACTERS)
  }

  close(written: string): void {
    const name = localName(written)
    const license = this.#license
    const text = this.#text ?? ''
    if (license && (name === 'permits' || name === 'prohibits')) this.#endTerms(license, name, text)
    else if (license && name === 'amount') license.amount = `${text.trim().slice(0, 40)} ${this.#type}`.trim()
    else if (name === 'license') this.#license = undefined
    else if (name === 'content') this.#licenses = undefined
    if (name !== 'standard' && name !== 'custom') this.#text = undefined
  }

  #endTerms(license: RslLicense, name: 'permits' | 'prohibits', text: string): void {
    if (this.#type !== 'usage') {
      license.isLimited = true
      return
    }
    const named = (license[name] ??= [])
    if (named.length >= MAX_TOKENS) return
    const tokens = text
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((token) => token !== '')
    named.push(...tokens.slice(0, MAX_TOKENS - named.length))
  }
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1)

/** Uses that a token of the vocabulary covers. @see RSL 1.0 section 3.4.1 */
const COVERED: ReadonlyMap<string, readonly Use[]> = new Map<string, readonly Use[]>([
  ['all', uses],
  ['ai-all', ['ai-input', 'ai-train']],
  ['ai-input', ['ai-input']],
  ['ai-train', ['ai-train']],
  // The name that guides of RSL took from AI Preferences.
  ['train-ai', ['ai-train']],
  ['search', ['search']],
])

/** Specificity of the token that names a use: 3 for its own name, 2 for `ai-all`, 1 for `all`; 0 if none does. */
function specificity(tokens: readonly string[] | undefined, use: Use): number {
  const found = (tokens ?? []).filter((token) => COVERED.get(token)?.includes(use))
  return found.reduce((most, token) => Math.max(most, token === 'all' ? 1 : token === 'ai-all' ? 2 : 3), 0)
}

/** Payments that ask no money. @see RSL 1.0 section 3.7 */
const FREE: ReadonlySet<string> = new Set(['', 'free', 'attribution'])

/** Returns true if a licence asks a payment. */
export const asksPayment = ({ payment = 'free' }: RslLicense): boolean => !FREE.has(payment)

/**
 * Decides what one licence says about a use. Of a permission and a prohibition, the one that names the use more specifically
 * counts; if both do equally, the prohibition. With permissions, a use that is not named is not licensed. A use that costs
 * something is denied, because nothing is paid.
 *
 * @see RSL 1.0 sections 3.1.1, 3.5 and 3.7
 */
export function judgeLicense(license: RslLicense, use: Use): 'granted' | 'denied' | undefined {
  const permitted = license.permits === undefined ? 0.5 : specificity(license.permits, use)
  const prohibited = specificity(license.prohibits, use)
  if (prohibited > 0 && prohibited >= permitted) return 'denied'
  if (permitted === 0) return 'denied'
  // A licence that names prohibitions only, grants nothing by itself.
  if (license.permits === undefined && license.prohibits !== undefined) return undefined
  if (asksPayment(license)) return 'denied'
  return license.isLimited ? undefined : 'granted'
}

/** Splits the pattern of a content into its origin, undefined for that of the file, and its path; undefined if it is neither. */
export function splitContentUrl(url: string, base: string): { origin: string; path: string } | undefined {
  if (/^[/*]/.test(url)) return { origin: new URL(base).origin, path: url }
  const resolved = resolveUrl(url, base)
  if (!resolved || !isWebUrl(resolved)) return undefined
  // The path as written: `*` and `$` have a meaning.
  const written = /^[a-z]+:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? resolved.pathname
  return { origin: resolved.origin, path: written.startsWith('/') ? written : `/${written}` }
}
