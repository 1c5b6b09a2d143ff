import { describe, expect, it } from 'vitest'
import { CookieJar } from '../../../src/base/http/cookies.js'

const at = (url: string) => new URL(url)
const nowMs = Date.parse('2026-01-01T00:00:00Z')

async function headerAfter(
  setCookie: string | string[],
  to: string,
  from = 'https://www.site.test/a/b',
): Promise<string> {
  const jar = new CookieJar()
  await jar.store(at(from), [setCookie].flat(), nowMs)
  return jar.header(at(to), nowMs)
}

describe('a cookie', () => {
  it('is sent to its host and path', async () => {
    expect(await headerAfter('k=v', 'https://www.site.test/a/c')).toBe('k=v')
    expect(await headerAfter('k=v', 'https://www.site.test/a')).toBe('k=v')
    expect(await headerAfter('k=v', 'https://www.site.test/ab')).toBe('')
    expect(await headerAfter('k=v; Path=/', 'https://www.site.test/x')).toBe('k=v')
    expect(await headerAfter('k=v; Path=/docs', 'https://www.site.test/docs/x')).toBe('k=v')
    expect(await headerAfter('k=v; Path=/docs', 'https://www.site.test/docsearch')).toBe('')
    expect(await headerAfter('k=v; Path=/', 'https://site.test/')).toBe('')
    expect(await headerAfter('k=v; Path=/', 'https://sub.www.site.test/')).toBe('')
  })

  it('is sent to all hosts within its Domain', async () => {
    for (const domain of ['site.test', '.site.test', 'SITE.test']) {
      expect(await headerAfter(`k=v; Domain=${domain}; Path=/`, 'https://shop.site.test/')).toBe('k=v')
      expect(await headerAfter(`k=v; Domain=${domain}; Path=/`, 'https://site.test/')).toBe('k=v')
      expect(await headerAfter(`k=v; Domain=${domain}; Path=/`, 'https://evilsite.test/')).toBe('')
    }
  })

  it('is refused for another domain and for a public suffix', async () => {
    for (const domain of ['other.test', 'test', 'w.site.test', 'sub.www.site.test']) {
      expect(await headerAfter(`k=v; Domain=${domain}; Path=/`, 'https://www.site.test/')).toBe('')
    }
    expect(await headerAfter('k=v; Domain=0.0.1; Path=/', 'http://127.0.0.1/', 'http://127.0.0.1/')).toBe('')
    expect(await headerAfter('k=v; Domain=localhost; Path=/', 'http://localhost/', 'http://localhost/')).toBe('k=v')
  })

  it('is not sent over http when it is Secure', async () => {
    expect(await headerAfter('k=v; Path=/; Secure', 'http://www.site.test/')).toBe('')
    expect(await headerAfter('k=v; Path=/; Secure', 'https://www.site.test/')).toBe('k=v')
  })

  it('is replaced, and deleted by Max-Age or Expires', async () => {
    const to = 'https://www.site.test/'
    expect(await headerAfter(['k=1; Path=/', 'k=2; Path=/'], to)).toBe('k=2')
    expect(await headerAfter(['k=1; Path=/', 'k=; Path=/; Max-Age=0'], to)).toBe('')
    expect(await headerAfter(['k=1; Path=/', 'k=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], to)).toBe('')
    expect(await headerAfter(['k=1; Path=/; Expires=Thu, 01 Jan 2099 00:00:00 GMT'], to)).toBe('k=1')
    expect(await headerAfter(['k=1; Path=/; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], to)).toBe('k=1')
  })

  it.each(['0', '-1', 'never', 'Thu, 01 Jan 1970', 'Thu, 32 Jan 1970 00:00:00 GMT', ''])(
    'is one of the session if its Expires is no date of cookies: %s',
    async (expires) =>
      expect(await headerAfter(`k=v; Path=/; Expires=${expires}`, 'https://www.site.test/')).toBe('k=v'),
  )

  it.each([
    ['Wed, 31-Dec-25 23:59:59 GMT', ''],
    ['31 DEC 2025 23:59:59', ''],
    ['Thursday, 01-Jan-26 00:00:01 GMT', 'k=v'],
    ['Thu Jan  1 00:00:01 2026', 'k=v'],
  ])('has a date of any of the usual forms, in UTC: %s', async (expires, header) => {
    expect(await headerAfter(`k=v; Path=/; Expires=${expires}`, 'https://www.site.test/')).toBe(header)
  })

  it('is kept for at most 400 days', async () => {
    const jar = new CookieJar()
    const lines = ['a=1; Max-Age=' + '9'.repeat(400), 'b=1; Expires=Thu, 01 Jan 9999 00:00:00 GMT']
    await jar.store(at('https://www.site.test/'), lines, nowMs)
    expect(jar.list().map(({ expires }) => expires - nowMs / 1000)).toEqual([34_560_000, 34_560_000])
  })

  it('with the longer path is sent first, and those of one path in the order in which they were set', async () => {
    const lines = ['a=1; Path=/', 'b=1; Path=/docs', 'c=1; Path=/', 'd=1; Path=/docs/x', 'a=2; Path=/']
    expect(await headerAfter(lines, 'https://www.site.test/docs/x/y')).toBe('d=1; b=1; a=2; c=1')
  })

  it.each([
    '__Host-k=v; Secure',
    '__Host-k=v; Path=/',
    '__Host-k=v; Secure; Path=/; Domain=site.test',
    '__host-k=v; Secure; Path=/a',
    '__Secure-k=v; Path=/',
  ])('is refused if it is not as the prefix of its name says: %s', async (line) => {
    expect(await headerAfter(line, 'https://www.site.test/a/b')).toBe('')
  })

  it.each(['__Host-k=v; Secure; Path=/', '__Secure-k=v; Secure; Path=/; Domain=site.test', '__Hostile=v'])(
    'is sent if it is as the prefix of its name says: %s',
    async (line) => expect(await headerAfter(line, 'https://www.site.test/a/b')).toBe(line.split(';')[0]),
  )

  it('that is Secure is refused over http', async () => {
    expect(await headerAfter('k=v; Path=/; Secure', 'https://www.site.test/', 'http://www.site.test/')).toBe('')
  })

  it('is ignored without a name, and keeps the equals signs of its value', async () => {
    const to = 'https://www.site.test/a/b'
    expect(await headerAfter(['novalue', '=v', ''], to)).toBe('')
    expect(await headerAfter(['k=a=b==', 'j="q"'], to)).toBe('k=a=b==; j="q"')
  })
})

it('a cookie jar stores a limited number of cookies', async () => {
  const lines = Array.from({ length: 1_000 }, (_, i) => `k${i}=v; Path=/`)
  expect((await headerAfter(lines, 'https://www.site.test/')).split('; ')).toHaveLength(50)
})
