import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine, type CrawlRequest, type EngineConfig, type LoginOptions } from '../../../src/index.js'
import { makeTotp } from '../../../src/features/login/totp.js'

/** Kinds of made sites behind a login. */
export const kinds = [
  'form',
  'csrf',
  'two steps',
  'code',
  'sso',
  'redirect home',
  'soft',
  'rotating',
  'absolute',
  '401',
  '403 form',
  'box on every page',
  'token',
  'script form',
] as const
export type SiteKind = (typeof kinds)[number]

export const SEED = 'JBSWY3DPEHPK3PXP'
export const USER = 'anna'
export const PASSWORD = 'correct-horse-battery'

interface Session {
  readonly id: string
  requests: number
  isOver: boolean
}

/** A made site behind a login, on loopback: its pages link to each other, and one link signs out. */
export interface LoginSite extends AsyncDisposable {
  readonly url: string
  readonly pages: number
  readonly loginUrl: string
  readonly log: readonly string[]
  /** Times that somebody has logged in, and that a password was wrong. */
  readonly logins: () => number
  readonly wrong: () => number
  readonly tokens: () => number
  /** Ends all sessions. */
  cut(): void
  issueToken(): string
}

const words = (page: number): string =>
  Array.from({ length: 60 }, (_, index) => `Ship ${page * 7 + index} leaves the harbour with crates of fruit.`).join(
    ' ',
  )

const html = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

/** A form that a script makes and sends, as a framework does: what is typed counts only by its events. */
const SCRIPT_FORM = `<!doctype html><html><head><title>Acme</title></head><body><div id="root"></div><script>
  setTimeout(() => {
    const state = {};
    document.getElementById('root').innerHTML = '<h1>Sign in</h1><div><input id="mail" type="email"><input id="secret" type="password"><button type="button">Sign in</button></div>';
    document.getElementById('mail').addEventListener('input', (event) => { state.user = event.target.value });
    document.getElementById('secret').addEventListener('input', (event) => { state.pass = event.target.value });
    document.querySelector('button').addEventListener('click', async () => {
      const answer = await fetch('/api/login', { method: 'POST', body: JSON.stringify(state) });
      if (answer.ok) location.href = '/members/0';
      else document.querySelector('h1').textContent = 'Wrong. Sign in again';
    });
  }, 200);
</script></body></html>`

/** Further traits of a site. */
export interface SiteTraits {
  /** Page that no member may see: the site shows its login in the place of it. */
  readonly forbidden?: number
  /** True if the site puts what is sent to it into addresses, cookies and its form, as careless ones do. */
  readonly isCareless?: boolean
  /** True if members get a sitemap, and pages link to none. */
  readonly hasSitemap?: boolean
  /** True if its script shows the login in the place of each page, with status 200: the source has no word of it. */
  readonly isShell?: boolean
}

/** Starts a site. @param cutAt numbers of member pages after which all sessions end */
export async function startLoginSite(
  kind: SiteKind,
  cutAt: readonly number[] = [],
  pages = 12,
  { forbidden = -1, hasSitemap = false, isCareless = false, isShell = false }: SiteTraits = {},
): Promise<LoginSite> {
  const sessions = new Map<string, Session>()
  const csrf = new Set<string>()
  const tokens = new Set<string>()
  const log: string[] = []
  const servers: Server[] = []
  let [logins, wrong, served, issued] = [0, 0, 0, 0]
  const end = () => {
    sessions.clear()
    tokens.clear()
  }

  const serve = async (handle: (request: IncomingMessage, response: ServerResponse, body: URLSearchParams) => void) => {
    const server = createServer((request, response) => {
      let text = ''
      request.on('data', (part: Buffer) => (text += part.toString()))
      request.on('end', () => handle(request, response, new URLSearchParams(text)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    servers.push(server)
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const send = (
    response: ServerResponse,
    page: string,
    status = 200,
    headers: Record<string, string | string[]> = {},
  ) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page)
  const go = (response: ServerResponse, location: string, headers: Record<string, string | string[]> = {}) =>
    response.writeHead(302, { location, ...headers }).end()
  const cookieOf = ({ headers }: IncomingMessage, name: string): string | undefined =>
    headers.cookie
      ?.split('; ')
      .find((pair) => pair.startsWith(`${name}=`))
      ?.slice(name.length + 1)
  const begin = (): string => {
    const id = randomUUID()
    sessions.set(id, { id, requests: 0, isOver: false })
    logins += 1
    return id
  }
  const check = (body: URLSearchParams): boolean => {
    const isRight = body.get('user') === USER && body.get('pass') === PASSWORD
    if (!isRight) wrong += 1
    return isRight
  }

  // Identity provider and broker of the single sign-on.
  let broker = ''
  const idp =
    kind === 'sso'
      ? await serve((request, response, body) => {
          log.push(`idp ${request.method} ${request.url}`)
          if (request.method === 'GET')
            return send(
              response,
              html(
                'Sign in',
                `<form method="post" action="/sso"><input name="user"><input type="password" name="pass"><button>Sign in</button></form>`,
              ),
            )
          if (!check(body))
            return send(
              response,
              html(
                'Sign in',
                `<p>Wrong</p><form method="post" action="/sso"><input name="user"><input type="password" name="pass"><button>Sign in</button></form>`,
              ),
            )
          return send(
            response,
            `<html><body onload="document.forms[0].submit()"><form method="post" action="${broker}/assert"><input type="hidden" name="SAMLResponse" value="yes"><noscript><button>Go on</button></noscript></form></body></html>`,
          )
        })
      : ''
  let site = ''
  if (kind === 'sso')
    broker = await serve((request, response, body) => {
      log.push(`broker ${request.method} ${request.url}`)
      if (request.method === 'GET') return go(response, `${idp}/sso`)
      return go(response, body.get('SAMLResponse') === 'yes' ? `${site}/callback?code=good` : `${site}/`)
    })

  const box =
    '<div><form method="post" action="/login"><input name="user"><input type="password" name="pass"><button>Log in</button></form></div>'
  const form = (note = ''): string => {
    const token = randomUUID()
    csrf.add(token)
    const hidden = kind === 'csrf' ? `<input type="hidden" name="_token" value="${token}">` : ''
    const fields =
      kind === 'two steps'
        ? '<input name="user" autocomplete="username">'
        : '<input name="user" type="email"><input type="password" name="pass"><input type="checkbox" name="remember" checked>'
    return html(
      'Welcome back',
      `${note}<form method="post" action="/login">${hidden}${fields}<button name="go" value="1">Continue</button></form><form action="/search"><input name="q"></form>`,
    )
  }

  const member = (request: IncomingMessage): Session | undefined => {
    const header = request.headers.authorization ?? ''
    if (kind === 'token') return tokens.has(header) ? { id: header, requests: 0, isOver: false } : undefined
    const session = sessions.get(cookieOf(request, 'sid') ?? '')
    if (!session || session.isOver) return undefined
    session.requests += 1
    if (kind === 'absolute' && session.requests > 7) {
      session.isOver = true
      return undefined
    }
    return session
  }

  const refuse = (request: IncomingMessage, response: ServerResponse): unknown => {
    if (isShell) return send(response, SCRIPT_FORM)
    if (kind === '401' || kind === 'token')
      return send(response, html('Unauthorized', 'No'), 401, { 'www-authenticate': 'Bearer' })
    if (kind === '403 form') return send(response, form(), 403)
    if (kind === 'soft') return send(response, form('<p>Please log in to see this page.</p>'))
    if (kind === 'box on every page')
      return send(response, html('Harbour news', `${box}<p>${words(0)} Members read on.</p>`))
    if (kind === 'redirect home') return go(response, '/')
    if (kind === 'sso') return go(response, `${broker}/authorize?to=${request.url}`)
    return go(response, `/login?next=${encodeURIComponent(request.url ?? '')}`, {
      'set-cookie': 'sid=anonymous; Path=/',
    })
  }

  site = await serve((request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    log.push(`${request.method} ${request.url}`)
    if (pathname === '/robots.txt' || (pathname === '/sitemap.xml' && !hasSitemap)) return send(response, '', 404)
    if (pathname === '/sitemap.xml') {
      if (!member(request)) return refuse(request, response)
      const urls = Array.from({ length: pages }, (_, page) => `<url><loc>${site}/members/${page}</loc></url>`)
      return response.writeHead(200, { 'content-type': 'application/xml' }).end(`<urlset>${urls.join('')}</urlset>`)
    }
    if (/logout|sign_out/.test(pathname)) {
      end()
      return send(response, html('Bye', 'Bye'))
    }
    const told = new URLSearchParams(isCareless ? body : undefined)
    const welcome = (id: string) =>
      go(response, isCareless ? `/members/0?${told.toString()}` : '/members/0', {
        'set-cookie': `sid=${id}; Path=/; HttpOnly`,
      })
    if (pathname === '/callback' && searchParams.get('code') === 'good') return welcome(begin())
    if (pathname === '/login' && request.method === 'GET' && kind === 'script form') return send(response, SCRIPT_FORM)
    if (pathname === '/api/login') {
      if (
        !check(
          new URLSearchParams(
            [...body.keys()].map((json) => Object.entries(JSON.parse(json) as Record<string, string>)).flat(),
          ),
        )
      )
        return send(response, 'no', 401)
      return send(response, 'yes', 200, { 'set-cookie': `sid=${begin()}; Path=/; HttpOnly` })
    }
    if (pathname === '/login' && request.method === 'GET') return send(response, form())
    if (pathname === '/login') {
      if (kind === 'csrf' && !csrf.delete(body.get('_token') ?? '')) return send(response, form('<p>Expired</p>'), 419)
      if (kind === 'two steps' && !body.has('pass'))
        return send(
          response,
          html(
            'Welcome back',
            `<p>${body.get('user')}</p><form method="post" action="/login"><input type="hidden" name="user" value="${body.get('user')}"><input type="password" name="pass"><button>Continue</button></form>`,
          ),
        )
      if (!check(body))
        return isCareless
          ? go(response, `/login?error=wrong&${told.toString()}`, { 'set-cookie': `last=${body.get('pass')}; Path=/` })
          : send(response, form('<p>Wrong password</p>'))
      if (kind === 'code')
        return send(
          response,
          html(
            'Check',
            '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"><button>Verify</button></form>',
          ),
        )
      return welcome(begin())
    }
    if (pathname === '/code') {
      if (body.get('digits') !== makeTotp(SEED, Date.now()))
        return send(
          response,
          html('Check', '<form method="post" action="/code"><input name="digits" autocomplete="one-time-code"></form>'),
        )
      return welcome(begin())
    }
    if (pathname === '/' && kind === 'redirect home') return send(response, form())
    if (pathname === '/') return go(response, '/members/0')
    const [, number] = /^\/members\/(\d+)$/.exec(pathname) ?? []
    if (number === undefined) return send(response, html('Not found', 'No'), 404)
    if (cutAt.includes(served)) {
      served += 1
      end()
    }
    const session = member(request)
    const page = Number(number)
    if (!session || page === forbidden) return refuse(request, response)
    served += 1
    const links = [page * 2 + 1, page * 2 + 2]
      .filter((next) => next < pages && !hasSitemap)
      .map((next) => `<a href="/members/${next}">Day ${next}</a>`)
    const headers: Record<string, string> = {}
    if (kind === 'rotating') {
      const id = randomUUID()
      sessions.set(id, session)
      headers['set-cookie'] = `sid=${id}; Path=/; HttpOnly`
    }
    return send(
      response,
      html(
        `Day ${page} of the harbour`,
        `<p>${words(page)}</p><p>${links.join(' ')} <a href="/logout">Log out</a> <a href="/x/sign_out">Bye</a></p><form method="post" action="/news"><input type="email" name="email"><button>Subscribe</button></form>`,
      ),
      200,
      headers,
    )
  })

  return {
    url: `${site}/members/0`,
    pages,
    loginUrl: kind === 'redirect home' ? `${site}/` : kind === 'sso' ? `${broker}/authorize` : `${site}/login`,
    log,
    logins: () => logins,
    wrong: () => wrong,
    tokens: () => issued,
    cut: end,
    issueToken: () => {
      issued += 1
      const token = `Bearer ${randomUUID()}`
      tokens.add(token)
      return token
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/** Returns the login of a site. */
export const loginFor = (site: LoginSite, kind: SiteKind, password = PASSWORD): LoginOptions =>
  kind === 'token'
    ? { url: site.loginUrl, function: async () => ({ headers: { Authorization: site.issueToken() } }) }
    : {
        url: site.loginUrl,
        fields: { username: USER },
        secrets: { password: () => password, ...(kind === 'code' && { code: { totp: () => SEED } }) },
      }

const inOrder = (titles: readonly string[]): string[] => titles.toSorted((a, b) => (a < b ? -1 : 1))

/** Crawls a site with an engine of its own. */
export async function crawlSite(
  site: LoginSite,
  login: LoginOptions,
  config: EngineConfig,
  more: Partial<CrawlRequest> = {},
) {
  await using engine = createEngine(config)
  const job = engine.crawl({ url: site.url, crawlEntireDomain: true, scrapeOptions: { login }, ...more })
  const paused: object[] = []
  job.on('paused', (pause) => paused.push(pause))
  const status = await job.finished()
  const { errors } = await job.errors()
  return { status, titles: inOrder(status.data.map(({ metadata }) => metadata.title ?? '')), paused, errors }
}

/** Lists the titles of the pages for members. */
export const titlesOf = ({ pages }: LoginSite): string[] =>
  inOrder(Array.from({ length: pages }, (_, page) => `Day ${page} of the harbour`))
