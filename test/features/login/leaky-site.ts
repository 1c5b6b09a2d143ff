import { afterEach, beforeEach } from 'vitest'
import type { EngineConfig, LoginOptions } from '../../../src/index.js'
import type { Exchange, Handler } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { PASSWORD, USER } from './login-site.js'

export const config: EngineConfig = { threads: 0, allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 } }
export const MEMBERS = `<title>Members</title><main><h1>Members</h1>${'<p>Words for members alone.</p>'.repeat(40)}</main>`

/** A host, and what it was told. */
export interface Host {
  readonly site: Site
  /** Method, path, header `token` and body of each request. */
  readonly told: string[]
  pages: Record<string, Handler>
}

export let secure: Host
export let plain: Host
export let other: Host

const startHost = async (protocol: 'http' | 'https'): Promise<Host> => {
  const told: string[] = []
  const host: Omit<Host, 'site'> = { told, pages: {} }
  const answer = async (exchange: Exchange): Promise<void> => {
    const { request, response, url } = exchange
    let body = ''
    for await (const part of request) body += String(part)
    told.push(`${request.method} ${request.url} ${String(request.headers['x-token'])} ${body}`)
    const page = host.pages[`${request.method} ${url.pathname}`] ?? host.pages[url.pathname]
    if (page) return void (await page(exchange))
    response.writeHead(url.pathname === '/members' ? 200 : 404, { 'content-type': 'text/html' }).end(MEMBERS)
  }
  const site = await startSite({ protocol, pages: new Proxy({}, { get: () => answer }) })
  return Object.assign(host, { site })
}

/** Starts the hosts for each test: one of https, which has the login, and two to which secrets may not go. */
export function useHosts(): void {
  beforeEach(async () => {
    ;[secure, plain, other] = await Promise.all([startHost('https'), startHost('http'), startHost('https')])
  })
  afterEach(() => Promise.all([secure, plain, other].map(({ site }) => site.close())))
}

export const show =
  (html: string, status = 200, headers = {}): Handler =>
  ({ response }) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(html)

export const form = (action: string, { head = '', button = '' } = {}): string =>
  `<!doctype html><head><title>Sign in</title>${head}</head><h1>Sign in</h1><form method="post" action="${action}">
  <input name="user"><input type="password" name="pass"><button ${button}>Go</button></form>`

export const siteLogin = (): LoginOptions => ({
  url: secure.site.url('/login'),
  fields: { username: USER },
  secrets: { password: () => PASSWORD },
})

/** Sites that send what is filled in elsewhere. */
export const traps: Record<string, () => void> = {
  'a form for plain http'() {
    secure.pages = { '/login': show(form(plain.site.url('/take'))) }
  },
  'a form for plain http by its `base`'() {
    secure.pages = { '/login': show(form('take', { head: `<base href="${plain.site.url('/')}">` })) }
  },
  'a page of plain http, whose form is for https'() {
    secure.pages = { '/login': show('', 302, { location: plain.site.url('/login') }) }
    plain.pages = { '/login': show(form(other.site.url('/take'))) }
  },
  ...Object.fromEntries(
    [307, 308].flatMap((status) => [
      [
        `a form that ${status} sends on to plain http`,
        () => {
          secure.pages = {
            '/login': show(form('/in')),
            '/in': show('', status, { location: plain.site.url('/take') }),
          }
        },
      ],
      [
        `a form that ${status} sends on to another host`,
        () => {
          secure.pages = {
            '/login': show(form('/in')),
            '/in': show('', status, { location: other.site.url('/take') }),
          }
        },
      ],
    ]),
  ),
  'a form whose answer leads on by a refresh'() {
    const refresh = `<meta http-equiv="refresh" content="0; url=${other.site.url('/take')}">`
    secure.pages = { '/login': show(form('/in')), '/in': show(`<head>${refresh}</head>`) }
  },
}

/** Lists the requests to other hosts with a secret. */
export const leaks = (): string[] => [...plain.told, ...other.told].filter((line) => line.includes(PASSWORD))
