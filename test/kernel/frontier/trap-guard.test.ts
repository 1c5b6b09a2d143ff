import { describe, expect, it } from 'vitest'
import { TrapGuard } from '../../../src/kernel/frontier/duplicates/trap-guard.js'
import type { SeenContent } from '../../../src/kernel/frontier/duplicates/novelty.js'
import { crawl, prose, type MadeUpSite } from './made-up-site.js'

/** Twenty lines, as in a list of goods. */
const goods = (from = 0): string =>
  Array.from({ length: 20 }, (_, nth) => `Item ${from + nth} ${prose(from + nth, 8)} ${(from + nth) * 3}.99`).join('\n')

const dayOf = (path: string): number => {
  const [year = 2026, month = 5, day = 3] = (/(\d+)[-/](\d+)[-/](\d+)/.exec(path) ?? []).slice(1).map(Number)
  return Date.UTC(year, month - 1, day)
}
const isoDay = (time: number, days: number): string => new Date(time + days * 86_400_000).toISOString().slice(0, 10)
const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' })

const scramble = (text: string): number => {
  let hash = 7
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193) >>> 0
  return hash
}

const filters = ['color', 'size', 'brand', 'price', 'stock', 'rating', 'fit', 'season', 'care', 'sale', 'sort', 'view']

/** A page for each set of filters, in the query. */
const filtered = (show: (on: readonly string[]) => string): MadeUpSite => {
  const address = (on: readonly string[]): string =>
    on.length === 0 ? '/' : `/?${on.map((name) => `${name}=1`).join('&')}`
  return (path) => {
    const on = [...new URL(path, 'https://example.com').searchParams.keys()]
    const toggled = (name: string): string[] =>
      on.includes(name) ? on.filter((other) => other !== name) : [...on, name]
    return { text: show(on), links: filters.map((name) => address(toggled(name))) }
  }
}

/** Endless sites, with the maximum of pages that may be spent on them. */
const traps: Record<string, { site: MadeUpSite; pages: number }> = {
  'a calendar with a page for every day': {
    pages: 80,
    site: (path) => {
      const time = dayOf(path)
      const to = (days: number): string => `/calendar/${isoDay(time, days).replaceAll('-', '/')}`
      const text = `Events on ${longDay.format(time)}\nNo events.\n[before](${to(-1)}) [after](${to(1)})`
      return { text, links: [-365, -30, -1, 1, 30, 365].map(to) }
    },
  },
  'a calendar of months in the query, with a page for every day': {
    pages: 150,
    site: (path) => {
      if (path.startsWith('/day')) return { text: `${longDay.format(dayOf(path))}\nNothing on this day.`, links: [] }
      const [month = 5, year = 2026] = (/month=(\d+)&year=(\d+)/.exec(path) ?? []).slice(1).map(Number)
      const to = (change: number): string => {
        const date = new Date(Date.UTC(year, month - 1 + change))
        return `/?month=${date.getUTCMonth() + 1}&year=${date.getUTCFullYear()}`
      }
      const days = Array.from({ length: 28 }, (_, day) => isoDay(Date.UTC(year, month - 1), day))
      const text = `${new Date(Date.UTC(year, month - 1)).toLocaleString('en', { month: 'long' })} ${year}\n${prose(1, 60)}`
      return { text, links: [to(-1), to(1), to(12), ...days.map((day) => `/day?date=${day}`)] }
    },
  },
  'filters that always show the same things': {
    pages: 100,
    site: filtered((on) => `Our shop ${on.join(' ')}\n${goods()}`),
  },
  'filters that show some of the same things': {
    pages: 400,
    site: filtered((on) =>
      goods()
        .split('\n')
        .filter((line) => on.every((name) => scramble(line.slice(0, 7) + name) % 4 > 0))
        .join('\n'),
    ),
  },
  'filters in the path, in any order': {
    pages: 300,
    site: (path) => {
      const on = path.split('/').filter((name) => name !== '')
      const off = filters.filter((name) => !on.includes(name))
      return {
        text: `Our shop ${on.join(' ')}\n${goods()}`,
        links: off.map((name) => `/${['shop', ...on.slice(1), name].join('/')}`),
      }
    },
  },
  'a session in the path, another one at every visit': {
    pages: 700,
    site: (path) => {
      const session = scramble(path).toString(16).padStart(8, '0').repeat(2)
      return {
        text: prose(Number(/\d+$/.exec(path)?.[0] ?? 0), 120),
        links: Array.from({ length: 20 }, (_, page) => `/s/${session}/page/${page}`),
      }
    },
  },
  'a parameter that changes at every visit': {
    pages: 100,
    site: (path) => ({ text: prose(3, 100), links: [1, 2, 3].map((nth) => `/?zx=${scramble(path + nth)}`) }),
  },
  'a parameter added again by every page': {
    pages: 100,
    site: (path) => ({
      text: prose(9, 60),
      links: ['view=grid', 'view=list'].map((pair) => `${path}${path.includes('?') ? '&' : '?'}${pair}`),
    }),
  },
  'a relative link that leads into itself': {
    pages: 10,
    site: (path) => ({ text: prose(3, 100), links: [`${path}docs/`] }),
  },
  // 40 repeats, 20 copies of the text, and probes.
  'relative links that lead into each other': {
    pages: 75,
    site: (path) => ({ text: prose(3, 100), links: ['next/', 'up/', 'home/'].map((name) => path + name) }),
  },
  'twelve relative links that lead into each other': {
    pages: 75,
    site: (path) => ({ text: prose(3, 100), links: filters.map((name) => `${path}${name}/`) }),
  },
  'relative links with a title of their own': {
    pages: 150,
    site: (path) => ({
      text: `${path.split('/').at(-2)}\n${prose(3, 100)}`,
      links: ['next/', 'up/', 'home/', 'about/'].map((name) => path + name),
    }),
  },
  'relative links that lead into each other, with hardly any text': {
    pages: 120,
    site: (path) => ({ text: 'Welcome', links: ['next/', 'up/', 'home/'].map((name) => path + name) }),
  },
  'relative links below a file': {
    pages: 75,
    site: (path) => ({
      text: prose(3, 100),
      links: ['index.html/x', 'index.html/y', 'about.html/z'].map(
        (name) => new URL(name, `https://e.test${path}`).pathname,
      ),
    }),
  },
  // 200 repeats, 20 copies of the text, and probes.
  'the same words in any case': {
    pages: 240,
    site: (path) => {
      const letters = 'abcdefghijklmnopqrstuvwx'.split('')
      const number = letters.reduce((sum, letter, at) => sum + (path.includes(letter.toUpperCase()) ? 2 ** at : 0), 0)
      const address = (bits: number): string =>
        `/${letters.map((letter, at) => (Math.floor(bits / 2 ** at) % 2 === 1 ? letter.toUpperCase() : letter)).join('')}`
      return { text: prose(3, 100), links: [1, 2, 3].map((more) => address(number * 3 + more)) }
    },
  },
  'words without end': {
    pages: 240,
    site: (path) => ({
      text: prose(3, 100),
      links: [1, 2, 3].map((nth) => `/${prose(scramble(path + nth), 4).replaceAll(' ', '')}`),
    }),
  },
  'random identifiers without capitals': {
    pages: 240,
    site: (path) => ({
      text: prose(3, 100),
      links: [1, 2].map((nth) => `/${scramble(path + nth).toString(36)}x${scramble(path).toString(36)}/a`),
    }),
  },
  'parameters of paths': {
    pages: 240,
    site: (path) => ({ text: prose(3, 100), links: [';a=1', ';b=2'].map((more) => path + more) }),
  },
  'empty segments and dots': {
    pages: 240,
    site: (path) => ({ text: prose(3, 100), links: [`/x/${path}`, `${path}y/`] }),
  },
  'parameters with names that differ': {
    pages: 120,
    site: (path) => ({
      text: prose(9, 60),
      links: ['a=1', 'b=2', 'c=3', 'd=4'].map((pair) => `${path}${path.includes('?') ? '&' : '?'}${pair}`),
    }),
  },
  'a form that every page links to with its own address': {
    pages: 1101,
    site: (path) => {
      if (path === '/') return { text: 'Home', links: Array.from({ length: 1000 }, (_, page) => `/page/${page}`) }
      if (path.startsWith('/login')) return { text: 'Please log in.', links: [] }
      return { text: prose(scramble(path), 100), links: [`/login?return=${encodeURIComponent(path)}`] }
    },
  },
  'a counter': {
    pages: 400,
    site: (path) => {
      const page = Number(/\d+$/.exec(path)?.[0] ?? 0)
      return { text: `Page ${page}\nWelcome`, links: [`/loop/${page + 1}`] }
    },
  },
  'a list that goes on after its end': {
    pages: 700,
    site: (path) => {
      const page = Number(/\d+$/.exec(path)?.[0] ?? 1)
      return { text: page > 500 ? `Page ${page}\nNo more items.` : prose(page, 150), links: [`/?page=${page + 1}`] }
    },
  },
}

describe('the trap guard', () => {
  it.each(Object.entries(traps))('ends the trap of %s', (_name, { site, pages }) => {
    const { fetched, refused, ended, message } = crawl(site, { most: 1500 })
    expect(ended).toBe(true)
    expect(fetched.length).toBeLessThanOrEqual(pages)
    expect(refused.length).toBeGreaterThan(0)
    expect(message).toMatch(/repeat|times|stands/)
  })

  it('reports which pages repeat each other, and how many repeats were allowed', () => {
    const { message } = crawl(traps['a calendar with a page for every day']?.site ?? (() => undefined))
    expect(message).toMatch(
      /^pages like example\.com\/calendar\/:date repeat each other: \d of \d\d had new content, and the limit of 40 repeats is reached$/,
    )
  })

  it('does not affect the rest of the site', () => {
    const trap = traps['filters that always show the same things']?.site
    const { fetched } = crawl((path) => {
      if (path.startsWith('/article/')) {
        const page = Number(path.slice(9))
        return {
          text: prose(page + 50, 100),
          links: [`/article/${page + 1}`, `/?color=${page}&from=article`].filter(() => page < 500),
        }
      }
      const page = trap?.(path)
      return page === undefined ? undefined : { ...page, links: [...page.links, '/article/1'] }
    })
    expect(fetched.filter((path) => path.startsWith('/article/'))).toHaveLength(500)
  })

  it('is deterministic', () => {
    const { site } = traps['a session in the path, another one at every visit'] ?? {}
    expect(site).toBeDefined()
    if (site) expect(crawl(site)).toEqual(crawl(site))
  })
})

const repeat: SeenContent = { kind: 'alike', times: 100, tiny: false }
const news: SeenContent = { kind: 'new', times: 0, tiny: false }

/** A guard that has seen a repeated page, `/stale`, and then this many repeats that it led to. */
function guardAfterRepeats(repeats: number): TrapGuard {
  const guard = new TrapGuard()
  guard.report({ url: 'https://example.com/stale' }, repeat)
  for (let page = 0; page < repeats; page += 1) guard.report(found(page), repeat)
  return guard
}

const found = (page: number, foundOn = '/stale'): { url: string; foundOn: string } => ({
  url: `https://example.com/list?page=${page}`,
  foundOn: `https://example.com${foundOn}`,
})

describe('a template with too many repeats', () => {
  it('is refused at the fortieth repeat, and not before', () => {
    expect(guardAfterRepeats(39).judge(found(40))).toBeUndefined()
    expect(guardAfterRepeats(40).judge(found(40))).toMatchObject({ reason: 'TRAP' })
  })

  it('is admitted for start URLs, for sitemaps, and for links on new pages', () => {
    const guard = guardAfterRepeats(500)
    expect(guard.judge({ url: found(501).url })).toBeUndefined()
    guard.report({ url: 'https://example.com/fresh' }, news)
    expect(guard.judge(found(501, '/fresh'))).toBeUndefined()
  })

  it('is probed occasionally: less often while it only repeats', () => {
    const guard = guardAfterRepeats(500)
    const probes: number[] = []
    for (let page = 1; page <= 10_000; page += 1) {
      if (guard.judge(found(page)) !== undefined) continue
      probes.push(page)
      guard.report(found(page), repeat)
    }
    expect(probes).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120])
  })

  it('is admitted again after a probe with new content', () => {
    const guard = guardAfterRepeats(500)
    let refused = 0
    for (let page = 1; page <= 1000; page += 1) {
      if (guard.judge(found(page)) !== undefined) refused += 1
      else guard.report(found(page), news)
    }
    expect(refused).toBe(9)
  })

  it('stays admitted while one page in five is new', () => {
    const guard = guardAfterRepeats(0)
    for (let page = 1; page <= 10_000; page += 1) {
      expect(guard.judge(found(page))).toBeUndefined()
      guard.report(found(page), page % 5 === 0 ? news : repeat)
    }
  })

  it('is allowed more repeats after many new pages, up to a maximum', () => {
    const guard = guardAfterRepeats(0)
    for (let page = 1; page <= 10_000; page += 1) guard.report(found(page), news)
    let repeats = 0
    // Links on new pages are always admitted without a query, so these are links on repeated pages.
    while (guard.judge(found(20_000 + repeats)) === undefined && repeats < 5000) {
      guard.report(found(20_000 + repeats), repeat)
      repeats += 1
    }
    expect(repeats).toBe(400)
  })

  it('is always admitted without a query when a new page links to it', () => {
    const guard = guardAfterRepeats(0)
    const page = (number: number, foundOn: string): { url: string; foundOn: string } => ({
      url: `https://example.com/list/${number}`,
      foundOn: `https://example.com${foundOn}`,
    })
    for (let number = 0; number < 500; number += 1) guard.report(page(number, '/stale'), { ...repeat, kind: 'same' })
    expect(guard.judge(page(501, '/stale'))).toMatchObject({ reason: 'TRAP' })
    expect(guard.judge(page(501, '/fresh'))).toBeUndefined()
  })

  it('is not charged for repeats that new pages link to', () => {
    const guard = guardAfterRepeats(0)
    for (let page = 0; page < 500; page += 1) guard.report(found(page, '/fresh'), repeat)
    expect(guard.judge(found(501))).toBeUndefined()
    for (let page = 0; page < 40; page += 1) guard.report(found(page, '/fresh'), { ...repeat, kind: 'same' })
    expect(guard.judge(found(501, '/fresh'))).toMatchObject({ reason: 'TRAP' })
  })

  it('does not affect another template with its own record', () => {
    const guard = guardAfterRepeats(0)
    const page = (name: string): { url: string; foundOn: string } => ({
      ...found(0),
      url: `https://example.com/list?${name}=1`,
    })
    for (let times = 0; times < 20; times += 1) guard.report(page('known'), news)
    for (let nth = 0; nth < 100; nth += 1)
      guard.report(page(`p${String.fromCharCode(97 + (nth % 26))}${'x'.repeat(nth / 26)}`), repeat)
    expect(guard.judge(page('unheard'))).toMatchObject({ reason: 'TRAP' })
    expect(guard.judge(page('known'))).toBeUndefined()
  })

  it('may rearrange known content without limit, unless it combines parameters', () => {
    const guard = guardAfterRepeats(0)
    const page = (path: string): { url: string; foundOn: string } => ({
      ...found(0),
      url: `https://example.com${path}`,
    })
    for (let nth = 0; nth < 500; nth += 1) {
      guard.report(page(`/tag/${nth}`), { kind: 'rearranged', times: 0, tiny: false })
      guard.report(page(`/shop?a=1&b=${nth}`), { kind: 'rearranged', times: 0, tiny: false })
    }
    expect(guard.judge(page('/tag/501'))).toBeUndefined()
    expect(guard.judge(page('/shop?a=1&b=501'))).toMatchObject({ reason: 'TRAP' })
  })

  it('is not changed by explain', () => {
    const guard = guardAfterRepeats(500)
    for (let times = 0; times < 100; times += 1) expect(guard.explain(found(1))).toMatchObject({ reason: 'TRAP' })
    expect(guard.explain({ url: found(1).url })).toBeUndefined()
  })
})
