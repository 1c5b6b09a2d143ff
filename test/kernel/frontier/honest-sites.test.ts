import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crawl, prose, type MadeUpSite } from './made-up-site.js'

const numberIn = (path: string): number => Number(/(\d+)\D*$/.exec(path)?.[1] ?? 0)
const range = (length: number): number[] => Array.from({ length }, (_, nth) => nth)
const boilerplate = prose(7, 60)

/** Large sites without traps, with the number of their pages. */
const sites: Record<string, { site: MadeUpSite; pages: number; start?: string }> = {
  '10 000 products in one list': {
    pages: 10_001,
    site: (path) =>
      path === '/'
        ? { text: 'Everything we sell', links: range(10_000).map((page) => `/product/${page}`) }
        : { text: prose(numberIn(path), 60), links: [] },
  },
  '10 000 products that differ only in their number': {
    pages: 10_051,
    site: (path) => {
      if (path === '/') return { text: 'Everything we sell', links: range(50).map((page) => `/list?page=${page}`) }
      const number = numberIn(path)
      if (path.startsWith('/product/')) return { text: `Product ${number}\n${boilerplate}`, links: [] }
      const products = range(200).map((nth) => number * 200 + nth)
      return {
        text: products.map((product) => `Product ${product}`).join('\n'),
        links: products.map((product) => `/product/${product}`),
      }
    },
  },
  'a tree of 10 000 pages that say no more than their number': {
    pages: 10_000,
    start: '/page/1',
    site: (path) => {
      const page = numberIn(path)
      const below = [page * 2, page * 2 + 1].filter((child) => child <= 10_000)
      return { text: `Page ${page}`, links: below.map((child) => `/page/${child}`) }
    },
  },
  '500 pages of a list, each linked from the one before': {
    pages: 500,
    site: (path) => {
      const page = path === '/' ? 1 : numberIn(path)
      return { text: prose(page, 150), links: page < 500 ? [`/?page=${page + 1}`] : [] }
    },
  },
  'a manual of 5000 pages, each linked from the one before': {
    pages: 5001,
    site: (path) => {
      const page = path === '/' ? 0 : numberIn(path)
      return {
        text: `${boilerplate}\n${prose(page + 9, 150)}`,
        links: page < 5000 ? [`/manual/chapter-${page + 1}`] : [],
      }
    },
  },
  'a manual in twenty versions that hardly differ': {
    pages: 6000,
    start: '/v0/page-0',
    site: (path) => {
      const [version = 0, page = 0] = (path.match(/\d+/g) ?? []).map(Number)
      const below = [page * 2 + 1, page * 2 + 2].filter((child) => child < 300)
      return {
        text: prose(page, 200) + (page % 9 === 0 ? ` since version ${version}` : ''),
        links: [...below.map((child) => `/v${version}/page-${child}`), `/v${Math.min(19, version + 1)}/page-${page}`],
      }
    },
  },
  'rates of 3000 days, each day linked from the one before': {
    pages: 3000,
    site: (path) => {
      const day = path === '/' ? 0 : Date.parse(path.slice(7)) / 86_400_000
      const next = new Date((day + 1) * 86_400_000).toISOString().slice(0, 10)
      const rates = range(30).map((currency) => `Currency ${currency} ${((day + 1) * (currency + 3) * 7919) % 99_991}`)
      return { text: `Rates of day ${day}\n${rates.join('\n')}`, links: day < 2999 ? [`/rates/${next}`] : [] }
    },
  },
  'a blog with lists by page and by tag': {
    pages: 2000 + 200 + 50 * 10,
    site: (path) => {
      const card = (post: number): string => `Post ${post} ${prose(post, 20)}`
      const list = (posts: readonly number[], more: readonly string[]): ReturnType<MadeUpSite> => ({
        text: posts.map(card).join('\n'),
        links: [...posts.map((post) => `/2026/05/post-${post}`), ...more],
      })
      const [, tag, tagPage] = /^\/tag\/(\d+)\/page\/(\d+)$/.exec(path) ?? []
      if (tag !== undefined) {
        const first = (Number(tagPage) - 1) * 4
        const posts = range(2000).filter((post) => post % 50 === Number(tag))
        return list(
          posts.slice(first, first + 4),
          first + 4 < posts.length ? [`/tag/${tag}/page/${Number(tagPage) + 1}`] : [],
        )
      }
      if (path === '/' || path.startsWith('/page/')) {
        const page = path === '/' ? 1 : numberIn(path)
        return list(
          range(10).map((nth) => page * 10 - 10 + nth),
          page < 200 ? [`/page/${page + 1}`] : [],
        )
      }
      const post = numberIn(path)
      return { text: `${card(post)}\n${prose(post + 5000, 200)}`, links: [`/tag/${post % 50}/page/1`] }
    },
  },
}

describe('the trap guard', () => {
  it.each(Object.entries(sites))('refuses no page of %s', (_name, { site, pages, start = '/' }) => {
    const { fetched, refused, message } = crawl(site, { start })
    expect(message).toBeUndefined()
    expect(refused).toEqual([])
    expect(fetched).toHaveLength(pages)
  })

  it('refuses no page of any honest site, however its pages are linked, named and repeated', () => {
    const addresses: Record<string, (page: number) => string> = {
      number: (page) => `/product/${page}`,
      slug: (page) => `/articles/${prose(page, 3).replaceAll(' ', '-')}-${page}`,
      query: (page) => `/item.php?id=${page}`,
      queries: (page) => `/item.php?category=${page % 7}&id=${page}`,
      dated: (page) => `/${2000 + (page % 25)}/${1 + (page % 12)}/story-${page}`,
      word: (page) => `/${prose(page, 1)}/${prose(page + 1, 1)}/p${page}`,
    }
    const links: Record<string, (page: number, pages: number) => number[]> = {
      list: (page, pages) => (page === 0 ? range(pages) : []),
      tree: (page) => [page * 3 + 1, page * 3 + 2, page * 3 + 3],
      chain: (page) => [page + 1],
      web: (page, pages) => [(page * 7 + 1) % pages, (page * 13 + 5) % pages, page + 1],
    }
    fc.assert(
      fc.property(
        fc.record({
          pages: fc.integer({ min: 1, max: 250 }),
          address: fc.constantFrom(...Object.keys(addresses)),
          link: fc.constantFrom(...Object.keys(links)),
          words: fc.constantFrom(12, 60, 200),
          shared: fc.constantFrom('', boilerplate),
          repeated: fc.double({ min: 0, max: 0.4, noNaN: true }),
          sameRepeat: fc.boolean(),
          seed: fc.nat(1_000_000),
        }),
        ({ pages, address, link, words, shared, repeated, sameRepeat, seed }) => {
          const at = addresses[address] ?? String
          const numbers = new Map(range(pages).map((page) => [at(page), page]))
          const isRepeat = (page: number): boolean => ((page * 2_654_435_761 + seed) >>> 0) % 1000 < repeated * 1000
          const site: MadeUpSite = (path) => {
            const page = numbers.get(path)
            if (page === undefined) return undefined
            const content = isRepeat(page) ? (sameRepeat ? 1 : Math.floor(page / 2)) : page + 1
            const below = (links[link]?.(page, pages) ?? []).filter((child) => child < pages)
            return { text: `${shared}\n${prose(seed + content, words)}`, links: below.map(at) }
          }
          expect(crawl(site, { start: at(0) }).refused).toEqual([])
        },
      ),
      { numRuns: 100, seed: 1 },
    )
  })
})
