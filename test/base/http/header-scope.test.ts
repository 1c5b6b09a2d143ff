import { describe, expect, it } from 'vitest'
import { isHeaderHost, isInHeaderScope, listScopePatterns, listScopeUrls } from '../../../src/base/http/header-scope.js'

const isSent = (to: string, namedUrl: string, ...hosts: string[]): boolean =>
  isInHeaderScope(new URL(to), { namedUrl, hosts })

describe('the hosts that receive request headers', () => {
  it('are the host that the request names, with or without `www.`, and its https twin', () => {
    for (const to of ['http://a.test/x', 'http://www.a.test/', 'https://a.test/', 'https://www.a.test/'])
      expect([to, isSent(to, 'http://a.test/')]).toEqual([to, true])
    expect(isSent('http://b.a.test/', 'http://a.test/')).toBe(false)
    expect(isSent('ftp://a.test/', 'http://a.test/')).toBe(false)
  })

  it('receive them over plain http after https only if `headersFor` names them with `http://`', () => {
    const named = 'https://a.test/'
    expect(isSent('http://a.test/', named)).toBe(false)
    expect(isSent('http://a.test/', named, 'a.test', '*.a.test')).toBe(false)
    expect(isSent('http://a.test/', named, 'http://a.test')).toBe(true)
    expect(isSent('http://b.a.test/', named, 'http://*.a.test')).toBe(true)
    expect(isSent('http://b.test/', named, 'http://a.test')).toBe(false)
    expect(isSent('https://b.test/', named, 'http://b.test')).toBe(true)
  })

  it('are patterns and URLs for the browser, without the scheme of the item', () => {
    const scope = { namedUrl: 'https://a.test/', hosts: ['http://b.test:8080', '*.c.test'] }
    expect(listScopePatterns(scope)).toEqual(
      ['a.test', 'www.a.test', 'b.test:8080', 'www.b.test:8080', '*.c.test'].flatMap((host) => [
        `http://${host}/*`,
        `https://${host}/*`,
      ]),
    )
    const urls = listScopeUrls(scope).map(({ href }) => href)
    expect(urls).toContain('http://b.test/')
    expect(urls).toContain('https://b.test/')
    expect(urls).not.toContain('http://a.test/')
  })

  it('are valid as `headersFor` with the scheme http, and with no path', () => {
    for (const host of ['a.test', 'a.test:1', '*.a.test', 'http://a.test', 'http://*.a.test', '[::1]:80'])
      expect([host, isHeaderHost(host)]).toEqual([host, true])
    for (const host of ['', 'https://a.test', 'a.test/', 'http://a.test/x', 'http://http://a.test', '*.1', '*'])
      expect([host, isHeaderHost(host)]).toEqual([host, false])
  })
})
