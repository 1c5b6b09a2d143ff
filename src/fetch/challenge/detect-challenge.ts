import { refusalStatuses } from '../../http/statuses.js'
import {
  challengeHeaders,
  type ChallengeSignature,
  challengeSignatures,
  challengeText,
  challengeTitle,
  challengeHosts,
} from './challenge-signatures.js'
import type { DetectedBlock, FetchedPage } from '../fetched-page.js'
import { maxShellText, scanPageText } from '../rendering/scan-page-text.js'

/** The verdict that a response is a challenge, a captcha or a refusal instead of the page. */
export interface BlockVerdict extends DetectedBlock {
  /** False if the site may send this response to everybody, such as a bare 403. */
  readonly isCertain: boolean
  /** True if the challenge may let a browser through that only waits. */
  readonly mayPass: boolean
}

/** Length of the start of a body that is searched for signatures; challenges are small. Bytes. */
const MAX_BYTES = 128 * 1024

type Answer = Pick<FetchedPage, 'url' | 'statusCode' | 'headers' | 'contentType' | 'body'>

/**
 * Detects a response of bot protection in place of the page: by its URL, its headers, signatures of known vendors, or
 * title and text together. Signatures count only in a response with little text, so that a page *about* captchas is not
 * a challenge.
 *
 * A status alone is no proof: 403, 429 and 401 (without `WWW-Authenticate`) give an uncertain verdict if nothing else
 * matches.
 */
export function detectChallenge(page: Answer): BlockVerdict | undefined {
  return byUrl(page) ?? byHeaders(page) ?? byText(page) ?? byStatus(page)
}

const certain = (vendor: string | undefined, evidence: string, mayPass = false): BlockVerdict => ({
  isCertain: true,
  ...(vendor === undefined ? {} : { vendor }),
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
  return said === undefined
    ? undefined
    : certain(undefined, `its title is \`${quote(title)}\`, and it contains \`${quote(said)}\``)
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
