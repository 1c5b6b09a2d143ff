import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveTemplate } from '../../../src/base/url-template.js'

const take = (path: string): ReturnType<typeof deriveTemplate> => deriveTemplate(new URL(path, 'https://a.b'))
const name = (path: string): string | undefined => take(path).names[0]

describe('deriveTemplate', () => {
  it.each([
    ['/', 'a.b/'],
    ['/product/17', 'a.b/product/:number'],
    ['/product/17.html', 'a.b/product/:number.html'],
    ['/docs/getting-started/', 'a.b/docs/:slug'],
    ['/docs/Install', 'a.b/docs/install'],
    ['/chapter7/part12', 'a.b/chapter#/part#'],
    ['/2026/05/03/a-day-out', 'a.b/:date/:slug'],
    ['/2026/5', 'a.b/:date'],
    ['/calendar/3/5/2026', 'a.b/calendar/:date'],
    ['/on/2026-05-03', 'a.b/on/:date'],
    ['/on/20260503.html', 'a.b/on/:date.html'],
    ['/2026/13/x', 'a.b/:number/:number/x'],
    ['/s/6f1ed002ab559587', 'a.b/s/:id'],
    ['/s/123e4567-e89b-12d3-a456-426614174000/x', 'a.b/s/:id/x'],
    ['/(S(lit3py55t21z5v55vlm25s55))/x', 'a.b/:id/x'],
    ['/watch/dQw4w9WgXcQ', 'a.b/watch/:code'],
    ['/v1.2.3/api', 'a.b/:version/api'],
    ['/%E6%97%A5%E6%9C%AC', 'a.b/:text'],
    ['/a;b=1/c', 'a.b/a/c'],
    ['/a?page=3&b=1', 'a.b/a?b&page'],
    ['/a?f[0]=x&f%5B1%5D=y', 'a.b/a?f[#]'],
    ['/#/inbox/17', 'a.b/#/inbox/:number'],
  ])('derives the template of %s: %s', (path, template) => {
    expect(name(path)).toBe(template)
  })

  it('adds coarser templates', () => {
    expect(take('/shop/red/small').names).toEqual(['a.b/shop/red/small', 'a.b/shop/…'])
    expect(take('/shop/red?size=1').names).toEqual(['a.b/shop/red?size', 'a.b/shop/red?…', 'a.b/shop/…?…'])
    expect(take('/about').names).toEqual(['a.b/about', 'a.b/…'])
  })

  it('has one for all subdomains, for a host that is one', () => {
    const onAnySubdomain = (url: string): string | undefined => deriveTemplate(new URL(url)).onAnySubdomain
    expect(onAnySubdomain('https://x7.shop.example.com:81/a/b')).toBe('*.example.com:81/a/b')
    expect(onAnySubdomain('https://x7.example.com/?a=1')).toBe('*.example.com/?…')
    for (const host of ['example.com', 'www.example.com', 'localhost', '192.168.0.1', '[::1]', 'example.com.'])
      expect(onAnySubdomain(`https://${host}/a`)).toBeUndefined()
  })

  it('marks dates, timestamps, addresses and identifiers as volatile', () => {
    const volatile = [
      '/2026/05',
      '/a?month=5',
      '/a?t=1935878400',
      '/a?d=2026-05-03',
      '/login?return=%2Fa%2Fb',
      '/a?sid=6f1ed002ab559587',
    ]
    const lasting = ['/product/17', '/a?page=5', '/a?start=20', '/a?q=red', '/a-long-title-of-a-page-2026']
    expect(volatile.filter((path) => !take(path).isVolatile)).toEqual([])
    expect(lasting.filter((path) => take(path).isVolatile)).toEqual([])
  })

  it('marks two or more parameters as a combination', () => {
    expect(['/a', '/a?b=1', '/a?b=1&c=2', '/a?f[0]=1&f[1]=2'].map((path) => take(path).isCombination)).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('ignores the value of numbers and the order of parameters', () => {
    fc.assert(
      fc.property(
        fc.nat(1e6),
        fc.nat(1e6),
        fc.shuffledSubarray(['a', 'b', 'c'], { minLength: 3 }),
        (one, other, order) => {
          const query = order.map((parameter) => `${parameter}=${other}`).join('&')
          fc.pre(![one, other].some((number) => number > 1900 && number < 2200))
          expect(name(`/x/${one}?${query}`)).toBe('a.b/x/:number?a&b&c')
        },
      ),
    )
  })

  it('accepts any URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(deriveTemplate(new URL(url)).names.length).toBeGreaterThanOrEqual(2)
      }),
    )
  })
  it('takes time linear in the length of the URL', () => {
    // Quadratic time in one segment: each of these would take about 50 ms.
    const word = `${'aB1'.repeat(2600)}!`
    const names = new Set<string | undefined>()
    for (let n = 0; n < 3000; n++) names.add(name(`/${word}/${n}?q=${word.slice(0, 99)}`))
    expect([...names]).toEqual(['a.b/:slug/:number?q'])
  }, 30_000)

  it('limits the length of a name, and gives all URLs too long to follow one name', () => {
    expect(
      name(`/${Array.from({ length: 49 }, (_, n) => `${'word'.repeat(5)}${'z'.repeat(n % 3)}`).join('/')}`),
    ).toHaveLength(501)
    expect(take(`/${'aB1'.repeat(300_000)}!`)).toMatchObject({ names: ['a.b/…'], isVolatile: true })
  })
})
