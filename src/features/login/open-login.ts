import { RecentMap } from '../../base/collections/recent-map.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { EngineExtension, EngineInternals, FeatureSteps } from '../../kernel/engine/feature.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import type { JobHooks, JobView } from '../../kernel/job/job-hooks.js'
import { MendableError } from '../../kernel/page/feature-steps.js'
import type { AskedUrl } from '../../kernel/page/feature-page.js'
import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { accountOf } from './account.js'
import { addressOf } from './address-of.js'
import { askSigns } from './ask-signs.js'
import {
  isLedOn,
  isLoginAddress,
  isStrange,
  judgeByName,
  judgeLoginPage,
  type KnownLogin,
  MIN_ALIKE,
  type NamedSign,
} from './judge-login-page.js'
import { loginError, loginRow } from './login-error.js'
import { LoginSession } from './login-session.js'
import type { LoginOptions } from './login-options.js'
import { type LoginSlice, loginOf } from './plan-login.js'

/** Times that one page may come as the login page while it is not known whether its session was alive, before it fails. */
const MAX_DOUBTS = 3
/** Times that one page may meet the end of a session: sites may end them after a few pages. */
const MAX_LOSSES = 100
/** Sessions that later calls with the same login share. */
const MAX_SESSIONS = 100
/** Addresses to which pages were redirected that are remembered. */
const MAX_TARGETS = 1000
const NO_FORMS: KnownLogin['forms'] = new Set()

/** State of an engine: its sessions, and the jobs that are told of them. */
class LoginState {
  readonly jobs = new Set<JobView<LoginSlice>>()
  readonly sessions = new WeakMap<LoginOptions, LoginSession>()
  /** The last sessions: each call has its own copy of the same options. */
  recent: readonly LoginSession[] = []
  closing = new AbortController().signal

  readonly #announced = new WeakMap<LoginSlice, Set<string>>()

  /** Tells the job of a slice that the pages of a host wait: once for each session. */
  announce(slice: LoginSlice, { url, message, id = '' }: { url: string; message: string; id?: string }): void {
    const announced = this.#announced.get(slice) ?? new Set()
    this.#announced.set(slice, announced)
    const key = `${new URL(url).host} ${id}`
    if (announced.has(key)) return
    announced.add(key)
    for (const job of this.jobs) {
      if (job.slice === slice) job.announce({ host: new URL(url).host, code: 'LOGIN_REQUIRED', message })
    }
  }
}

const states = new WeakMap<EnginePlan, LoginState>()

function stateOf(settings: EnginePlan): LoginState {
  const known = states.get(settings)
  if (known) return known
  const state = new LoginState()
  states.set(settings, state)
  return state
}

/** Judges the pages of an engine, and has their sessions renewed. */
class LoginJudge {
  readonly #internals: EngineInternals
  readonly #state: LoginState
  readonly #losses = new WeakMap<object, { times: number; doubts: number; isOpen: boolean }>()
  readonly #turns = new WeakMap<object, { times: number; doubts: number }>()
  readonly #targets = new RecentMap<string, Set<string>>(MAX_TARGETS)

  constructor(internals: EngineInternals) {
    this.#internals = internals
    this.#state = stateOf(internals.settings)
  }

  /** Waits until it is known which pages need no login. */
  async open(): Promise<void> {
    const { ownFetcher } = this.#internals.settings
    if (ownFetcher?.isRecorded) await ownFetcher.open?.()
  }

  /** Tests for a page that is as somebody had it before: whether he was logged in is decided. */
  isRecorded(url: string): boolean {
    const { ownFetcher } = this.#internals.settings
    return ownFetcher?.isRecorded === true && ownFetcher.handles(url)
  }

  /** Returns the session of a page; undefined where nothing logs in. */
  sessionOf(slice: LoginSlice, url: string): LoginSession | undefined {
    const login = loginOf(slice)
    if (!login || this.isRecorded(url)) return undefined
    const known = this.#state.sessions.get(login)
    if (known) return known
    const { host, key } = accountOf(login)
    const profile = slice.profile ?? `login ${host} ${key}`
    const env = this.#internals.settings.env
    const { recent, sessions, closing } = this.#state
    const other = recent.find((one) => one.profile === profile && one.account.host === host && one.account.key !== key)
    if (other)
      throw loginError(
        `the profile \`${profile}\` is that of another account: give each its own \`profile\``,
        login.url,
      )
    const alike = recent.find((one) => one.profile === profile && one.isFor(login))
    const session = alike ?? new LoginSession({ login, profile, internals: this.#internals, env, closing })
    sessions.set(login, session)
    if (!alike) this.#state.recent = [session, ...recent].slice(0, MAX_SESSIONS)
    return session
  }

  /** Ends the fetch of a page that is the login page: it is fetched again after a login, or fails. @throws TrawlError `LOGIN_REQUIRED` */
  lose(why: string, { url, slice, plan, visit, sign }: LostPage): never {
    const session = this.sessionOf(slice, url)
    const message = `the page ${why}: the session has ended, or the page is for others`
    if (this.isRecorded(url)) throw loginError(`the page ${why}: so it was recorded`, url)
    if (!session) {
      this.#state.announce(slice, { url, message })
      throw loginError(`${message}. Log in again, or set \`login\``, url)
    }
    if (!session.reaches(url, plan.fetch))
      throw loginError(`${message}. The headers of \`login\` are not for this host: name it in \`headersFor\``, url)
    const lost = this.#losses.get(visit) ?? { times: 0, doubts: 0, isOpen: false }
    this.#losses.set(visit, lost)
    lost.times += 1
    const ended = plan.fetch.browser?.profile?.login ?? session.id
    throw new MendableError(loginError(message, url), loginRow, async (signal) => {
      const isDoubtful = lost.times > 1 || session.hasLied
      const state = isDoubtful ? await session.probe(ended, plan.fetch, signal) : 'ended'
      if (state === 'unknown') lost.doubts += 1
      if (state === 'alive') session.noteLie()
      if (state === 'alive' && !lost.isOpen) {
        // The box is one that members are shown as well, if the session is alive after it has come again.
        lost.isOpen = true
        return
      }
      if (state === 'alive' || lost.doubts >= MAX_DOUBTS || lost.times > MAX_LOSSES)
        throw loginError(`${message}, after a login`, url)
      if (session.id === ended) this.#state.announce(slice, { url, message, id: ended })
      await session.renew(ended, { ...plan.fetch, wanted: url, lost: { why, sign } }, signal)
    })
  }

  /**
   * Has a page fetched again that came as another one by way of the login, as where a single sign-on still knows the visitor and forgets
   * what he asked for. Where the session was alive some times, the page has moved.
   */
  askAgain({ url, slice, plan, visit }: LostPage, fetched: FetchedPage): void {
    const session = this.sessionOf(slice, url)
    if (!session || !isLedOn(url, fetched, session.known)) return
    const turns = this.#turns.get(visit) ?? { times: 0, doubts: 0 }
    this.#turns.set(visit, turns)
    turns.times += 1
    if (turns.doubts >= MAX_DOUBTS || turns.times > MAX_LOSSES) return
    const ended = plan.fetch.browser?.profile?.login ?? session.id
    const message = `the page was led to \`${addressOf(fetched.url)}\` by way of the login page`
    throw new MendableError(loginError(message, url), loginRow, async (signal) => {
      const state = await session.probe(ended, plan.fetch, signal)
      if (state !== 'ended') turns.doubts += 1
      if (state !== 'alive') await session.renew(ended, { ...plan.fetch, wanted: url }, signal)
    })
  }

  /** Tests for a page that was led on by the login before its session was found alive: what it has begun is not that of the others. */
  isStray(url: string, fetched: FetchedPage, of: { readonly session: LoginSession; readonly visit: object }): boolean {
    return isLedOn(url, fetched, of.session.known) && (this.#turns.get(of.visit)?.doubts ?? 0) === 0
  }

  /** Tests whether a page whose box counts as one for everybody may be that of a session that has ended meanwhile. */
  async isDoubtful({ url, slice, plan, visit }: LostPage, signal: AbortSignal): Promise<boolean> {
    const session = this.sessionOf(slice, url)
    if (!session || !this.#losses.get(visit)?.isOpen) return false
    return (await session.probe(plan.fetch.browser?.profile?.login ?? session.id, plan.fetch, signal)) !== 'alive'
  }

  /** Judges a page that was fetched. @returns why it is the login page; undefined for an ordinary page */
  async judge(asked: AskedUrl<LoginSlice>, fetched: FetchedPage, visit: object): Promise<string | undefined> {
    const named = judgeByName(loginOf(asked.slice), fetched)
    return named ? named.why : await this.#judgeUnnamed(asked, fetched, visit)
  }

  /** Returns the sign of the login by which alone a page is the login page. */
  async signAlone(asked: AskedUrl<LoginSlice>, fetched: FetchedPage, visit: object): Promise<NamedSign | undefined> {
    const named = judgeByName(loginOf(asked.slice), fetched)
    if (named?.why === undefined) return undefined
    return (await this.#judgeUnnamed(asked, fetched, visit)) === undefined ? named : undefined
  }

  async #judgeUnnamed(
    { url, slice, signal }: AskedUrl<LoginSlice>,
    fetched: FetchedPage,
    visit: object,
  ): Promise<string | undefined> {
    const { url: finalUrl, statusCode, headers, body } = fetched
    const isMoved = addressOf(url) !== addressOf(finalUrl)
    const { known: all } = this.sessionOf(slice, url) ?? {}
    // The box of a page that everybody gets says nothing.
    const known = all && this.#losses.get(visit)?.isOpen ? { ...all, forms: NO_FORMS } : all
    if (isStrange(fetched, known)) return 'is what strangers get in the place of others'
    const isSuspect = isMoved || statusCode === 403 || mayAsk(body, known)
    const signs = isSuspect ? await askSigns(this.#internals, fetched, signal) : undefined
    return judgeLoginPage({ url, finalUrl, statusCode, headers, signs, known, alike: this.#countAlike(url, finalUrl) })
  }

  #countAlike(url: string, finalUrl: string): number {
    const [from, to] = [addressOf(url), addressOf(finalUrl)]
    if (from === to) return 0
    const others = this.#targets.get(to) ?? new Set<string>()
    this.#targets.set(to, others)
    const alike = others.has(from) ? others.size - 1 : others.size
    // More would say no more.
    if (others.size <= MIN_ALIKE) others.add(from)
    return alike
  }
}

/** A page that came as the login page. */
interface LostPage {
  readonly url: string
  readonly slice: LoginSlice
  readonly plan: ScrapePlan
  readonly visit: object
  /** Sign of the login by which alone it is one. */
  readonly sign?: NamedSign
}

/** Opens the steps of an engine. */
export function openLogin(internals: EngineInternals): FeatureSteps<LoginSlice, never, never> {
  const judge = new LoginJudge(internals)
  return {
    // Only about redirects that the rules of the job deny: those to another host.
    async refuse({ url, from, slice }, { plan, visit }) {
      const { known } = judge.sessionOf(slice, from ?? url) ?? {}
      if (from === undefined || !isLoginAddress(url, known) || isLoginAddress(from, known)) return undefined
      return judge.lose(`leads to \`${new URL(url).host}\` for a login`, { url: from, slice, plan, visit })
    },
    async request(asked, { plan, visit }) {
      const { slice, signal } = asked
      await judge.open()
      const session = judge.sessionOf(slice, asked.url)
      if (!session) return undefined
      await session.ready({ ...plan.fetch, wanted: asked.url }, signal)
      const { profile: name, id } = session
      const headers = session.headersFor(asked.url, plan.fetch)
      const mayKeep = async (page: FetchedPage) =>
        !judge.isStray(asked.url, page, { session, visit }) && (await judge.judge(asked, page, visit)) === undefined
      return { headers, profile: { name, saveChanges: true, login: id, mayKeep } }
    },
    async afterDigest(page, { fetched, plan, visit }) {
      if (page.isGiven) return undefined
      const { url, slice } = page
      const why = await judge.judge(page, fetched, visit)
      const session = judge.sessionOf(slice, url)
      if (why === undefined) {
        const asked = { url, slice, plan, visit }
        judge.askAgain(asked, fetched)
        if (await judge.isDoubtful(asked, page.signal)) return judge.lose('has the form of the login page', asked)
        if (page.statusCode < 300) session?.noteGood(url)
        return undefined
      }
      // Who asks for the login page gets it; a crawl leaves it out.
      if (isLoginAddress(url, session?.known)) return slice.isCrawl ? { refused: `the page ${why}` } : undefined
      return judge.lose(why, { url, slice, plan, visit, sign: await judge.signAlone(page, fetched, visit) })
    },
  }
}

/** Tests for words that every form of a login has, and for the places to which known ones are sent. */
const mayAsk = (body: Uint8Array, known: KnownLogin | undefined): boolean => {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const places = [...(known?.forms ?? [])].map((form) => new URL(form.split(' ', 1)[0] ?? '').pathname)
  const has = (word: string): boolean => bytes.includes(word)
  if (['assword', 'ASSWORD', 'one-time-code', 'otp', ...places.filter((place) => place !== '/')].some(has)) return true
  return bytes.length <= MAX_BARE && BARE_WORDS.some(has)
}

/** Words of a page that may have little else than a login without a password. */
const BARE_WORDS = ['<form', '<FORM', '/auth', '/sso', 'saml', 'oauth', '<iframe', '<IFRAME', 'location']
/** Length of the source of a page that may have little else than a login without a password. Bytes. */
const MAX_BARE = 60_000

const FAILED =
  'Pages came as the login page, and are missing (`LOGIN_REQUIRED`): the session has ended, or the login was refused. See `errors()`, and the option `login`.'

/** Tells jobs of lost sessions. */
export function extendWithLogin({ settings, closing }: EngineParts): EngineExtension {
  const state = stateOf(settings)
  state.closing = closing
  return {
    job: (job: JobView<LoginSlice>): JobHooks => ({
      begin: () => void state.jobs.add(job),
      restore: async () => void state.jobs.add(job),
      async ended(_row, ending) {
        if (ending.outcome === 'failed' && ending.code === 'LOGIN_REQUIRED') job.warn(FAILED)
        return undefined
      },
      conclude: async () => void state.jobs.delete(job),
    }),
    // No login writes to a store after the engine has closed.
    close: async () => void (await Promise.all(state.recent.map((session) => session.ended()))),
  }
}
