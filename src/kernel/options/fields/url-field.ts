import type { SchemaBuilder } from '../../../content/convert/format.js'
import { printSeen } from '../../../base/errors.js'
import { isWebUrl, MAX_URL_CHARACTERS, withScheme, parseUrl } from '../../../base/url.js'

/** URL as a caller gives it. */
interface UrlField {
  /** Absolute http or https URL. */
  readonly url: string
  /** The URL as the caller spelt it. */
  readonly sourceURL: string
}

/** Reason why a string is not a URL that can be scraped. */
interface UrlProblem {
  /** Sentence for a message, beginning with the string. */
  readonly problem: string
}

/**
 * Parses a URL as the caller spelt it. It is not trimmed, `http://` is added if it has no scheme, and query and fragment
 * are kept. `localhost` and IP addresses are accepted: the fetcher decides if a host may be reached.
 *
 * @see docs/compatibility/requests.md#urls
 */
export function parseUrlField(value: string): UrlField | UrlProblem {
  if (value.length > MAX_URL_CHARACTERS) {
    return {
      problem: `${printSeen(value)} has ${value.length} characters, and at most ${MAX_URL_CHARACTERS} are taken`,
    }
  }
  const text = withScheme(value)
  const fault = findFault(value, text)
  return fault === undefined
    ? { url: new URL(text).href, sourceURL: value }
    : { problem: `${printSeen(value)} ${fault}` }
}

/** URL with a host name of plain labels, in which the parser finds no fault. */
const PLAIN_URL = /^https?:\/\/(?:(?!xn--)[a-z\d-]{1,63}\.)+([a-z]{2,63})(?::\d{1,4})?(?:[/?#]\S*)?$/

/** Maximum length of a URL that {@link isValidUrlField} accepts without the parser. Characters. */
const MAX_PLAIN_CHARACTERS = 250

/**
 * Tests whether {@link parseUrlField} takes a URL. Most URLs of a long list are plain, and take a tenth of the time of the parser: a
 * list is checked at the call, which holds the thread of the caller.
 */
export function isValidUrlField(value: string): boolean {
  const [, topLevel] = (value.length <= MAX_PLAIN_CHARACTERS && PLAIN_URL.exec(value)) || []
  if (topLevel !== undefined && !fileExtensions.has(topLevel)) return true
  return !('problem' in parseUrlField(value))
}

/** Creates the schema of a URL that is to be scraped. @internal */
export const urlSchema = (z: SchemaBuilder) => z.string().superRefine(refuseInvalidUrl)

/** Creates the schema of a URL that is not fetched, because its content is known. It is trimmed. @internal */
export const trimmedUrlSchema = (z: SchemaBuilder) => z.string().trim().superRefine(refuseInvalidUrl)

function refuseInvalidUrl(
  value: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): void {
  const parsed = parseUrlField(value)
  if ('problem' in parsed) context.addIssue({ code: 'custom', message: parsed.problem })
}

/** Describes the fault of a URL. @param text the URL with a scheme */
function findFault(value: string, text: string): string | undefined {
  if (value !== value.trim()) return 'has white space at an end, and URLs are not trimmed'
  const url = parseUrl(text)
  if (!url) return 'is not a URL'
  if (!isWebUrl(url)) return `has the protocol ${url.protocol}, and only http and https can be scraped`
  if (/^mailto:/i.test(value)) return 'is an e-mail address, not a page'
  if (url.password !== '') return 'has a password, which belongs in `headers`'
  const bareFault = text === value ? undefined : findBareFault(value, url)
  if (bareFault !== undefined) return bareFault
  if (url.hostname === 'localhost' || isAddress(url.hostname)) return undefined
  if (hasTwoProtocols(text)) return 'has two protocols'
  return findHostFault(url.hostname)
}

const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)

/** Describes what a string without a scheme is taken for by the parser of URLs, and nobody means in a list of URLs. */
function findBareFault(value: string, { username, hostname }: URL): string | undefined {
  if (username !== '' || value.startsWith('@'))
    return 'is an e-mail address or the name of a user: begin with `https://` if it is a URL'
  if (isAddress(hostname) && !value.startsWith(hostname))
    return `is a number: write ${hostname} if you mean this address, or a host name such as example.com`
  return undefined
}

/**
 * Tests for two protocols, as in `http://https://example.com`: only the protocol's colon may precede the first dot, and that of a
 * port, as in `http://intranet:8080`.
 */
const hasTwoProtocols = (text: string): boolean =>
  (text.split('.', 1)[0] ?? '').split(':').length > 2 && !/^[a-z]+:\/\/[^/?#:]*:\d/i.test(text)

/** Maximum length of a host name in DNS. Characters. */
const MAX_HOST_CHARACTERS = 253
/** Maximum length of a part of a host name. Characters. */
const MAX_LABEL_CHARACTERS = 63

function findHostFault(hostname: string): string | undefined {
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.includes('')) return 'has an empty part in its host name'
  if (hostname.length > MAX_HOST_CHARACTERS || labels.some((label) => label.length > MAX_LABEL_CHARACTERS))
    return `has a host name that is too long: at most ${MAX_HOST_CHARACTERS} characters, and ${MAX_LABEL_CHARACTERS} between two dots`
  if (labels.length < 2 || !/^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(last))
    return 'has no public host name such as example.com'
  if (fileExtensions.has(last)) return 'is the name of a file, not of a host'
  return undefined
}

/** File extensions that are no top-level domain, to recognise file names in a list of URLs. */
const fileExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg png gif webp svg bmp pdf html htm css js json xml txt csv doc docx xls xlsx ppt pptx php asp aspx jsp exe gz rar'.split(
    ' ',
  ),
)
