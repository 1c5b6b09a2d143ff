import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LoginOptions } from '../../../src/index.js'
import { makeTotp } from '../../../src/features/login/totp.js'
import { PASSWORD, SEED, USER } from './login-site.js'

/** Kinds of sites whose login or session is no plain form with a cookie. */
export const oddKinds = [
  'authorization code',
  'authorization code, remembered',
  'three hosts',
  'idle timeout',
  'absolute timeout',
  'address of the visitor',
  'real address of the visitor',
  'header by GraphQL',
  'GraphQL, refused with 200',
  'refresh token',
  'rotating cookie',
  'one-time code',
  'box on every page',
  'home page in the place of a page',
] as const
export type OddKind = (typeof oddKinds)[number]

/** Time of the site: a clock that the test and the engine share. */
const MINUTE_MS = 60_000
const IDLE_MS = 30 * MINUTE_MS

interface Session {
  readonly address: string
  readonly endsMs: number
  seenMs: number
  /** Cookies that are taken: the last one, and the one before it for a moment. */
  keys: string[]
}

export interface OddSite extends AsyncDisposable {
  readonly url: string
  readonly login: LoginOptions
  /** Every request: its host, method and target. */
  readonly log: readonly string[]
  /** `wrong` counts forms that were sent with a wrong password or code, `lies` those that carry a state or a code of nobody. */
  readonly counts: { logins: number; wrong: number; lies: number; served: number; cuts: number }
  readonly now: () => number
}

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const textOf = (page: number): string =>
  Array.from({ length: 50 }, (_, index) => `Ship ${page * 7 + index} leaves with crates of fruit.`).join(' ')

const FORM = '<input name="user"><input type="password" name="pass"><button>Sign in</button>'

const send = (response: ServerResponse, page: string, status = 200, headers: Record<string, string | string[]> = {}) =>
  void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page)
const go = (response: ServerResponse, location: string, headers: Record<string, string | string[]> = {}) =>
  void response.writeHead(302, { location, ...headers }).end()
const cookieOf = ({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined =>
  cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
const json = (response: ServerResponse, value: object, status = 200) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))

type Answer = (request: IncomingMessage, response: ServerResponse, url: URL, body: string) => void

/** One made site: its hosts share their state. */
class Maker {
  readonly log: string[] = []
  readonly counts = { logins: 0, wrong: 0, lies: 0, served: 0, cuts: 0 }
  readonly #kind: OddKind
  readonly #cuts: ReadonlySet<number>
  readonly #pages: number
  readonly #servers: Server[] = []
  readonly #sessions = new Set<Session>()
  readonly #issued = new Set<string>()
  #remembered: string | undefined
  #nowMs = Date.UTC(2026, 0, 1)
  /** The address from which the visitor comes, as a site behind a proxy is told. */
  #address = 1
  site = ''
  #provider = ''
  #broker = ''

  constructor(kind: OddKind, cuts: ReadonlySet<number>, pages: number) {
    this.#kind = kind
    this.#cuts = cuts
    this.#pages = pages
  }

  readonly now = (): number => this.#nowMs

  async open(): Promise<OddSite> {
    this.#provider = await this.#serve('provider', this.#provide, 'localhost')
    this.#broker = await this.#serve('broker', this.#broke, 'localhost')
    this.site = await this.#serve('site', this.#answer, '127.0.0.1')
    return {
      url: `${this.site}/members/0`,
      login: this.#login,
      log: this.log,
      counts: this.counts,
      now: this.now,
      [Symbol.asyncDispose]: async () => {
        for (const server of this.#servers) {
          server.closeAllConnections()
          await new Promise((resolve) => server.close(resolve))
        }
      },
    }
  }

  get #login(): LoginOptions {
    const isCode = this.#kind === 'one-time code'
    const login = {
      url: `${this.site}/login`,
      fields: { username: USER },
      secrets: { password: () => PASSWORD, ...(isCode && { code: { totp: () => SEED } }) },
    }
    if (this.#kind === 'refresh token') return { url: this.site, function: () => this.#refresh() }
    if (this.#kind === 'header by GraphQL')
      return { url: this.site, function: ({ secret }) => this.#query(secret), secrets: login.secrets }
    if (this.#kind !== 'GraphQL, refused with 200') return login
    const { secrets } = login
    return {
      url: this.site,
      function: ({ secret }) => this.#query(secret),
      secrets,
      loggedOutWhen: { text: 'UNAUTHENTICATED' },
    }
  }

  async #query(secret: (name: string) => Promise<string>) {
    const variables = { user: USER, pass: await secret('password') }
    const query = 'mutation ($user: String!, $pass: String!) { login(user: $user, pass: $pass) { token } }'
    const answer = await fetch(`${this.site}/graphql`, { method: 'POST', body: JSON.stringify({ query, variables }) })
    const { data } = (await answer.json()) as { data: { login: { token: string } } }
    return { headers: { Authorization: `Bearer ${data.login.token}` } }
  }

  async #refresh() {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: this.#remembered ?? 'first' })
    const answer = await fetch(`${this.site}/token`, { method: 'POST', body })
    const { access_token: token } = (await answer.json()) as { access_token: string }
    return { headers: { Authorization: `Bearer ${token}` } }
  }

  async #serve(name: string, answer: Answer, host: string): Promise<string> {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => {
        this.log.push(`${name} ${request.method} ${request.url}`)
        answer(request, response, new URL(request.url ?? '/', 'http://site'), text)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, host, resolve))
    this.#servers.push(server)
    return `http://${host}:${(server.address() as AddressInfo).port}`
  }

  #begin(request: IncomingMessage): string {
    const key = randomUUID()
    const endsMs = this.#nowMs + 8 * 60 * MINUTE_MS
    this.#sessions.add({ address: this.#addressOf(request), endsMs, seenMs: this.#nowMs, keys: [key] })
    return key
  }

  #addressOf({ socket }: IncomingMessage): string {
    return this.#kind.startsWith('real') ? (socket.remoteAddress ?? '') : `192.0.2.${this.#address}`
  }

  /** Ends the session in the way of the kind. */
  #cut(): void {
    this.counts.cuts += 1
    if (this.#kind === 'idle timeout') this.#nowMs += IDLE_MS + 1
    else if (this.#kind === 'absolute timeout') this.#nowMs += 9 * 60 * MINUTE_MS
    else if (this.#kind === 'address of the visitor') this.#address += 1
    else this.#sessions.clear()
  }

  #find(request: IncomingMessage): Session | undefined {
    const key = request.headers.authorization?.slice('Bearer '.length) ?? cookieOf(request, 'sid') ?? ''
    const session = [...this.#sessions].find(({ keys }) => keys.includes(key))
    if (!session) return undefined
    const isIdle = this.#kind === 'idle timeout' && this.#nowMs - session.seenMs > IDLE_MS
    const isOld = this.#kind === 'absolute timeout' && this.#nowMs > session.endsMs
    const isElsewhere = this.#kind.endsWith('address of the visitor') && session.address !== this.#addressOf(request)
    session.seenMs = this.#nowMs
    if (!isIdle && !isOld && !isElsewhere) return session
    this.#sessions.delete(session)
    return undefined
  }

  #isRight(body: URLSearchParams): boolean {
    const isRight = body.get('user') === USER && body.get('pass') === PASSWORD
    if (isRight) this.counts.logins += 1
    else this.counts.wrong += 1
    return isRight
  }

  /** Takes what was issued once. */
  #take(what: string | null | undefined): boolean {
    const isIssued = this.#issued.delete(what ?? '')
    if (!isIssued) this.counts.lies += 1
    return isIssued
  }

  #issue(): string {
    const what = randomUUID()
    this.#issued.add(what)
    return what
  }

  /** The identity provider: asks for the password, and sends the visitor back with a code. */
  readonly #provide: Answer = (request, response, { pathname, searchParams, search }, text): void => {
    const back = (): void => {
      const to = new URL(searchParams.get('redirect_uri') ?? '')
      to.searchParams.set('code', this.#issue())
      to.searchParams.set('state', searchParams.get('state') ?? '')
      const remember = this.#remembered ?? this.#issue()
      this.#remembered = remember
      go(response, to.href, this.#kind.endsWith('remembered') ? { 'set-cookie': `sso=${remember}; Path=/` } : {})
    }
    if (pathname !== '/authorize') return send(response, 'No', 404)
    if (request.method === 'POST' && this.#isRight(new URLSearchParams(text))) return back()
    if (this.#remembered !== undefined && cookieOf(request, 'sso') === this.#remembered) return back()
    send(
      response,
      html('Sign in', `<form method="post" action="/authorize${search.replaceAll('&', '&amp;')}">${FORM}</form>`),
    )
  }

  /** A broker between the site and the provider. */
  readonly #broke: Answer = (_request, response, { pathname, searchParams }): void => {
    const state = searchParams.get('state') ?? ''
    if (pathname === '/start') {
      const to = new URLSearchParams({ redirect_uri: `${this.#broker}/back`, state, client_id: 'broker' })
      return go(response, `${this.#provider}/authorize?${to.toString()}`)
    }
    if (!this.#take(searchParams.get('code'))) return send(response, 'No', 400)
    const fields = `<input type="hidden" name="code" value="${this.#issue()}"><input type="hidden" name="state" value="${state}">`
    send(
      response,
      `<body onload="document.forms[0].submit()"><form method="post" action="${this.site}/callback">${fields}</form>`,
    )
  }

  #start(response: ServerResponse): void {
    const state = this.#issue()
    const to = new URLSearchParams({
      response_type: 'code',
      client_id: 'site',
      redirect_uri: `${this.site}/callback`,
      state,
    })
    const place = this.#kind === 'three hosts' ? `${this.#broker}/start` : `${this.#provider}/authorize`
    go(response, `${place}?${to.toString()}`, { 'set-cookie': `state=${state}; Path=/; HttpOnly` })
  }

  #refuse(response: ServerResponse): void {
    if (this.#kind.startsWith('authorization') || this.#kind === 'three hosts') return this.#start(response)
    if (this.#kind === 'header by GraphQL' || this.#kind === 'refresh token')
      return json(response, { error: 'invalid_token' }, 401)
    if (this.#kind === 'GraphQL, refused with 200')
      return json(response, { data: null, errors: [{ message: 'Not yours', extensions: { code: 'UNAUTHENTICATED' } }] })
    if (this.#kind === 'box on every page')
      return send(
        response,
        html(
          'Harbour news',
          `<div><form method="post" action="/login">${FORM}</form></div><p>${textOf(0)} Members read on.</p>`,
        ),
      )
    if (this.#kind === 'home page in the place of a page') return go(response, '/')
    go(response, '/login', { 'set-cookie': 'sid=anonymous; Path=/' })
  }

  #welcome(request: IncomingMessage, response: ServerResponse): void {
    const place = this.#kind.endsWith('remembered') ? '/home' : '/members/0'
    go(response, place, { 'set-cookie': `sid=${this.#begin(request)}; Path=/; HttpOnly` })
  }

  #logIn(request: IncomingMessage, response: ServerResponse, body: URLSearchParams): void {
    const form = `<form method="post" action="/login">${FORM}</form>`
    if (this.#kind.startsWith('authorization') || this.#kind === 'three hosts') return this.#start(response)
    if (request.method === 'GET' || !this.#isRight(body)) return send(response, html('Welcome back', form))
    if (this.#kind !== 'one-time code') return this.#welcome(request, response)
    send(
      response,
      html(
        'Check',
        '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"><button>Go</button></form>',
      ),
    )
  }

  readonly #answer: Answer = (request, response, { pathname, searchParams }, text): void => {
    const body = new URLSearchParams(text)
    this.#nowMs += 1000
    if (pathname === '/login') return this.#logIn(request, response, body)
    if (pathname === '/callback') {
      const [state, code] = [
        searchParams.get('state') ?? body.get('state'),
        searchParams.get('code') ?? body.get('code'),
      ]
      const isOwn = state !== null && cookieOf(request, 'state') === state && this.#take(state) && this.#take(code)
      return isOwn ? this.#welcome(request, response) : send(response, 'Wrong state', 400)
    }
    if (pathname === '/code') {
      // The code before is taken as well: it may have been on its way.
      const codes = [0, 30_000].map((agoMs) => makeTotp(SEED, this.#nowMs - agoMs))
      if (codes.includes(body.get('digits') ?? '')) return this.#welcome(request, response)
      this.counts.wrong += 1
      return send(
        response,
        html('Check', '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"></form>'),
      )
    }
    if (pathname === '/graphql') {
      const { variables } = JSON.parse(text) as { variables: { user: string; pass: string } }
      return this.#isRight(new URLSearchParams(variables))
        ? json(response, { data: { login: { token: this.#begin(request) } } })
        : json(response, {}, 401)
    }
    if (pathname === '/token') {
      // Each refresh token is taken once.
      if (body.get('refresh_token') !== (this.#remembered ?? 'first')) this.counts.lies += 1
      this.#remembered = randomUUID()
      this.counts.logins += 1
      return json(response, { access_token: this.#begin(request), refresh_token: this.#remembered })
    }
    if (pathname === '/' && this.#kind === 'home page in the place of a page')
      return send(
        response,
        html('Harbour', `<form method="post" action="/login">${FORM}</form><p>Welcome to the harbour.</p>`),
      )
    if (pathname === '/home') return send(response, html('Home', `<p>${textOf(0)}</p>`))
    const [, number] = /^\/members\/(\d+)$/.exec(pathname) ?? []
    if (number === undefined) return send(response, 'No', 404)
    const session = this.#find(request)
    if (!session) return this.#refuse(response)
    this.#show(response, session, Number(number))
  }

  #show(response: ServerResponse, session: Session, page: number): void {
    this.counts.served += 1
    const headers: Record<string, string> = {}
    if (this.#kind === 'rotating cookie') {
      session.keys = [...session.keys.slice(-KEPT_KEYS + 1), randomUUID()]
      headers['set-cookie'] = `sid=${session.keys.at(-1)}; Path=/; HttpOnly`
    }
    if (this.#cuts.has(this.counts.served)) this.#cut()
    const links = [page * 2 + 1, page * 2 + 2]
      .filter((next) => next < this.#pages)
      .map((next) => `<a href="/members/${next}">Day ${next}</a>`)
    const ways = '<a href="/logout">Log out</a> <a href="/x/sign_out">Bye</a> <a href="/items/1/delete">Item</a>'
    send(response, html(`Day ${page} of the harbour`, `<p>${textOf(page)}</p>${links.join(' ')} ${ways}`), 200, headers)
  }
}

/** Cookies of a session that rotates which are taken: as many as there are requests at a time, for those on their way. */
const KEPT_KEYS = 20

/**
 * Starts a site on loopback, with a provider and a broker of its single sign-on.
 *
 * @param cuts numbers of pages after which the session ends: when so many have been served
 */
export const startOddSite = (kind: OddKind, cuts: ReadonlySet<number>, pages: number): Promise<OddSite> =>
  new Maker(kind, cuts, pages).open()
