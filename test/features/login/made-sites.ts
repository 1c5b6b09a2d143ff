import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PASSWORD, USER } from './login-site.js'

/** Ways in which a site shows its login in the place of a page. */
export const refusals = ['redirect', 'chain', 'temporary', 'refresh', 'soft', '401', '403', 'other host'] as const
/** Forms of a login. */
export const forms = ['plain', 'token', 'two steps', 'short names', 'German'] as const
/** Ways in which a session is kept, one for each site in turn. */
const sessions = ['one cookie', 'two cookies', 'rotating', 'path'] as const

export interface SiteKind {
  readonly refusal: (typeof refusals)[number]
  readonly form: (typeof forms)[number]
  readonly session: (typeof sessions)[number]
}

/** All sites of the table. */
export const kinds: readonly SiteKind[] = refusals.flatMap((refusal, row) =>
  forms.map((form, column) => ({ refusal, form, session: sessions[(row + column) % sessions.length] ?? 'path' })),
)

export interface MadeSite extends AsyncDisposable {
  readonly url: string
  readonly loginUrl: string
  /** `ended` counts the sessions that the site has cut. */
  readonly counts: { logins: number; wrong: number; signedOut: number; served: number; ended: number }
}

const html = (title: string, body: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

const textOf = (page: number): string =>
  Array.from({ length: 50 }, (_, index) => `Ship ${page * 7 + index} leaves with crates of fruit.`).join(' ')

const NAMES = { 'short names': ['log', 'pwd'], German: ['benutzername', 'kennwort'] } as Readonly<
  Record<string, string[]>
>

/**
 * Starts a site whose pages are for members; the second name of its host, `localhost`, is that of another host.
 *
 * @param cuts numbers of pages after which the session ends: when so many have been served
 */
export async function startMadeSite(kind: SiteKind, cuts: ReadonlySet<number>, pages: number): Promise<MadeSite> {
  const counts = { logins: 0, wrong: 0, signedOut: 0, served: 0, ended: 0 }
  const [userName = 'user', passName = 'password'] = NAMES[kind.form] ?? []
  const isGerman = kind.form === 'German'
  const loginPath = isGerman ? '/de/anmelden' : '/login'
  const tokens = new Set<string>()
  let session: string | undefined

  const form = (step: 'name' | 'password' | 'both', note = ''): string => {
    const token = randomUUID()
    tokens.add(token)
    const hidden = kind.form === 'token' ? `<input type=hidden name=_token value=${token}>` : ''
    const name =
      step === 'password'
        ? `<input type="hidden" name="${userName}" value="${USER}">`
        : `<label>Name <input NAME=${userName} type=text></label>`
    const pass = step === 'name' ? '' : `<input type="password" name='${passName}'>`
    return html(
      isGerman ? 'Anmelden' : 'Sign in',
      `${note}<form method=post action="${loginPath}">${hidden}${name}${pass}<button>Go</button></form>`,
    )
  }
  const firstForm = (note?: string): string => form(kind.form === 'two steps' ? 'name' : 'both', note)

  const send = (
    response: ServerResponse,
    page: string,
    status = 200,
    headers: Record<string, string | string[]> = {},
  ) => void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(page)
  const go = (
    response: ServerResponse,
    location: string,
    status = 302,
    headers: Record<string, string | string[]> = {},
  ) => void response.writeHead(status, { location, ...headers }).end()

  const cookiesFor = (id: string): string[] => {
    const path = kind.session === 'path' ? '/members' : '/'
    const second = kind.session === 'two cookies' ? [`sig=${id}; Path=/`] : []
    return [`sid=${id}; Path=${path}; HttpOnly`, ...second]
  }
  const isMember = ({ headers: { cookie = '' } }: IncomingMessage): boolean =>
    session !== undefined &&
    cookie.includes(`sid=${session}`) &&
    (kind.session !== 'two cookies' || cookie.includes(`sig=${session}`))

  let origin = ''
  let otherOrigin = ''
  const refuse = (response: ServerResponse): void => {
    if (kind.refusal === 'redirect') return go(response, `${loginPath}?next=/`)
    if (kind.refusal === 'chain') return go(response, '/hop/1', 301)
    if (kind.refusal === 'temporary') return go(response, loginPath, 307)
    if (kind.refusal === 'refresh')
      return send(response, `<html><head><meta http-equiv="refresh" content="0; url=${loginPath}"></head></html>`)
    if (kind.refusal === 'soft') return send(response, firstForm('<p>Members only.</p>'))
    if (kind.refusal === '401') return send(response, firstForm(), 401)
    if (kind.refusal === '403') return send(response, form('both'), 403)
    return go(response, `${otherOrigin}${loginPath}`)
  }

  const answer = (request: IncomingMessage, response: ServerResponse, body: URLSearchParams): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
    if (/logout|delete/.test(pathname)) {
      counts.signedOut += 1
      session = undefined
      return send(response, html('Bye', 'Bye'))
    }
    if (pathname.startsWith('/hop/')) return go(response, pathname === '/hop/1' ? '/hop/2' : loginPath)
    if (pathname === '/welcome' && tokens.delete(searchParams.get('ticket') ?? '')) {
      session = randomUUID()
      counts.logins += 1
      return go(response, '/members/0', 303, { 'set-cookie': cookiesFor(session) })
    }
    if (pathname === loginPath && request.method === 'GET') return send(response, firstForm())
    if (pathname === loginPath) {
      if (kind.form === 'token' && !tokens.delete(body.get('_token') ?? ''))
        return send(response, firstForm('<p>Expired</p>'), 419)
      if (kind.form === 'two steps' && !body.has(passName)) return send(response, form('password'))
      if (body.get(userName) !== USER || body.get(passName) !== PASSWORD) {
        counts.wrong += 1
        return send(response, firstForm('<p>Wrong</p>'))
      }
      const ticket = randomUUID()
      tokens.add(ticket)
      return go(response, `${origin}/welcome?ticket=${ticket}`)
    }
    const [, number] = /^\/members\/(\d+)$/.exec(pathname) ?? []
    if (number === undefined) return send(response, 'No', 404)
    if (!isMember(request)) return refuse(response)
    const page = Number(number)
    const id = session ?? ''
    const rotated = kind.session === 'rotating' ? cookiesFor(id) : []
    counts.served += 1
    if (cuts.has(counts.served)) {
      session = undefined
      counts.ended += 1
    }
    const links = [page * 2 + 1, page * 2 + 2]
      .filter((next) => next < pages)
      .map((next) => `<a href="/members/${next}">Day ${next}</a>`)
    return send(
      response,
      html(
        `Day ${page} of the harbour`,
        `<p>${textOf(page)}</p>${links.join(' ')} <a href="/logout">Log out</a> <a href="/x/1" data-method="delete">x</a> <a href="/items/1/delete">Item</a>`,
      ),
      200,
      { 'set-cookie': rotated },
    )
  }

  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part: Buffer) => (text += part.toString()))
    request.on('end', () => answer(request, response, new URLSearchParams(text)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  origin = `http://127.0.0.1:${port}`
  otherOrigin = `http://localhost:${port}`
  return {
    url: `${origin}/members/0`,
    loginUrl: `${kind.refusal === 'other host' ? otherOrigin : origin}${loginPath}`,
    counts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
