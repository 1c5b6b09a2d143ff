import { STATUS_CODES } from 'node:http'
import { type Handler, htmlPage, readNumber, sendJson, sendPage } from '../exchange.js'
import { encodeText, sampleText } from '../charset.js'

const redirect =
  (location: string, status = 302): Handler =>
  (exchange) =>
    sendPage(exchange, htmlPage('Moved'), status, { location })

/** Answers that follow the rules of HTTP. */
export const answers: Readonly<Record<string, Handler>> = {
  status: (exchange) => {
    const status = Number(exchange.rest[0])
    sendPage(exchange, htmlPage(`${status} ${STATUS_CODES[status] ?? ''}`), status)
  },
  page: (exchange) => sendPage(exchange, htmlPage(`Page ${exchange.rest.join('/')}`)),
  links: (exchange) => {
    const items = Array.from(
      { length: readNumber(exchange, 'n', 10) },
      (_, i) => `<li><a href="/page/${i}">${i}</a></li>`,
    )
    sendPage(exchange, htmlPage('Links', `<ul>${items.join('')}</ul>`))
  },
  deep: (exchange) => {
    const n = readNumber(exchange, 'n', 100_000)
    sendPage(exchange, `<title>Deep</title>${'<div>'.repeat(n)}the bottom${'</div>'.repeat(n)}`)
  },
  empty: ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(),
  'no-content': ({ response }) => void response.writeHead(204).end(),
  json: (exchange) => sendJson(exchange, { title: 'JSON', items: [1, 2, 3] }),
  text: ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('Plain *text*.\n'),
  xml: ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end('<?xml version="1.0"?><feed><title>XML</title></feed>'),
  binary: ({ response }) => {
    const png = Uint8Array.from(
      { length: 1024 },
      (_, i) => [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a][i] ?? (i * 7) % 256,
    )
    response.writeHead(200, { 'content-type': 'image/png' }).end(png)
  },
  charset: ({ response, rest, url }) => {
    const label = rest[0] ?? 'utf-8'
    const where = url.searchParams.get('in') ?? 'header'
    const meta = where === 'meta' ? `<meta charset="${label}">` : ''
    const text = url.searchParams.get('text') ?? sampleText(label)
    const html = `${where === 'bom' ? '\uFEFF' : ''}<!doctype html><html><head>${meta}<title>${text}</title></head><body><p>${text}</p></body></html>`
    response.writeHead(200, { 'content-type': where === 'header' ? `text/html; charset=${label}` : 'text/html' })
    response.end(encodeText(html, label))
  },

  redirect: (exchange) => {
    const left = Number(exchange.rest[0] ?? 1)
    return left > 0
      ? redirect(`/redirect/${left - 1}`)(exchange)
      : sendPage(exchange, htmlPage('The end of the redirects'))
  },
  'redirect-loop': (exchange) => redirect(exchange.rest[0] === 'b' ? '/redirect-loop/a' : '/redirect-loop/b')(exchange),
  'redirect-endless': (exchange) => redirect(`/redirect-endless/${Number(exchange.rest[0] ?? 0) + 1}`)(exchange),
  'redirect-to': (exchange) =>
    redirect(exchange.url.searchParams.get('url') ?? '/', readNumber(exchange, 'status', 302))(exchange),
  'redirect-without-location': (exchange) =>
    sendPage(exchange, htmlPage('Found, but where?'), readNumber(exchange, 'status', 302)),
  /** Sends its visitor back to where it came from with a cookie, and lets in whoever brings it. */
  'cookie-gate': (exchange) => {
    if (exchange.request.headers.cookie?.includes('gate=open')) return sendPage(exchange, htmlPage('Behind the gate'))
    sendPage(exchange, htmlPage('Gate'), 302, { location: exchange.url.pathname, 'set-cookie': 'gate=open; Path=/' })
  },
  /** `?set=a%3D1;…&set=…&to=/echo-headers`: sets cookies and redirects. */
  'set-cookie': ({ response, url }) => {
    response.writeHead(302, {
      location: url.searchParams.get('to') ?? '/echo-headers',
      'set-cookie': url.searchParams.getAll('set'),
    })
    response.end()
  },

  'echo-headers': (exchange) => sendJson(exchange, exchange.request.headers),
  'repeated-headers': ({ response }) =>
    void response
      .writeHead(200, { 'content-type': 'text/html', 'x-note': ['one', 'two'], 'set-cookie': ['a=1', 'b=2'] })
      .end('<p>Twice</p>'),
  /** Asks for Basic authentication: `/auth/<user>/<password>`. */
  auth: (exchange) => {
    const expected = Buffer.from(exchange.rest.map(decodeURIComponent).join(':')).toString('base64')
    if (exchange.request.headers.authorization === `Basic ${expected}`) return sendPage(exchange, htmlPage('Welcome'))
    sendPage(exchange, htmlPage('Who are you?'), 401, { 'www-authenticate': 'Basic realm="site"' })
  },

  'retry-after': (exchange) => {
    if (exchange.visits > readNumber(exchange, 'times', 1)) return sendPage(exchange, htmlPage('After a pause'))
    const seconds = exchange.url.searchParams.get('seconds') ?? '1'
    sendPage(exchange, htmlPage('Later'), readNumber(exchange, 'status', 429), { 'retry-after': seconds })
  },
  flaky: (exchange) => {
    if (exchange.visits > readNumber(exchange, 'times', 1)) return sendPage(exchange, htmlPage('At last'))
    sendPage(exchange, htmlPage('Not yet'), readNumber(exchange, 'status', 503))
  },
}
