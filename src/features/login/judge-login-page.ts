import { createHash } from 'node:crypto'
import { isHtmlType } from '../../base/http/header-values.js'
import { shortenText } from '../../base/text/cut-text.js'
import { foldCase, squeezeWords } from '../../base/text/fold-case.js'
import { decodePercent } from '../../base/url.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'
import type { LoginOptions, LoginSign } from './login-options.js'
import { aboutFolders, fieldNames, loginNames, loginTitles } from './login-words.js'
import { isAsked, type PageForm } from './page-forms.js'
import type { LoginSigns } from './read-login-signs.js'

/** Facts that are known of the login of a site. */
export interface KnownLogin {
  /** Addresses of its pages, without queries. */
  readonly addresses: ReadonlySet<string>
  /** Signatures of its forms that members do not see. */
  readonly forms: ReadonlySet<string>
  /** Digests of pages as strangers get them, which members see otherwise. */
  readonly strange: ReadonlySet<string>
}

/** A page that may be a login page. */
interface SuspectPage {
  readonly url: string
  readonly finalUrl: string
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  /** Undefined for a page that has none of the words of a login. */
  readonly signs: LoginSigns | undefined
  readonly known: KnownLogin | undefined
  /** Number of other pages that were redirected to the same address. */
  readonly alike: number
}

/** Words of a page from which on a form with a password is a box beside its content. */
export const MAX_WORDS = 150
/** Words of a page up to which a form with a password is all that there is. */
const MAX_BARE_WORDS = 60
/** Pages that lead to one address, beside this one, from which on it is a login page by its words alone. */
export const MIN_ALIKE = 2

/** Links to other logins from which on a page offers the ways to log in. */
const MIN_WAYS = 2
/** Statuses that, beside 401, say that a session has ended or is missing. */
const ENDED: ReadonlySet<number> = new Set([403, 419, 440])

/** Schemes that a message names: a site may answer with what it was sent. */
const SCHEME = /^(?:Basic|Bearer|Digest|DPoP|Negotiate|NTLM)\b/i

/** Longest source of a page that is compared as a whole. Bytes. */
const MAX_SOURCE = 500_000
/** Attributes whose values are other ones each time. */
const PASSING = /\b(?:content|nonce|value)\s*=\s*(?:"[^"]*"|'[^']*')/gi

/** Returns the digest of the source of a page, without what is made anew for each visit; undefined for a long one. */
export function digestSource({ body }: Pick<FetchedPage, 'body'>): string | undefined {
  if (body.byteLength > MAX_SOURCE) return undefined
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
  return createHash('sha256').update(source.replace(PASSING, '')).digest('base64')
}

/** Tests for a page as a stranger gets it, in the place of whichever page he asks for. */
export const isStrange = (page: Pick<FetchedPage, 'body'>, known: KnownLogin | undefined): boolean =>
  known !== undefined && known.strange.size > 0 && known.strange.has(digestSource(page) ?? '')

/** Tests whether a URL is that of a login page, by whole names in its path. */
export function isLoginAddress(url: string, known: KnownLogin | undefined): boolean {
  if (known?.addresses.has(addressOf(url))) return true
  names ??= new Set(loginNames.split(/\s+/).filter((name) => name !== ''))
  const folders = new URL(url).pathname.split('/').filter((folder) => folder !== '')
  return folders.some((folder, index) => {
    const written = decodePercent(folder).replace(/\.\w{2,5}$/, '')
    return [written, `${folders[index - 1] ?? ''} ${written}`].some((name) => names?.has(squeezeWords(name)))
  })
}

/** Tells by the address of a form whether it logs in: 1; -1 for one that does something else, such as to register. */
export function likeness({ action }: Pick<PageForm, 'action'>): -1 | 0 | 1 {
  const { pathname, searchParams } = new URL(action)
  // A parameter with a path says where the login leads to.
  const values = [...searchParams.values()].filter((value) => !value.includes('/'))
  if ([pathname, ...values].some((text) => fieldNames.otherForm.test(text))) return -1
  return isLoginAddress(action, undefined) ? 1 : 0
}

/** Tests for a URL of a page about logins, such as one of a documentation. */
const isAbout = (url: string): boolean =>
  new URL(url).pathname.split('/', 4).some((folder) => aboutFolders.has(folder.toLowerCase()))

/** Tests for a page that came as another one by way of the login. */
export const isLedOn = (
  url: string,
  { url: finalUrl, redirects }: Pick<FetchedPage, 'url' | 'redirects'>,
  known: KnownLogin,
): boolean =>
  addressOf(url) !== addressOf(finalUrl) && redirects.some((hop) => hop.url !== url && isLoginAddress(hop.url, known))

let names: ReadonlySet<string> | undefined
let titles: readonly string[] | undefined

const spaceWords = (text: string): string =>
  foldCase(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

/** Tests for a title of a login page: a short part of it has such words. */
export function isLoginTitle(title: string): boolean {
  titles ??= loginTitles
    .split('|')
    .map(spaceWords)
    .filter((words) => words !== '')
  return title.split(/[|·•:–—»«()]| - /u).some((part) => {
    const words = spaceWords(part)
    return words !== '' && words.split(' ').length <= 6 && (titles ?? []).some((phrase) => hasWords(words, phrase))
  })
}

/** Tests for a page that asks who it is that logs in, or by which other site. */
function isFirstStep({ forms, links }: LoginSigns, known: KnownLogin | undefined): boolean {
  const isStep = (form: PageForm): boolean =>
    !form.isBox &&
    form.user !== undefined &&
    form.method === 'post' &&
    likeness(form) !== -1 &&
    // Who asks for more has a form to register, or to write to somebody.
    form.fields.filter(isAsked).length === 1 &&
    (form.isFirstStep || isLoginAddress(form.action, known))
  return forms.some(isStep) || links.filter((link) => isLoginAddress(link, known) && !isAbout(link)).length >= MIN_WAYS
}

/** Tests for a phrase as whole words; scripts without spaces have none. */
const hasWords = (text: string, phrase: string): boolean =>
  /[\u3040-\u9fff\uac00-\ud7af]/.test(phrase) ? text.includes(phrase) : ` ${text} `.includes(` ${phrase} `)

const asksForSecret = ({ password, code }: PageForm): boolean => password !== undefined || code !== undefined

/** Tests for a form that does something else. One that is sent to its own page, whose address is of any subject, may log in as well. */
function isOther(form: PageForm, { title }: LoginSigns, url: string): boolean {
  if (likeness(form) !== -1) return false
  const isOwn = addressOf(form.action) === addressOf(url) && form.fields.filter(isAsked).length <= 1
  return !isOwn || fieldNames.otherForm.test(title)
}

/** Tests for a page whose forms may stand beside its content. */
export const isBeside = ({ forms, words }: LoginSigns): boolean =>
  words > MAX_BARE_WORDS || forms.filter(asksForSecret).every(({ isBox }) => isBox)

/** Tests for a further form, such as for a comment; one by which another site logs in is none. */
const hasContent = ({ forms }: LoginSigns): boolean =>
  forms.some((form) => form.method === 'post' && !form.isBox && !asksForSecret(form) && likeness(form) !== 1)

/** Sign of a login that decided: its option, and what to do where it decides wrongly. */
export interface NamedSign {
  readonly why: string
  readonly advice: string
}

/** Judges a page by the signs that the login names. @returns why it is the login page, if it is; undefined where they do not decide */
export function judgeByName(
  { loggedInWhen, loggedOutWhen }: Pick<LoginOptions, 'loggedInWhen' | 'loggedOutWhen'> = {},
  page: Pick<FetchedPage, 'url' | 'statusCode' | 'contentType' | 'body'>,
): (NamedSign | { readonly why: undefined }) | undefined {
  if (loggedOutWhen && missedBy(loggedOutWhen, page).length === 0)
    return {
      why: `shows \`loggedOutWhen\` (${Object.values(loggedOutWhen).map(quote).join(' and ')})`,
      advice: 'Give it a text of the source or the URL that no page for members has',
    }
  if (!loggedInWhen || page.statusCode >= 400 || !isHtmlType(page.contentType)) return undefined
  const missed = missedBy(loggedInWhen, page)
  if (missed.length === 0) return { why: undefined }
  return {
    why: `does not show \`loggedInWhen\` (no ${missed.join(' and no ')})`,
    advice: 'Give it a text of the source or the URL that every page for members has, or leave it out',
  }
}

const quote = (text: string): string => JSON.stringify(shortenText(text, 60))

/** Lists the members of a sign that a page has not, with their places. */
function missedBy({ text, url }: LoginSign, page: Pick<FetchedPage, 'url' | 'body'>): string[] {
  const { buffer, byteOffset, byteLength } = page.body
  return [
    ...(url === undefined || page.url.includes(url) ? [] : [`${quote(url)} in its URL`]),
    ...(text === undefined || Buffer.from(buffer, byteOffset, byteLength).includes(text)
      ? []
      : [`${quote(text)} in its source`]),
  ]
}

/**
 * Judges whether a page is the login page in the place of the one that was asked for.
 *
 * @returns what shows it, a predicate that follows the words "the page"; undefined for an ordinary page
 */
export function judgeLoginPage(page: SuspectPage): string | undefined {
  const { statusCode, headers, signs, known } = page
  const forms = signs?.forms.filter(asksForSecret) ?? []
  if (statusCode === 401) {
    const [scheme] = SCHEME.exec(headers['www-authenticate'] ?? '') ?? []
    return scheme === undefined ? 'was answered with 401' : `asks for \`${scheme}\` (401)`
  }
  if (ENDED.has(statusCode) && forms.length > 0) return `was answered with ${statusCode} and a form with a password`
  const isMoved = addressOf(page.url) !== addressOf(page.finalUrl)
  if (isMoved && known?.addresses.has(addressOf(page.finalUrl))) return 'leads to the login page'
  if (signs?.forms.some(({ signature }) => known?.forms.has(signature))) return 'has the form of the login page'
  if (!signs || statusCode >= 400) return undefined
  const own = forms.filter(({ isBox }) => !isBox)
  const form = own.find(({ isClosed }) => !isClosed) ?? own[0]
  const isThin = signs.words <= MAX_WORDS
  const isPlace = isLoginAddress(page.finalUrl, known) && !isAbout(page.finalUrl)
  const isNamed = isPlace || isLoginTitle(signs.title)
  const isBare = signs.words <= MAX_BARE_WORDS
  const isOnly =
    isBare && form !== undefined && !form.isClosed && !isOther(form, signs, page.finalUrl) && !hasContent(signs)
  if (form && isThin && (isNamed || isMoved || isOnly))
    return `has a form with a password${isMoved ? ', and was redirected to' : ' and little else'}`
  if (signs.goesTo !== undefined && isLoginAddress(signs.goesTo, known)) return 'goes on to the login page'
  if (isNamed && isThin && signs.frames.some((frame) => isLoginAddress(frame, known)))
    return 'shows the login page in a frame'
  if (isNamed && isBare && isFirstStep(signs, known)) return 'asks for the name of a login and little else'
  if (isMoved && isThin && isNamed && page.alike >= MIN_ALIKE)
    return 'is one to which many others lead, with the words of a login'
  return undefined
}

/** Judges a page that was asked for by the login itself. @param read reads its signs, where they are needed */
export async function judgeShown(
  { login, known, url }: { readonly login: LoginOptions; readonly known: KnownLogin; readonly url: string },
  page: FetchedPage,
  read: (page: FetchedPage) => Promise<LoginSigns>,
): Promise<'page' | 'login' | 'neither'> {
  if (isLedOn(url, page, known) || isStrange(page, known)) return 'login'
  const named = judgeByName(login, page)
  if (named) return named.why === undefined ? 'page' : 'login'
  const { url: finalUrl, statusCode, headers } = page
  const signs = await read(page)
  if (judgeLoginPage({ url, finalUrl, statusCode, headers, signs, known, alike: 0 }) !== undefined) return 'login'
  return statusCode < 400 ? 'page' : 'neither'
}
