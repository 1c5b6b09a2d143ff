import { refusalStatuses } from '../../http/statuses.js'
import {
  challengeHeaders,
  type ChallengeSignature,
  challengeSignatures,
  challengeText,
  challengeTitle,
  guardHosts,
} from './challenge-signatures.js'
import type { DetectedBlock, FetchedPage } from '../fetched-page.js'
import { maxShellText, scanPageText } from '../rendering/scan-page-text.js'

/** The verdict that a response is not the page: a challenge, a captcha or a refusal. */
export interface BlockVerdict extends DetectedBlock {
  /** False where the site may answer everybody like this, e.g. with a bare 403. */
  readonly isCertain: boolean
  /** True where a browser that only waits may be let through. */
  readonly mayPass: boolean
}

/** The part of a body that is searched for marks: challenges are small. Bytes. */
const MAX_BYTES = 128 * 1024

type Answer = Pick<FetchedPage, 'url' | 'statusCode' | 'headers' | 'contentType' | 'body'>

/**
 * Detects a response of bot protection in place of the page: by its URL, its headers, marks of known vendors, or title and
 * text together. Marks count only in a response with little text, so that a page *about* captchas is a page.
 *
 * A status alone is no proof: 403, 429 and 401 (without a request to log in) and no mark give an uncertain verdict.
 */
export function detectChallenge(page: Answer): BlockVerdict | undefined {
  return byAddress(page) ?? byHeaders(page) ?? byText(page) ?? byStatus(page)
}

const certain = (vendor: string | undefined, evidence: string, mayPass = false): BlockVerdict => ({
  isCertain: true,
  ...(vendor === undefined ? {} : { vendor }),
  evidence,
  mayPass,
})

function byAddress({ url }: Answer): BlockVerdict | undefined {
  const { hostname } = new URL(url)
  const [vendor] = guardHosts.find(([, host]) => host.test(hostname)) ?? []
  return vendor === undefined ? undefined : certain(vendor, `it leads to \`${hostname}\``)
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
  for (const sign of challengeSignatures) {
    const found = findSign(sign, text)
    if (found !== undefined) return certain(sign.vendor, `it says \`${quote(found)}\``, sign.mayPass)
  }
  const title = findTitle(text)
  const [said] = challengeTitle.test(title) ? (challengeText.exec(text) ?? []) : []
  return said === undefined
    ? undefined
    : certain(undefined, `it is headed \`${quote(title)}\`, and has \`${quote(said)}\``)
}

/** Places at which the second part of a mark is looked for: a challenge has one. */
const MAX_PLACES = 20

function findSign({ pattern, followedBy, within = 0 }: ChallengeSignature, text: string): string | undefined {
  if (followedBy === undefined) return pattern.exec(text)?.[0]
  const places = new RegExp(pattern, `${pattern.flags}g`)
  for (let tries = 0; tries < MAX_PLACES; tries += 1) {
    const place = places.exec(text)
    if (!place) return undefined
    const rest = text.slice(places.lastIndex, places.lastIndex + within)
    const follower = followedBy.exec(rest)
    if (follower) return `${place[0]}${rest.slice(0, follower.index + follower[0].length)}`
  }
  return undefined
}

function findTitle(text: string): string {
  const from = text.search(/<title[\s>]/i)
  const inner = from < 0 ? -1 : text.indexOf('>', from)
  return inner < 0 ? '' : (/^[^<]{1,200}/.exec(text.slice(inner + 1, inner + 201))?.[0] ?? '')
}

function byStatus({ statusCode, headers }: Answer): BlockVerdict | undefined {
  // LinkedIn sends it to bots only.
  if (statusCode === 999) return certain(undefined, 'the status 999')
  const wantsLogin = statusCode === 401 && headers['www-authenticate'] !== undefined
  if (!refusalStatuses.has(statusCode) || wantsLogin) return undefined
  return { isCertain: false, evidence: `the status ${statusCode}`, mayPass: false }
}

/** Errors in JSON or XML count as well: some services answer a request for data with data. */
const isText = ({ contentType = 'text/html' }: Answer, isError: boolean): boolean =>
  isError ? /^text\/|html|json|xml/i.test(contentType) : /html/i.test(contentType)

const quote = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

/** Returns the verdict in words, to follow "the site". */
export const describeBlock = ({ vendor, evidence }: BlockVerdict): string =>
  `${vendor === undefined ? 'answered' : `is guarded by ${vendor}, and answered`} with what stands in the way of programs (${evidence})`
