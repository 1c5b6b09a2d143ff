import type { SchemaBuilder } from '../../convert/format.js'
import { isWebUrl, MAX_URL_CHARACTERS, withScheme } from '../../url.js'
import { printSeen } from '../../errors.js'

/** URL given by the caller. */
export interface UrlField {
  /** Absolute http or https URL. */
  readonly url: string
  /** Spelling of the caller. */
  readonly sourceURL: string
}

/** Returns the reason why a string is not a URL that can be scraped. */
export interface UrlProblem {
  readonly problem: string
}

/**
 * Reads a URL as the caller spelt it: not trimmed, `http://` put in front when it has no scheme, query and fragment
 * left as they are. Whether the host may be *reached* is for the fetcher to decide.
 *
 * @see docs/compatibility.md#urls; unlike there, `localhost` and IP literals are names like any other
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

/** The schema of a field that holds a URL. @internal */
export const urlSchema = (z: SchemaBuilder) => z.string().superRefine(refuseInvalidUrl)

/**
 * The schema of a field that holds the URL of something that is at hand: white space around it is of no account.
 * @internal
 */
export const trimmedUrlSchema = (z: SchemaBuilder) => z.string().trim().superRefine(refuseInvalidUrl)

function refuseInvalidUrl(
  value: string,
  context: { addIssue(issue: { code: 'custom'; message: string }): void },
): void {
  const read = parseUrlField(value)
  if ('problem' in read) context.addIssue({ code: 'custom', message: read.problem })
}

function findFault(value: string, text: string): string | undefined {
  if (value !== value.trim()) return 'has white space at an end, and URLs are not trimmed'
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  if (!isWebUrl(url)) return `has the protocol ${url.protocol}, and only http and https can be scraped`
  if (url.password !== '') return 'has a password, which belongs in `headers`'
  if (url.hostname === 'localhost' || isAddress(url.hostname)) return undefined
  if (hasTwoProtocols(text)) return 'has two protocols'
  return findHostFault(url.hostname)
}

const isAddress = (hostname: string): boolean => hostname.startsWith('[') || /^\d+(\.\d+){3}$/.test(hostname)

/** One colon stands before the first dot of a public URL: that of its protocol. */
const hasTwoProtocols = (text: string): boolean => (text.split('.', 1)[0] ?? '').split(':').length > 2

function findHostFault(hostname: string): string | undefined {
  const labels = hostname.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.includes('')) return 'has an empty part in its host name'
  if (labels.length < 2 || !/^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(last))
    return 'has no public host name such as example.com'
  if (fileExtensions.has(last)) return 'is the name of a file, not of a host'
  return undefined
}

/** Extensions that are no top-level domain, and that a list of files rather than pages would end in. */
const fileExtensions: ReadonlySet<string> = new Set(
  'jpg jpeg png gif webp svg bmp pdf html htm css js json xml txt csv doc docx xls xlsx ppt pptx php asp aspx jsp exe gz rar'.split(
    ' ',
  ),
)
