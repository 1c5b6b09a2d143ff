import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { connectionHeaders } from '../../../src/base/http/connection-headers.js'
import { buildRequestHeaders } from '../../../src/base/http/request-headers.js'
import { defaultUserAgent } from '../../../src/base/http/default-user-agent.js'

const build = (to: string, from: string, callerHeaders: Record<string, string> = { 'X-Key': 'secret' }) =>
  buildRequestHeaders({ url: new URL(to), pageUrl: new URL(from), callerHeaders, userAgent: 'bot', cookies: '' })

it('the default user agent names the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))
  expect(defaultUserAgent).toBe(`trawl/${version}`)
})

it.each([
  ['http://site.test/', 'http://site.test/a', true],
  ['https://site.test/', 'http://site.test/a', true],
  ['https://site.test:8443/', 'https://site.test:8443/a', true],
  ['http://site.test/', 'https://site.test/a', false],
  ['http://site.test:8080/', 'http://site.test/a', false],
  ['https://www.site.test/', 'https://site.test/a', true],
  ['https://site.test/', 'http://www.site.test/a', true],
  ['http://www.site.test/', 'https://site.test/a', false],
  ['https://api.site.test/', 'https://site.test/a', false],
  ['https://site.test.evil.test/', 'https://site.test/a', false],
])('the headers of the caller go to %s from a page at %s: %s', (to, from, isSent) => {
  expect(build(to, from)['x-key']).toBe(isSent ? 'secret' : undefined)
})

it("an Authorization header replaces the URL's credentials, in which a stray percent sign is kept", () => {
  expect(build('http://site.test/', 'http://u:p@site.test/', { Authorization: 'Bearer x' })['authorization']).toBe(
    'Bearer x',
  )
  const basic = build('http://site.test/', 'http://u%C3%B6:100%@site.test/')['authorization'] ?? ''
  expect(Buffer.from(basic.slice('Basic '.length), 'base64').toString()).toBe('uö:100%')
})

it('headers of the connection cannot be set', () => {
  const headers = Object.fromEntries([...connectionHeaders].map((name) => [name.toUpperCase(), '1']))
  expect(build('http://site.test/', 'http://site.test/', headers)).toEqual(
    build('http://site.test/', 'http://site.test/', {}),
  )
})
