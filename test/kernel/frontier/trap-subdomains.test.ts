import { describe, expect, it } from 'vitest'
import { crawl, type MadeUpPage, prose } from './made-up-site.js'

const HOSTS = 120
const range = (length: number): number[] => Array.from({ length }, (_, nth) => nth)
const letterAt = (nth: number): string => String.fromCharCode(97 + nth)

/** A platform: its home page links to all hosts, which are numbered, and have pages at `/` and below it. */
const platform = (page: (url: URL, host: number) => MadeUpPage) => (path: string) => {
  const url = new URL(path, 'https://example.com')
  if (url.hostname !== 'example.com') return page(url, Number(/\d+/.exec(url.hostname)?.[0]))
  return { text: prose(1, 100), links: range(HOSTS).map((host) => `https://s${host}.example.com/`) }
}

it('a host that answers on every subdomain, and links to further ones, is a trap', () => {
  const { fetched, refused, ended, message } = crawl(
    (path) => {
      const { origin, hostname } = new URL(path, 'https://example.com')
      const name = hostname === 'example.com' ? 'x' : (hostname.split('.')[0] ?? '')
      const links = ['a', 'b'].map((letter) => `https://${name}${letter}.example.com/`)
      return { text: prose(path.endsWith('about') ? 4 : 3, 100), links: [...links, `${origin}/about`] }
    },
    { most: 5000 },
  )
  expect(ended).toBe(true)
  expect(fetched.length).toBeLessThanOrEqual(700)
  expect(refused.length).toBeGreaterThan(0)
  expect(message).toMatch(/^pages like \*\.example\.com\/ repeat each other/)
})

describe('hosts of one platform are crawled completely', () => {
  it('with the same help pages on each host, and one page of its own among them', () => {
    const { fetched, refused } = crawl(
      platform(({ origin, pathname }, host) => {
        if (pathname === '/') return { text: prose(1000 + host, 100), links: [`${origin}/help`] }
        const topics = range(14).map((topic) => `${origin}/help/how-to-${letterAt(topic)}`)
        if (pathname === '/help') return { text: prose(2, 100), links: [...topics, `${origin}/help/on-topic`] }
        const seed = pathname.endsWith('on-topic') ? 5000 + host : pathname.charCodeAt(pathname.length - 1)
        return { text: prose(seed, 120), links: [] }
      }),
    )
    expect(refused).toEqual([])
    expect(fetched).toHaveLength(1 + HOSTS * 17)
  })

  it('with the same home page, and twenty other pages, on each host', () => {
    const { fetched, refused } = crawl(
      platform(({ origin, pathname }, host) => {
        const links = range(23).map((nth) => `${origin}/wiki/page-${letterAt(nth)}`)
        if (pathname === '/') return { text: prose(2, 100), links }
        const nth = pathname.charCodeAt(pathname.length - 1)
        return { text: prose(nth < 97 + 20 ? nth : 1000 * host + nth, 120), links: [] }
      }),
    )
    expect(refused).toEqual([])
    expect(fetched).toHaveLength(1 + HOSTS * 24)
  })

  it('with the same home page on each host, which links to another host that only it links to', () => {
    const { fetched, refused } = crawl(
      (path) => {
        const { origin, hostname, pathname } = new URL(path)
        const host = Number(/\d+/.exec(hostname)?.[0])
        if (pathname !== '/') return { text: prose(1000 + host, 120), links: [] }
        const next = host < 299 ? [`https://s${host + 1}.example.com/`] : []
        return { text: prose(2, 100), links: [`${origin}/story`, ...next] }
      },
      { start: 'https://s0.example.com/' },
    )
    expect(refused).toEqual([])
    expect(fetched).toHaveLength(2 * 300)
  })
})
