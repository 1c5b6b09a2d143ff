import { TrawlError } from '../../base/errors.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'
import { chooseForm, readLoginForms } from './choose-form.js'
import { encodeForm, isCodeField } from './fill-form.js'
import { isBeside, MAX_WORDS } from './judge-login-page.js'
import type { LoginOptions } from './login-options.js'
import { fieldNames } from './login-words.js'
import { describeMisfits, lacksValue } from './misfits.js'
import type { LoginSigns } from './read-login-signs.js'
import type { PageForm } from './page-forms.js'

/** A form that is sent by POST. */
interface SentForm {
  readonly body: string
  /** URL of the page that has the form. */
  readonly from: string
  /** True if it has a secret. */
  readonly isSecret: boolean
}

/** Requests of a login over HTTP. */
interface LoginRequests {
  request(url: string, form?: SentForm): Promise<FetchedPage>
  read(page: FetchedPage): Promise<LoginSigns>
  /** Returns what is filled in: texts and secrets by their names. @param isOnce whether its field is for a one-time code */
  value(name: string, isOnce: boolean): Promise<string>
  /** Tests whether the visitor is logged in where a page asks for a code: it may be one to join a meeting. */
  isIn(page: FetchedPage): Promise<boolean>
  /** Tests the same where a page beside whose content the form stands asks again for what was filled in. */
  isMember(page: FetchedPage): Promise<boolean>
}

/** Result of a login: what its pages are known by, and whether it is refused, needs a browser or a code, or names what its page has not. */
export interface LoginOutcome {
  readonly result: 'in' | 'refused' | 'needs browser' | 'lacks code' | 'misnamed'
  /** Reason, for people. */
  readonly why: string
  readonly addresses: readonly string[]
  readonly forms: readonly string[]
  /** The page after the login. */
  readonly page: FetchedPage
  readonly signs: LoginSigns
}

/** Maximum forms of a login: name, password, code, and those that send themselves between hosts. */
const MAX_STEPS = 10

/**
 * Logs in over HTTP: fills in the forms that ask for what there is, one after the other, and sends those that send themselves.
 *
 * @throws TrawlError errors of requests; TypeError of secrets
 */
export async function submitLogin(
  { url, fields = {}, secrets = {} }: Pick<LoginOptions, 'url' | 'fields' | 'secrets'>,
  login: LoginRequests,
): Promise<LoginOutcome> {
  const names = [...Object.keys(fields), ...Object.keys(secrets)]
  const met: PageForm[] = []
  const addresses = new Set([addressOf(url)])
  const forms = new Set<string>()
  const filled = new Set<string>()
  const sent = new Set<string>()
  let hasSecret = false
  let page = await login.request(url)
  for (let step = 0; ; step++) {
    const shown = await login.read(page)
    const read = { ...shown, forms: readLoginForms(shown) }
    // Behind the password, a field for a name alone is that of a newsletter.
    const signs = hasSecret
      ? { ...read, forms: read.forms.filter((form) => asksForSecret(form) || sent.has(form.action)) }
      : read
    met.push(...read.forms)
    const misfits = describeMisfits({ fields, secrets }, met)
    const end = (result: LoginOutcome['result'], why: string): LoginOutcome => ({
      result,
      why: result === 'refused' && misfits !== '' ? `${why}, and ${misfits}` : why,
      addresses: [...addresses],
      forms: [...forms],
      page,
      signs,
    })
    if (page.statusCode >= 500)
      throw new TrawlError('SCRAPE_SITE_ERROR', `it answered ${page.statusCode}`, { url: page.url })
    const next = chooseForm(signs.forms, names)
    const sender = next ? undefined : read.forms.find((form) => sendsItself(form, page))
    if (step === MAX_STEPS) return end('refused', `it asked for more than ${MAX_STEPS} forms`)
    if (!next && !sender) {
      if (filled.size === 0) return end('needs browser', misfits || 'its page has no form with the fields of the login')
      if (asksForCode(signs) && !(await login.isIn(page))) return end('lacks code', LACKS_CODE)
      if (page.statusCode >= 400) return end('refused', `it answered ${page.statusCode}`)
      return end('in', '')
    }
    // Its script sends it: by GET, the password would stand in an address.
    if (next?.form.method === 'get' && next.form.password !== undefined)
      return end('needs browser', 'a script sends its form')
    if (next && misfits !== '' && lacksValue(next.form, next.wanted)) return end('misnamed', misfits)
    const { form, wanted } = next ?? { form: sender as PageForm, wanted: new Map<number, string>() }
    if (next) {
      if (asksForSecret(form) || form.user !== undefined) forms.add(form.signature)
      sent.add(form.action)
      hasSecret ||= form.password !== undefined
      addresses.add(addressOf(page.url))
      const again = [...wanted.values()].filter((name) => filled.has(name))
      // A second step may ask for the name again, beside the password.
      if (again.length === wanted.size) {
        if (page.statusCode < 400 && isBeside(signs) && (await login.isMember(page))) return end('in', '')
        return end('refused', `it asked again for ${again.map((name) => `\`${name}\``).join(', ')}`)
      }
    }
    const values = new Map<number, string>()
    for (const [index, name] of wanted) {
      values.set(index, await login.value(name, isCodeField(form, index)))
      filled.add(name)
    }
    // By POST: see above.
    const body = encodeForm(form, values)
    page = await login.request(form.action, { body, from: page.url, isSecret: isAny(wanted.values(), secrets) })
  }
}

const isAny = (names: Iterable<string>, secrets: object): boolean =>
  [...names].some((name) => Object.hasOwn(secrets, name))

/** Advice where a one-time code is asked for, and there is none to fill in. */
export const LACKS_CODE =
  'it asks for a one-time code: name one in `secrets`, as `code: { totp: … }` with the seed of an authenticator app, or as a function that gets it'

/** Tests for a page that asks for a one-time code alone. */
export const asksForCode = ({ forms, words }: LoginSigns): boolean =>
  words <= MAX_WORDS &&
  forms.some(({ isBox, code, password }) => !isBox && code !== undefined && password === undefined)

const asksForSecret = ({ password, code, fields }: PageForm): boolean =>
  password !== undefined || code !== undefined || fields.some(({ name }) => fieldNames.anyCode.test(name))

/** Tests for a form of hidden fields that a script sends, as single sign-on uses it between hosts. It is the POST binding of SAML. */
const sendsItself = ({ fields, method }: PageForm, { body }: FetchedPage): boolean =>
  method === 'post' &&
  fields.some(({ type }) => type === 'hidden') &&
  fields.every(({ type }) => type === 'hidden' || type === 'submit') &&
  /\.\s*submit\s*\(/.test(
    Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, 100_000)).toString('latin1'),
  )
