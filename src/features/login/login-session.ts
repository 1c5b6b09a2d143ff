import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import type { Variables } from '../../base/runtime/ask-secret.js'
import type { EngineInternals } from '../../kernel/engine/feature.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { FetchPlan } from '../../kernel/fetch/fetcher.js'
import { isInHeaderScope } from '../../base/http/header-scope.js'
import { CookieJar, type PageCookies } from '../../base/http/cookies.js'
import type { KeptSession, SessionStore } from '../../kernel/fetch/renderer.js'
import { type Account, accountOf, makeSessionId, NOBODY, ownerOf } from './account.js'
import { describeBrowserOutcome, isUnfilled, makeLoginActions } from './browser-login.js'
import { addressOf, isExposed, isForSite } from './address-of.js'
import { findField, isCodeName, roleOf } from './fill-form.js'
import { mayLogIn } from './choose-form.js'
import { compareVisitors, sparesForm } from './compare-visitors.js'
import { isBeside, isLedOn, judgeByName, judgeShown, type KnownLogin } from './judge-login-page.js'
import { EXPOSED, loginError, OTHER_SECRETS, sayStrayed } from './login-error.js'
import { askHeaders } from './ask-headers.js'
import { askSigns } from './ask-signs.js'
import type { LoginOptions } from './login-options.js'
import { LOGIN_MS, type LoginFetch, type LoginPlan, planLoginFetch } from './plan-login-fetch.js'
import { LoginFailures } from './login-failures.js'
import { LoginSecrets, secretProofs } from './secrets.js'
import { lockProfile } from './lock-profile.js'
import { asksForCode, type LoginOutcome, submitLogin } from './submit-login.js'
import { type AskAs, isToldApart } from './visitor-texts.js'
import { nextTotpMs } from './totp.js'

/** Times that a login is refused before it is given up: most sites lock an account after three to five. */
const MAX_REFUSALS = 2
/** Logins in a row after which no page came right, before it is given up: fewer where a sign alone says that one did not. */
const [MAX_BARREN, MAX_UNSIGNED] = [10, 2]
/** Actions of a page that the browser looks at. */
const LOOK = [{ type: 'wait', milliseconds: 800 }] as const
/** Time that one login waits for that of another process, and time to give the lock back. Milliseconds. */
const [LOCK_MS, UNLOCK_MS] = [120_000, 2_000] as const

interface SessionParts {
  readonly login: LoginOptions
  readonly profile: string
  readonly internals: EngineInternals
  readonly env: Variables | undefined
  /** Aborted when the engine closes. */
  readonly closing: AbortSignal
}

/** Request of the login, with cookies of its own or those of the session. */
type VisitorFetch = Omit<LoginFetch, 'headers'> & { readonly cookies?: PageCookies }

/** Session of a profile: logs in once for all pages that wait, and again when it has ended. */
export class LoginSession {
  readonly profile: string
  readonly account: Account
  readonly #parts: SessionParts
  readonly #addresses = new Set<string>()
  readonly #forms = new Set<string>()
  readonly #strange = new Set<string>()
  readonly #secrets: LoginSecrets
  readonly #failures: LoginFailures
  /** True if the profile has a session that was begun with other secrets: only a login of its own gives pages. */
  #isDoubted = false
  #id: string | undefined
  #running: Promise<void> | undefined
  /** Logins since the last page that came right. */
  #barren = 0
  /** A page that came right, by which a session is tested. */
  #goodUrl: string | undefined
  /** The last page that was found to be for everybody: a login may lead to it each time. */
  #openUrl: string | undefined
  /** True if the last login came back with its form, and was found to have worked by what strangers do not get. */
  #isUnsure = false
  #hasLied = false
  /** True if it is known what strangers are shown. */
  #hasLearned = false
  /** True if another process has begun the session. */
  #isAdopted = false
  /** Headers of a `function`. */
  #headers: Readonly<Record<string, string>> | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.profile = parts.profile
    this.account = accountOf(parts.login)
    this.#secrets = new LoginSecrets(parts.login, { env: parts.env, now: () => parts.internals.now() })
    this.#failures = new LoginFailures(addressOf(parts.login.url), this.#secrets, parts)
    this.#addresses.add(addressOf(parts.login.url))
  }

  /** Facts that are known of the pages of the login. */
  get known(): KnownLogin {
    return { addresses: this.#addresses, forms: this.#forms, strange: this.#strange }
  }

  /** Identifies the session that pages are requested with from now on. */
  get id(): string | undefined {
    return this.#id
  }

  /** Tests whether the login is for a URL: headers of a `function` are for the host of its `url` and those of `headersFor`, cookies say it themselves. */
  reaches(url: string, { headerScope }: Pick<FetchPlan, 'headerScope'>): boolean {
    const { login } = this.#parts
    return !login.function || isInHeaderScope(new URL(url), { hosts: headerScope?.hosts, namedUrl: login.url })
  }

  /** Returns the headers of a `function` for a URL. */
  headersFor(url: string, plan: Pick<FetchPlan, 'headerScope'>): Readonly<Record<string, string>> | undefined {
    return this.reaches(url, plan) ? this.#headers : undefined
  }

  /** Waits for a login under way, and for the first one. @throws TrawlError if the login was given up; the signal's reason */
  async ready(plan: LoginPlan, signal: AbortSignal): Promise<void> {
    this.#failures.throwGivenUp()
    if (this.#id === undefined || this.#running) await this.renew(this.#id, plan, signal)
  }

  /**
   * Logs in, unless the session is no longer the one that has ended. All callers wait for one login.
   *
   * @param ended the session with which a page came as the login page
   * @throws TrawlError `LOGIN_REQUIRED` if it was given up; errors of the login; the signal's reason
   */
  async renew(ended: string | undefined, plan: LoginPlan, signal: AbortSignal): Promise<void> {
    this.#failures.throwGivenUp()
    if (!this.#running && this.#id !== ended) return
    this.#running ??= this.#logIn(plan).finally(() => (this.#running = undefined))
    await untilAborted(this.#running, signal)
  }

  /** Notes a page that came right. */
  noteGood(url: string): void {
    if (url !== this.#openUrl) this.#goodUrl ??= url
    this.#barren = 0
  }

  /** Notes a page that is the login page while the session is alive: one that this account must not see. */
  noteLie(): void {
    this.#hasLied = true
  }

  /** True if such a page was met: the next one may be another. */
  get hasLied(): boolean {
    return this.#hasLied
  }

  /** True if it logs in in the same way. */
  isFor(login: LoginOptions): boolean {
    return isDeepStrictEqual(login, this.#parts.login)
  }

  /** Tests by a page that came right before whether the session of a lost page is alive. A session that another has followed has ended. */
  async probe(ended: string | undefined, plan: LoginPlan, signal: AbortSignal): Promise<'alive' | 'ended' | 'unknown'> {
    if (!(await this.#isCurrent(ended, signal))) return 'ended'
    const url = this.#goodUrl
    // What another process has begun, it may have lost as well.
    if (url === undefined) return this.#isAdopted ? 'ended' : 'unknown'
    const shown = await this.#look(url, plan, signal, true)
    if (shown === 'login') return 'ended'
    // A page that everybody sees says nothing: the next page that comes right is asked in its place.
    // Another machine may have logged in while it was asked, whose session it has then come with.
    if (shown === 'page' && (await this.#look(url, plan, signal)) === 'login')
      return (await this.#isCurrent(ended, signal)) ? 'alive' : 'ended'
    if (shown === 'page') this.#openUrl = url
    this.#goodUrl = undefined
    return 'unknown'
  }

  /** Tests whether a session is the one that this process and its profile have. */
  async #isCurrent(session: string | undefined, signal: AbortSignal): Promise<boolean> {
    const isOwn = this.#parts.login.function !== undefined
    return this.#id === session && (isOwn || ((await this.#read(signal))?.login ?? '') === session)
  }

  /** Looks at a page, with the session or without it. */
  async #look(
    url: string,
    plan: LoginPlan,
    signal: AbortSignal,
    profile?: true,
  ): Promise<'page' | 'login' | 'neither'> {
    const page = await this.#fetch(url, plan, signal, { profile }).catch(() => undefined)
    return page ? await this.#judge(url, page, signal) : 'neither'
  }

  #judge(url: string, page: FetchedPage, signal: AbortSignal): ReturnType<typeof judgeShown> {
    const { login } = this.#parts
    return judgeShown({ login, known: this.known, url }, page, (one) => askSigns(this.#parts.internals, one, signal))
  }

  /** Waits for the end of a login under way. */
  async ended(): Promise<void> {
    await this.#running?.catch(() => undefined)
  }

  async #logIn(plan: LoginPlan): Promise<void> {
    const { closing } = this.#parts
    const waiting = AbortSignal.any([AbortSignal.timeout(LOCK_MS), closing])
    let unlock: (() => Promise<void>) | undefined
    try {
      if (await this.#adopt(plan, waiting)) return
      unlock = await lockProfile(this.#sessions, this.profile, waiting)
      const signal = AbortSignal.any([AbortSignal.timeout(LOGIN_MS), closing])
      // Another process may have logged in while this one waited.
      if (await this.#adopt(plan, signal)) return
      await this.#leaveOther(signal)
      await this.#tryUntilIn(plan, signal)
      this.#failures.clear()
    } catch (error) {
      throw await this.#failures.describe(error)
    } finally {
      // Codes and passwords stay no longer than they are needed.
      this.#secrets.clear()
      // The lock of a store that hangs ends by itself.
      if (unlock) await untilAborted(unlock(), AbortSignal.timeout(UNLOCK_MS)).catch(() => undefined)
    }
  }

  #read(signal: AbortSignal): Promise<KeptSession | undefined> {
    return untilAborted(this.#sessions.read(this.profile, signal), signal)
  }

  #save(state: KeptSession, before: KeptSession | undefined, signal: AbortSignal): Promise<void> {
    return untilAborted(this.#sessions.save(this.profile, state, before), signal)
  }

  /** Takes over the session that the profile has, unless it is the one that has ended. */
  async #adopt(plan: LoginPlan, signal: AbortSignal): Promise<boolean> {
    const { login } = this.#parts
    this.#isDoubted = false
    const stored = await this.#read(signal)
    const id = stored && (stored.login ?? '')
    if (id === undefined || id === this.#id || login.function || ownerOf(id, this.account) !== 'own') return false
    const proof = secretProofs.of(id)
    if (proof) {
      const secrets = await untilAborted(this.#secrets.readAll(proof.names), signal)
      this.#isDoubted = !proof.isOf(secrets)
    }
    if (this.#isDoubted) return false
    // Who logs in has seen the form: others cannot tell a page with a box for the login from the end of the session.
    // Where everybody gets such a box, the page of the login tells whether the session is alive.
    const isAsked = !this.#hasLearned && (await this.#learnStrange(plan, signal)) === 'asked'
    if (isAsked && !sparesForm(await this.#compare(login.url, plan, signal))) return false
    this.#id = id
    this.#isAdopted = true
    return true
  }

  /** Forgets the session of another account of the site: it would be let in as that. */
  async #leaveOther(signal: AbortSignal): Promise<void> {
    const stored = await this.#read(signal)
    if (!stored?.login || ownerOf(stored.login, this.account) !== 'another account') return
    await this.#save({ cookies: [], origins: [], login: NOBODY }, stored, signal)
  }

  async #tryUntilIn(plan: LoginPlan, signal: AbortSignal): Promise<void> {
    const { login } = this.#parts
    await this.#endBarren(plan)
    this.#barren += 1
    if (login.function) return await this.#callFunction(login.function, signal)
    this.#isUnsure = false
    let why = ''
    let mayUseHttp = login.flow === undefined
    for (let refusals = 0; refusals < MAX_REFUSALS;) {
      const trying = mayUseHttp
        ? this.#submit(plan, signal, refusals > 0 || this.#isDoubted)
        : this.#logInInBrowser(plan, signal)
      const outcome = await trying.catch((error: unknown) => {
        // What was refused once must not be tried again and again because a browser is missing.
        if (refusals === 0) throw error
        return undefined
      })
      if (outcome?.result === 'in') return
      // Each further try would have a further code sent to a phone.
      if (outcome?.result === 'lacks code' || outcome?.result === 'misnamed') await this.#failures.giveUp(outcome.why)
      why = outcome?.why ?? why
      const { mayUseBrowser } = this.#parts.internals
      const isRefused = outcome?.result === 'refused'
      if (this.#isDoubted && !isRefused && !mayUseBrowser) await this.#failures.giveUp(OTHER_SECRETS)
      if (!isRefused && (!mayUseHttp || !mayUseBrowser || !outcome)) break
      if (isRefused) refusals += 1
      // A form that comes back may be one that its script sends otherwise.
      mayUseHttp &&= isRefused && !mayUseBrowser
      // A code is accepted once, and may have ended on its way.
      if (refusals < MAX_REFUSALS && isRefused && this.#secrets.hasCode)
        await sleep(nextTotpMs(this.#parts.internals.now()), undefined, { signal })
    }
    await this.#failures.giveUp(`${why}. Check its \`fields\` and \`secrets\``)
  }

  /** Gives up after logins that brought no page. */
  async #endBarren({ lost, wanted }: LoginPlan): Promise<void> {
    const times = this.#barren
    if (times < (lost?.sign || this.#isUnsure ? MAX_UNSIGNED : MAX_BARREN)) return
    this.#barren = 0
    const page = wanted === undefined ? 'a page' : `the page \`${addressOf(wanted)}\``
    const last = lost ? `: ${page} ${lost.why}` : ''
    if (lost?.sign)
      await this.#failures.giveUp(
        `no form is left after each of ${times} logins, but ${page} ${lost.why}. ${lost.sign.advice}`,
      )
    await this.#failures.giveUp(`after each of ${times} logins, pages came as the login page${last}`)
  }

  async #callFunction(call: NonNullable<LoginOptions['function']>, signal: AbortSignal): Promise<void> {
    this.#headers = await askHeaders(call, this.#secrets, { url: this.#parts.login.url, signal })
    this.#id = makeSessionId(this.account, this.#parts.internals.now())
  }

  async #submit(plan: LoginPlan, signal: AbortSignal, isAgain: boolean): Promise<LoginOutcome> {
    const { login } = this.#parts
    const before = await this.#read(signal)
    // The second time without what an ended session has left.
    const kept = isAgain ? [] : (before?.cookies ?? [])
    const cookies: PageCookies = { jar: new CookieJar(kept) }
    const shown = await submitLogin(login, {
      request: async (url, form) => {
        if (form && (isExposed(url, login) || isExposed(form.from, login))) throw loginError(EXPOSED, login.url)
        if (form?.isSecret && !isForSite(url, form.from, { ...plan, login }))
          throw loginError(sayStrayed(url), login.url)
        return await this.#fetch(url, plan, signal, { cookies, form: form?.body })
      },
      read: (page) => askSigns(this.#parts.internals, page, signal),
      value: (name, isOnce) => this.#secrets.read(name, isOnce),
      isIn: (page) => this.#isIn(page, plan, signal, cookies),
      isMember: (page) => this.#isMember(page, plan, signal, cookies),
    })
    // A site that still knows the visitor, by another cookie than that of its session, shows no form: it lets him in, or is asked without.
    const isKnown = shown.result === 'needs browser' && kept.length > 0
    const isLetIn = isKnown && this.#barren <= 1 && isLedOn(login.url, shown.page, this.known)
    if (isKnown && !isLetIn) return await this.#submit(plan, signal, true)
    const outcome: LoginOutcome = isLetIn ? { ...shown, result: 'in' } : shown
    if (outcome.result === 'in') {
      const state = { cookies: cookies.jar?.list() ?? [], origins: before?.origins ?? [] }
      await this.#begin(outcome, { state, before }, signal)
      this.#hasLearned = true
    }
    return outcome
  }

  /** Logs in in the browser, which puts a session of other secrets aside, and back where this one is not let in. */
  async #logInInBrowser(plan: LoginPlan, signal: AbortSignal): Promise<LoginOutcome> {
    const other = this.#isDoubted ? await this.#read(signal) : undefined
    if (!other) return await this.#fillInBrowser(plan, signal)
    await this.#save({ cookies: [], origins: [], login: NOBODY }, other, signal)
    try {
      return await this.#fillInBrowser(plan, signal)
    } finally {
      const ending = AbortSignal.timeout(UNLOCK_MS)
      if (this.#isDoubted) await this.#save(other, await this.#read(ending), ending)
    }
  }

  async #fillInBrowser(plan: LoginPlan, signal: AbortSignal): Promise<LoginOutcome> {
    const { login } = this.#parts
    const values = await Promise.all(
      this.#secrets.names.map(async (name) => ({
        name,
        role: roleOf(name),
        value: await this.#secrets.read(name, isCodeName(name)),
      })),
    )
    const actions = login.flow ?? makeLoginActions(values, new URL(login.url).protocol)
    const page = await this.#fetch(login.url, plan, signal, {
      profile: true,
      actions,
      secrets: login.flow ? undefined : this.#secrets.known,
    })
    const signs = await askSigns(this.#parts.internals, page, signal)
    const asks = signs.forms.filter(({ password, code }) => password !== undefined || code !== undefined)
    const isShown = asks.some(({ isBox }) => !isBox)
    if (isShown && [page.url, ...asks.map(({ action }) => action)].some((url) => isExposed(url, login)))
      throw loginError(EXPOSED, login.url)
    const isBack =
      isShown &&
      (addressOf(page.url) === addressOf(login.url) || asks.some(({ signature }) => this.#forms.has(signature)))
    const isRefused = isBack && !(isBeside(signs) && (await this.#isMember(page, plan, signal)))
    const mayLack = login.flow === undefined && asksForCode(signs) && !(await this.#isIn(page, plan, signal))
    const lacks =
      mayLack && !signs.forms.some((form) => this.#secrets.names.some((name) => findField(form, name) === form.code))
    // A site that still knows the visitor may show him no form.
    const isBare = isUnfilled(login, page) && (this.#id === undefined || this.#barren > 1)
    const result = lacks ? 'lacks code' : isBare ? 'misnamed' : isRefused || mayLack ? 'refused' : 'in'
    const outcome: LoginOutcome = {
      result,
      why: describeBrowserOutcome(result, login, signs),
      addresses: [addressOf(login.url)],
      forms: asks.map(({ signature }) => signature),
      page,
      signs,
    }
    if (outcome.result === 'in') {
      const stored = (await this.#read(signal)) ?? { cookies: [], origins: [] }
      await this.#begin({ ...outcome, forms: [] }, { state: stored, before: stored }, signal)
      // Once: sites may end a session after a few pages, and what strangers get is no other later.
      if (!this.#hasLearned) await this.#learnStrange(plan, signal)
    }
    return outcome
  }

  /**
   * Learns what strangers get in the place of a page that members see otherwise: forms that ask for a secret, and the source as a whole,
   * which has no sign of a form that a script makes. @returns `asked` if the session is asked for a secret, as a stranger is
   */
  async #learnStrange(plan: LoginPlan, signal: AbortSignal): Promise<'asked' | undefined> {
    const told = await this.#compare(plan.wanted ?? this.#parts.login.url, plan, signal)
    if (told === undefined || told === 'asked') return told
    this.#hasLearned = true
    for (const form of told.forms) this.#forms.add(form)
    if (told.digest !== undefined) this.#strange.add(told.digest)
    return undefined
  }

  #compare(url: string, plan: LoginPlan, signal: AbortSignal): ReturnType<typeof compareVisitors> {
    const ask = this.#askAs(url, plan, signal, { profile: true })
    return compareVisitors(url, ask, (page) => askSigns(this.#parts.internals, page, signal))
  }

  /** Returns a function that asks for a page as two visitors. A stranger keeps the cookies that he is given: the first visit may differ. */
  #askAs(url: string, plan: LoginPlan, signal: AbortSignal, member: VisitorFetch): AskAs {
    const stranger = { cookies: { jar: new CookieJar([]) } }
    return (visitor) => this.#fetch(url, plan, signal, visitor === 'member' ? member : stranger).catch(() => undefined)
  }

  /**
   * Tests whether a visitor is logged in whose page asks again for what was filled in: everybody may be shown the form, beside the content.
   * The page that is wanted, or that to which the login has led, is then another one than strangers get.
   */
  async #isMember(page: FetchedPage, plan: LoginPlan, signal: AbortSignal, cookies?: PageCookies): Promise<boolean> {
    const named = judgeByName(this.#parts.login, page)
    if (named) return named.why === undefined
    const member = cookies ? { cookies } : { profile: true as const }
    for (const url of new Set([plan.wanted ?? page.url, page.url])) {
      this.#isUnsure = await isToldApart(url, this.#askAs(url, plan, signal, member))
      if (this.#isUnsure) return true
    }
    return false
  }

  /**
   * Tests whether a visitor whose page asks for a code is logged in: it may be one to join a meeting, or to set up codes. The page of the
   * login then shows no form any more, or the page that is wanted shows itself to nobody else. @param cookies those of the session, over HTTP
   */
  async #isIn(page: FetchedPage, plan: LoginPlan, signal: AbortSignal, cookies?: PageCookies): Promise<boolean> {
    const { login } = this.#parts
    const named = judgeByName(login, page)
    if (named) return named.why === undefined
    const how = cookies ? { cookies } : { profile: true as const, actions: LOOK }
    const ask = (url: string) => this.#fetch(url, plan, signal, how).catch(() => undefined)
    const shown = await ask(login.url)
    // In the browser, a form that is not there yet says nothing.
    const mayTell = shown && shown.statusCode < 400 && (cookies || addressOf(shown.url) !== addressOf(login.url))
    if (mayTell && !(await askSigns(this.#parts.internals, shown, signal)).forms.some(mayLogIn)) return true
    const { wanted = login.url } = plan
    const own = wanted === login.url ? undefined : await ask(wanted)
    if (!own || addressOf(own.url) !== addressOf(wanted)) return false
    return (await this.#judge(wanted, own, signal)) === 'page' && (await this.#look(wanted, plan, signal)) === 'login'
  }

  /** Stores the session, and learns by what its login pages are known. */
  async #begin(
    outcome: LoginOutcome,
    { state, before }: { readonly state: KeptSession; readonly before: KeptSession | undefined },
    signal: AbortSignal,
  ): Promise<void> {
    const id = makeSessionId(this.account, this.#parts.internals.now())
    await this.#save({ ...state, login: id }, before, signal)
    secretProofs.add(id, this.#secrets.lasting, before?.login)
    this.#id = id
    this.#isAdopted = false
    this.#isDoubted = false
    for (const address of outcome.addresses) this.#addresses.add(address)
    // A page that members see as well, such as the home page, is no sign.
    this.#addresses.delete(addressOf(outcome.page.url))
    // One that asks for a code, or does not show that somebody is logged in, is judged as the login page.
    const isDoubtful = asksForCode(outcome.signs) || judgeByName(this.#parts.login, outcome.page)?.why !== undefined
    if (outcome.page.url !== this.#openUrl && !isDoubtful) this.#goodUrl ??= outcome.page.url
    // A form that members see as well says nothing.
    const shown = new Set(outcome.signs.forms.map(({ signature }) => signature))
    for (const form of outcome.forms) if (!shown.has(form)) this.#forms.add(form)
  }

  get #sessions(): SessionStore {
    const { sessions } = this.#parts.internals
    if (sessions) return sessions
    throw loginError('sessions are kept by the feature `browser`, which is not there', this.#parts.login.url)
  }

  #fetch(
    url: string,
    page: LoginPlan,
    signal: AbortSignal,
    how: VisitorFetch & { readonly form?: string },
  ): Promise<FetchedPage> {
    const { cookies, form, ...asked } = how
    const headers = (asked.profile && this.headersFor(url, page)) ?? {}
    const plan = planLoginFetch(page, this.profile, { ...asked, headers })
    return this.#parts.internals.fetchPage({ url, sourceURL: url, cookies, form }, plan, signal)
  }
}
