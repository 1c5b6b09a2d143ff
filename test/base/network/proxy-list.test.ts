import { describe, expect, it } from 'vitest'
import { ProxyList } from '../../../src/base/network/proxy-list.js'
import { parseProxy, type Proxy } from '../../../src/base/network/proxy.js'

const proxies = (...urls: string[]): Proxy[] => urls.flatMap((url) => parseProxy(url) ?? [])
const three = proxies('http://a:1', 'http://b:1', 'http://c:1')
const none: ReadonlySet<string> = new Set()

function openList(from: Proxy[] = three) {
  let nowMs = 1_000_000
  const list = new ProxyList(from, () => nowMs)
  const take = (site = 'site.test', session?: string, avoid = none) => list.select({ site, session, avoid })
  return { list, take, pass: (ms: number) => void (nowMs += ms), nameOf: (site?: string) => take(site)?.proxy.name }
}

describe('proxies of one list', () => {
  it('are used in rotation', () => {
    const { nameOf } = openList()
    expect([1, 2, 3, 4].map(() => nameOf())).toEqual(['http://a:1', 'http://b:1', 'http://c:1', 'http://a:1'])
  })

  it('cool down after a failure, longer after each', () => {
    const { take, pass } = openList(proxies('http://a:1', 'http://b:1'))
    take()?.report('failed')
    expect([take()?.proxy.name, take()?.proxy.name]).toEqual(['http://b:1', 'http://b:1'])
    pass(5_001)
    const names = (): (string | undefined)[] => [take(), take()].map((taken) => taken?.proxy.name)
    expect(names()).toContain('http://a:1')
    for (const taken of [take(), take()]) if (taken?.proxy.name === 'http://a:1') taken.report('failed')
    pass(5_001)
    expect(names()).not.toContain('http://a:1')
    pass(5_001)
    expect(names()).toContain('http://a:1')
  })

  it('are not used for a site that blocked them, and used for others', () => {
    const { take, nameOf, pass } = openList(proxies('http://a:1', 'http://b:1'))
    take('shop.test')?.report('blocked')
    expect([nameOf('shop.test'), nameOf('shop.test')]).toEqual(['http://b:1', 'http://b:1'])
    expect([nameOf('news.test'), nameOf('news.test')]).toContain('http://a:1')
    pass(600_001)
    expect([nameOf('shop.test'), nameOf('shop.test')]).toContain('http://a:1')
  })

  it('are used while all cool down, starting with the one available soonest', () => {
    const { take, pass, nameOf } = openList(proxies('http://a:1', 'http://b:1'))
    take()?.report('failed')
    pass(1_000)
    take()?.report('failed')
    expect([nameOf(), nameOf()]).toEqual(['http://a:1', 'http://a:1'])
  })

  it('are not used twice for one page', () => {
    const { take } = openList(proxies('http://a:1'))
    const first = take()
    expect(take('site.test', undefined, new Set([first?.key ?? '']))).toBeUndefined()
  })

  it('stay the same for a session, as long as they work', () => {
    const { take } = openList()
    const first = take('a.test', 'shop')
    expect(['b.test', 'c.test'].map((site) => take(site, 'shop')?.key)).toEqual([first?.key, first?.key])
    first?.report('failed')
    const second = take('a.test', 'shop')
    expect(second?.key).not.toBe(first?.key)
    expect(take('b.test', 'shop')?.key).toBe(second?.key)
  })
})

describe('a proxy with sessions', () => {
  const gateway = proxies('http://user-{session}:secret@gate:1')

  it('has several sessions at once, separate for each site', () => {
    const { take } = openList(gateway)
    const users = Array.from({ length: 20 }, () => take()?.proxy.username)
    expect(new Set(users).size).toBe(10)
    expect(users[0]).toMatch(/^user-[0-9a-f]{12}$/)
    expect(users).not.toContain(take('other.test')?.proxy.username)
  })

  it('starts another session in place of a blocked one', () => {
    const { take } = openList(gateway)
    const first = take()
    first?.report('blocked')
    const later = Array.from({ length: 20 }, () => take()?.proxy.username)
    expect(later).not.toContain(first?.proxy.username)
    expect(new Set(later).size).toBe(10)
  })

  it('has the same session for a profile in every process', () => {
    expect(openList(gateway).take('a.test', 'me')?.key).toBe(openList(gateway).take('b.test', 'me')?.key)
  })
})

describe('the URL of a proxy', () => {
  it.each([
    ['http://h:8080', { protocol: 'http', hostname: 'h', port: 8080, username: '' }],
    ['http://h', { port: 80 }],
    ['https://u:p%40@h', { protocol: 'https', port: 443, username: 'u', password: 'p@' }],
    ['socks5h://u@[::1]:9', { protocol: 'socks5', hostname: '::1', port: 9, username: 'u', password: '' }],
    ['socks5://100%25:5%@h', { username: '100%', password: '5%', name: 'socks5://h:1080' }],
  ])('is parsed: %s', (url, parts) => expect(parseProxy(url)).toMatchObject(parts))

  it.each([
    'h:8080',
    'ftp://h',
    'http://',
    'http://h/path',
    'http://h?x',
    'socks4://h',
    `socks5://${'u'.repeat(256)}@h`,
  ])('is rejected: %s', (url) => expect(parseProxy(url)).toBeUndefined())
})
