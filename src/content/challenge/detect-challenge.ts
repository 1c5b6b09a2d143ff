import { decodeEntities } from '../html/decode-entities.js'
import type { SiteFile } from '../../base/http/site-file.js'
import { refusalStatuses } from '../../base/http/statuses.js'
import {
  captchaAddresses,
  captchaAttributes,
  challengeHeaders,
  type ChallengeSignature,
  challengeSignatures,
  challengeText,
  challengeTitle,
  challengeHosts,
  humanStatements,
} from './challenge-signatures.js'
import { endOfName, endOfTag, isShown, MAX_TAG } from '../rendering/html-tags.js'
import { maxShellText, scanPageText } from '../rendering/scan-page-text.js'

/** A sign of bot protection in a response. */
export interface DetectedBlock {
  /** Vendor of the bot protection; absent when it is unknown. */
  readonly vendor?: string
  /** The text, header, URL or status by which it was detected, for human readers. */
  readonly evidence: string
}

/** The verdict that a response is a challenge, a captcha or a refusal instead of the page. */
export interface BlockVerdict extends DetectedBlock {
  /** False if the site may send this response to everybody, such as a bare 403. */
  readonly isCertain: boolean
  /** True if the challenge may let a browser through that only waits. */
  readonly mayPass: boolean
}

/** Length of the start of a body that is searched for signatures; challenges are small. Bytes. */
const MAX_BYTES = 128 * 1024

/** A response as it came. */
interface Answer extends Pick<SiteFile, 'url' | 'statusCode' | 'contentType' | 'body'> {
  /** With lower-case names. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Detects a response of bot protection in place of the page: by its URL, its headers, signatures of known vendors, or
 * title and text together, or a captcha with little else. Signatures count only in a response with little text, so that a
 * page *about* captchas is not a challenge.
 *
 * A status alone is no proof: 403, 429 and 401 (without `WWW-Authenticate`) give an uncertain verdict if nothing else
 * matches.
 */
export function detectChallenge(page: Answer): BlockVerdict | undefined {
  return byUrl(page) ?? byHeaders(page) ?? byText(page) ?? byStatus(page)
}

const certain = (vendor: string | undefined, evidence: string, mayPass = false): BlockVerdict => ({
  isCertain: true,
  vendor,
  evidence,
  mayPass,
})

/** Matches nearly every URL of a page, with its host, so that it need not be parsed. */
const plainUrl = /^https?:\/\/([a-z\d.-]+)(?::\d+)?\//

function byUrl({ url }: Answer): BlockVerdict | undefined {
  const hostname = plainUrl.exec(url)?.[1] ?? new URL(url).hostname
  const [vendor] = challengeHosts.find(([, host]) => host.test(hostname)) ?? []
  return vendor === undefined ? undefined : certain(vendor, `its URL is on \`${hostname}\``)
}

function byHeaders({ headers }: Answer): BlockVerdict | undefined {
  for (const [vendor, name, value, mayPass] of challengeHeaders) {
    const seen = headers[name]
    if (seen !== undefined && value.test(seen))
      return certain(vendor, `the header \`${name}: ${seen.slice(0, 40)}\``, mayPass)
  }
  return undefined
}

function byText(page: Answer): BlockVerdict | undefined {
  const isError = page.statusCode >= 400
  if (!isText(page, isError)) return undefined
  const maxText = maxShellText(page.statusCode)
  if (scanPageText(page.body, maxText).ownLength >= maxText) return undefined
  const text = new TextDecoder().decode(page.body.subarray(0, MAX_BYTES))
  for (const signature of anySignature.test(text) ? challengeSignatures : []) {
    const found = findSignature(signature, text)
    if (found !== undefined) return certain(signature.vendor, `it contains \`${quote(found)}\``, signature.mayPass)
  }
  const title = findTitle(text)
  const [said] = challengeTitle.test(title) ? (challengeText.exec(text) ?? []) : []
  if (said === undefined) return byCaptcha(page, text, title)
  const verdict = certain(undefined, `its title is \`${quote(title)}\`, and it contains \`${quote(said)}\``)
  if (!captchaName.test(said)) return verdict
  const { captcha, mayShow, hasFields } = readTags(text)
  if (hasFields) return undefined
  return captcha === undefined || mayShow ? verdict : { ...verdict, isCertain: false }
}

/** Matches what {@link challengeText} finds in the address of a captcha, which a page may have for a form. */
const captchaName = /captcha|turnstile|geetest|arkoselabs/i

/** Maximum length of the own text of a page that is nothing but a captcha, and of what is next to nothing. Characters. */
const MAX_CAPTCHA_TEXT = 600
const MAX_WORDS = 80

/**
 * Detects a page that has a captcha and little else, whatever its title: it says that its visitor is to prove to be human, or
 * says next to nothing under the name of a host. A form with other fields has the captcha for what is sent with it.
 */
function byCaptcha({ body, statusCode }: Answer, text: string, title: string): BlockVerdict | undefined {
  if (!/captcha|turnstile|site-?key|geetest|arkoselabs|friendly-challenge/i.test(text)) return undefined
  const { ownLength, ownStart } = scanPageText(body, maxShellText(statusCode))
  if (ownLength > MAX_CAPTCHA_TEXT) return undefined
  const { captcha, isShown: asksVisitor, headings, hasFields } = readTags(text)
  if (captcha === undefined || hasFields) return undefined
  const words = decodeEntities([title, ...headings, ownStart].join(' \n ')).toLowerCase()
  const said = findStatement(words.replaceAll('’', "'").replace(/\s+/g, ' '))
  const evidence = `it has a captcha (\`${captcha}\`)`
  if (said !== undefined) {
    const statement = `${evidence}, and says \`${quote(said)}\``
    if (asksVisitor) return certain(undefined, statement, /turnstile/i.test(text))
    return { isCertain: false, evidence: statement, mayPass: false }
  }
  const isNamed = title.trim() !== '' && !/^[\w-]+(?:\.[\w-]+)+$/.test(title.trim())
  if (isNamed || ownLength > MAX_WORDS) return undefined
  return { isCertain: false, evidence: `${evidence}, and next to no text`, mayPass: false }
}

function findStatement(words: string): string | undefined {
  for (const statement of humanStatements) {
    const [said] = statement.exec(words) ?? []
    if (said !== undefined) return said
  }
  return undefined
}

interface TagFindings {
  /** The name or address of a captcha. */
  readonly captcha: string | undefined
  /** False for a captcha that watches a page unseen, as many shops have on each page. */
  readonly isShown: boolean
  /** As {@link isShown}, but true for a script that may do either. */
  readonly mayShow: boolean
  readonly headings: readonly string[]
  /** True if there are fields in which a visitor writes or chooses what the page is for. */
  readonly hasFields: boolean
}

/** Maximum length of a heading that is read. Characters. */
const MAX_HEADING = 200

function readTags(text: string): TagFindings {
  const hasKey = givesKey.test(text)
  let captcha: string | undefined
  let asksVisitor = false
  let mayShow = false
  let hasFields = false
  // A search in the header of a page is no part of it. One that is sent with the captcha is what the page is for.
  let form = { hasCaptcha: false, hasSearch: false }
  const headings: string[] = []
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    const nameEnd = text.startsWith('</', at) ? undefined : endOfName(text, at)
    if (nameEnd === undefined) {
      if (/^<\/form/i.test(text.slice(at, at + 6))) form = { hasCaptcha: false, hasSearch: false }
      at += 1
      continue
    }
    const to = endOfTag(text, at)
    const name = text.slice(at + 1, nameEnd).toLowerCase()
    const tag = text.slice(nameEnd, Math.min(to, at + MAX_TAG)).toLowerCase()
    if (name === 'form') form = { hasCaptcha: false, hasSearch: false }
    if (fields.has(name)) {
      const kind = kindOfField(tag)
      hasFields ||= kind === 'content'
      form.hasSearch ||= kind === 'search'
    } else {
      const marks = name === 'script' || name === 'iframe' ? captchaAddresses : captchaAttributes
      const found = marks.find((mark) => tag.includes(mark))
      captcha ??= found
      const mayBeSeen = found !== undefined && !unseen.test(tag)
      mayShow ||= mayBeSeen
      // A script alone may show a captcha, or watch.
      asksVisitor ||= mayBeSeen && (name !== 'script' || hasKey)
      form.hasCaptcha ||= mayBeSeen && name !== 'script'
      hasFields ||= editable.test(tag)
    }
    hasFields ||= form.hasCaptcha && form.hasSearch
    if (/^h[1-3]$/.test(name)) headings.push(text.slice(to, to + MAX_HEADING).split('<', 1)[0] ?? '')
    at = to
  }
  return { captcha, isShown: asksVisitor, mayShow, headings, hasFields }
}

const fields: ReadonlySet<string> = new Set(['input', 'textarea', 'select'])
/** Matches the tag of a captcha that is not shown: reCAPTCHA of version 3 has its key in the address of its script. */
const unseen = /invisible|grecaptcha-badge|[?&;]render=(?!explicit)/
/** Matches the name of the key with which a script shows a captcha. */
const givesKey = /\bsite_?key\b/i

const fieldAttribute = /\s(type|name|id|role)\s*=\s*["']?([^"'\s>]*)/g

/** Matches an element in which a visitor writes although it is no field. */
const editable = /\scontenteditable(?!\s*=\s*["']?false)|\srole\s*=\s*["']?textbox/

/** Returns what a field is for; undefined for one that is not shown, a button, or the answer of a captcha. */
function kindOfField(tag: string): 'content' | 'search' | undefined {
  if (!isShown(tag)) return undefined
  let kind: 'content' | 'search' = 'content'
  for (const [, name = '', value = ''] of tag.matchAll(fieldAttribute)) {
    const isType = name === 'type'
    if (isType ? /^(?:submit|button|image|reset|checkbox)$/.test(value) : /captcha|turnstile/.test(value))
      return undefined
    if (isType ? value === 'search' : /^(?:[qs]|query|search|keywords?)$/.test(value)) kind = 'search'
  }
  return kind
}

/**
 * Matches every text in which a signature is found. Nearly no page has one, and one search for all of them takes half the
 * time of one for each.
 */
const anySignature = new RegExp(challengeSignatures.map(({ pattern }) => `(?:${pattern.source})`).join('|'), 'i')

/**
 * Maximum number of first matches after which {@link ChallengeSignature.followedBy} is searched for; a challenge has
 * one.
 */
const MAX_FIRST_MATCHES = 20

function findSignature({ pattern, followedBy, within = 0 }: ChallengeSignature, text: string): string | undefined {
  // Nearly no page has the first match. A pattern for all of its matches costs more to make than to search.
  if (!pattern.test(text)) return undefined
  if (followedBy === undefined) return pattern.exec(text)?.[0]
  const firstMatches = new RegExp(pattern, `${pattern.flags}g`)
  for (let tries = 0; tries < MAX_FIRST_MATCHES; tries += 1) {
    const first = firstMatches.exec(text)
    if (!first) return undefined
    const rest = text.slice(firstMatches.lastIndex, firstMatches.lastIndex + within)
    const follower = followedBy.exec(rest)
    if (follower) return `${first[0]}${rest.slice(0, follower.index + follower[0].length)}`
  }
  return undefined
}

function findTitle(text: string): string {
  const from = text.search(/<title[\s>]/i)
  const inner = from < 0 ? -1 : text.indexOf('>', from)
  return inner < 0 ? '' : (/^[^<]{1,200}/.exec(text.slice(inner + 1, inner + 201))?.[0] ?? '')
}

function byStatus({ statusCode, headers }: Answer): BlockVerdict | undefined {
  // LinkedIn sends this status to bots only.
  if (statusCode === 999) return certain(undefined, 'the status 999')
  const wantsLogin = statusCode === 401 && headers['www-authenticate'] !== undefined
  if (!refusalStatuses.has(statusCode) || wantsLogin) return undefined
  return { isCertain: false, evidence: `the status ${statusCode}`, mayPass: false }
}

/**
 * Tests for a response whose text is searched. Errors may also be JSON or XML, because some services refuse requests
 * for data in that form.
 */
const isText = ({ contentType = 'text/html' }: Answer, isError: boolean): boolean =>
  isError ? /^text\/|html|json|xml/i.test(contentType) : /html/i.test(contentType)

const quote = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Describes a verdict as a predicate that follows the words "the site". */
export const describeBlock = ({ vendor, evidence }: BlockVerdict): string =>
  `answered with a challenge or a refusal${vendor === undefined ? '' : ` of ${vendor}`} (${evidence})`
