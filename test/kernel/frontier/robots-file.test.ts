import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { forAll, isAllowed, judge, openRobots, origin } from './judge-robots.js'

describe('the group of a crawler', () => {
  const file = [
    'User-agent: *',
    'Disallow: /all',
    'User-agent: trawl',
    'User-agent: Other-Bot/2.0',
    'Disallow: /one',
    'User-agent: someone',
    'Disallow: /',
    'User-agent: TRAWL',
    'Disallow: /two',
    'User-agent:',
    'User-agent: ツ',
    'Disallow: /',
  ].join('\n')

  it.each([
    ['trawl', '/one', false],
    ['trawl', '/two', false],
    ['trawl', '/all', true],
    ['Trawl/1.0 (+https://example.org)', '/one', false],
    ['other-bot', '/one', false],
    ['other-bot', '/two', true],
    ['other', '/one', true],
    ['other', '/all', false],
    ['trawler', '/one', true],
    ['trawler', '/all', false],
    ['*', '/all', false],
    ['', '/all', false],
    ['', '/one', true],
    ['toString', '/all', false],
    ['__proto__', '/all', false],
  ])('%s at %s: %s', async (agent, path, allowed) => {
    expect(await isAllowed(file, path, agent)).toBe(allowed)
  })

  it('is undefined when no group names it and there is none for *', async () => {
    expect(await judge('User-agent: other\nDisallow: /\nCrawl-delay: 9', '/a')).toEqual({
      allowed: true,
      why: 'no rule',
      robotsUrl: 'https://example.com/robots.txt',
    })
  })
})

describe('the line that decided', () => {
  it('is returned verbatim, with its number', async () => {
    const file = '# hello\r\n\r\nUser-agent: *\r\n  Disallow: /caf\u00E9  # no coffee\r\nAllow: /'
    expect(await judge(file, '/café/menu')).toMatchObject({
      allowed: false,
      why: 'rule',
      line: { number: 4, text: '  Disallow: /café  # no coffee' },
    })
    expect(await judge(file, '/tea')).toMatchObject({
      allowed: true,
      why: 'rule',
      line: { number: 5, text: 'Allow: /' },
    })
  })

  it('is truncated when it is very long', async () => {
    const { line } = await judge(forAll(`Disallow: /${'*'.repeat(10_000)}`), '/a')
    expect(line?.text).toHaveLength(201)
  })
})

describe('a line that is misspelt', () => {
  // The spellings that Google's parser reads: https://github.com/google/robotstxt, robots.cc
  it.each([
    'User-agent: *\nDissallow: /a',
    'User-agent: *\nDissalow: /a',
    'User-agent: *\nDisalow: /a',
    'User-agent: *\nDiasllow: /a',
    'User-agent: *\nDisallaw: /a',
    'Useragent: *\nDisallow: /a',
    'User agent: *\nDisallow: /a',
    'User-agent *\nDisallow /a',
    'User-agent\t*\n  Disallow   /a   # without colons',
  ])('is read where Google reads it: %j', async (file) => {
    expect(await isAllowed(file, '/a')).toBe(false)
    expect(await isAllowed(file, '/b')).toBe(true)
  })

  it('has no effect otherwise', async () => {
    for (const line of ['Disallow this site /a', 'Disallow', 'Dis-allow: /a', 'Disallow /a /b', '# Disallow: /a'])
      expect(await isAllowed(`User-agent: *\n${line}`, '/a')).toBe(true)
  })
})

describe('Crawl-delay', () => {
  const delayOf = async (...lines: string[]) => {
    const { crawlDelayMs, crawlDelayAskedMs } = await judge(forAll(...lines), '/a')
    return [crawlDelayMs, crawlDelayAskedMs]
  }

  it.each([
    ['Crawl-delay: 10', [10_000, undefined]],
    ['crawl-delay: 0.25', [250, undefined]],
    ['Crawl-delay: .5', [500, undefined]],
    ['Crawl-delay: 0', [0, undefined]],
    ['Crawl-delay: 86400 # a day', [60_000, 86_400_000]],
    ['Crawl-delay:', [undefined, undefined]],
    ['Crawl-delay: -1', [undefined, undefined]],
    ['Crawl-delay: ten', [undefined, undefined]],
    ['Crawl-delay: 0x10', [undefined, undefined]],
    ['Crawl-delay: 1e3', [undefined, undefined]],
    ['Crawl-delay: Infinity', [undefined, undefined]],
    [`Crawl-delay: ${'9'.repeat(400)}`, [undefined, undefined]],
  ])('%s', async (line, expected) => {
    expect(await delayOf(line)).toEqual(expected)
  })

  it('is the longest of several in its group', async () => {
    expect(await delayOf('Crawl-delay: 2', 'Crawl-delay: 5', 'Crawl-delay: 3')).toEqual([5000, undefined])
    expect(await delayOf('Disallow: /b', 'User-agent: other', 'Crawl-delay: 2')).toEqual([undefined, undefined])
    expect(await delayOf('Crawl-delay: 2', 'User-agent: other', 'Crawl-delay: 9')).toEqual([2000, undefined])
  })

  it('applies to the user agents directly above it, though the rules below are for more', async () => {
    const file = 'User-agent: slow\nUser-agent: slower\nCrawl-delay: 9\nUser-agent: trawl\nDisallow: /a\nCrawl-delay: 1'
    expect(await judge(file, '/a', 'slow')).toMatchObject({ allowed: false, crawlDelayMs: 9000 })
    expect(await judge(file, '/a', 'slower')).toMatchObject({ allowed: false, crawlDelayMs: 9000 })
    expect(await judge(file, '/a', 'trawl')).toMatchObject({ allowed: false, crawlDelayMs: 1000 })
  })
})

describe('a robots.txt of any bytes', () => {
  const ruled = 'User-agent: *\nDisallow: /a\n'

  it.each([
    ['UTF-16', Buffer.from(`\uFEFF${ruled}`, 'utf16le')],
    ['NULs between all letters', Buffer.from(ruled, 'utf16le')],
    ['letters that are not UTF-8', Buffer.from(`# caf\xe9\n${ruled}Disallow: /caf\xe9\n`, 'latin1')],
    ['a letter cut in two', Buffer.concat([Buffer.from(`${ruled}Disallow: /`), Buffer.from([0xe3, 0x83])])],
  ])('is read: %s', async (_name, file) => {
    expect(await isAllowed(file, '/a')).toBe(false)
    expect(await isAllowed(file, '/b')).toBe(true)
  })

  it('has its octets compared with those of the URL', async () => {
    expect(await isAllowed(Buffer.from(forAll('Disallow: /caf\xe9'), 'latin1'), '/caf%E9')).toBe(false)
  })

  it('has no rules when it is an HTML page', async () => {
    const page = '<!doctype html>\n<title>User-agent: *</title>\n<p>User-agent: *\nDisallow: /\n</p>'
    expect(await judge(page, '/a')).toMatchObject({ allowed: true, why: 'no rule' })
  })

  it('is read up to 500 KiB, to the end of the last complete line', async () => {
    const start = 'User-agent: *\nDisallow: /early\n'
    const fill = `${'#'.repeat(99)}\n`.repeat(5200)
    const rest = 512_000 - start.length
    const file = (last: string): string =>
      `${start}${fill.slice(0, rest - last.length - 4)}\n${last}/late-and-long\n${fill}`
    expect(await isAllowed(file('Disallow: '), '/early')).toBe(false)
    expect(await isAllowed(file('Disallow: '), '/late-and-long')).toBe(true)
    // A truncated line would read `Disallow: /la`.
    expect(await isAllowed(file('Disallow: '), '/lavender')).toBe(true)
    expect(await isAllowed(`${fill.slice(0, 511_900)}\n${start}${fill}`, '/early')).toBe(false)
  })

  it('never makes the parser throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.webPath(), async (bytes, path) => {
        const body = Buffer.concat([Buffer.from('User-agent: *\nDisallow: '), bytes])
        expect((await judge(body, path || '/')).allowed).toBeTypeOf('boolean')
      }),
    )
  })

  it.each([
    ['a rule of wildcards', forAll(`Disallow: /${'*a'.repeat(250_000)}$`), `/${'a'.repeat(4000)}`],
    ['a rule of stars', forAll(`Disallow: /${'*'.repeat(500_000)}b$`), `/${'a'.repeat(4000)}`],
    [
      'thousands of rules of wildcards',
      forAll(...Array<string>(4900).fill(`Disallow: /${'*a'.repeat(48)}b$`)),
      `/${'a'.repeat(4000)}b${'a'.repeat(4000)}`,
    ],
    [
      'thousands of crawlers with thousands of rules',
      [
        ...Array.from({ length: 16_000 }, (_, n) => `User-agent: b${n}`),
        ...Array.from({ length: 16_000 }, (_, n) => `Disallow: /${n}x`),
      ].join('\n'),
      '/a',
    ],
    ['a long run of blanks', forAll(`Disallow: /a${' '.repeat(490_000)}b`), '/x'],
  ])(
    'takes time in proportion to its size: %s',
    async (_name, file, path) => {
      // robots-parser alone takes 1 to 6 s for one path of some of these files, minutes in total.
      const robots = openRobots(file)
      for (let n = 0; n < 40; n++)
        expect((await robots.judge(new URL(`${origin}${path}?${n}`), 'b1')).allowed).toBe(true)
    },
    20_000,
  )

  it('is searched without trying each rule on each path', async () => {
    // Trying each rule would take a billion attempts.
    const file = forAll(...Array.from({ length: 25_000 }, (_, n) => `Disallow: /*f${n}=`))
    const robots = openRobots(file)
    const refused: number[] = []
    for (let n = 0; n < 60_000; n++) {
      const { allowed } = await robots.judge(new URL(`${origin}/things/${n}?n=${n}&f${n * 2}=1`), 'trawl')
      if (!allowed) refused.push(n)
    }
    expect(refused).toEqual(Array.from({ length: 12_500 }, (_, n) => n))
  }, 30_000)

  it('does not block the event loop while it is parsed', async () => {
    const turnsOf = async (file: string): Promise<number> => {
      const judging = () => isAllowed(`${file}User-agent: *\nDisallow: /a`, '/a', 'a')
      const { result, turns } = await countTurns(judging)
      expect(result).toBe(true)
      return turns
    }
    const few = await turnsOf('User-agent: a\nAllow: /{\n')
    expect(await turnsOf('User-agent: a\nAllow: /{\nSitemap:/b\n'.repeat(14_000))).toBeGreaterThan(few)
  })

  it.each([
    [12_000, 50],
    [1500, 400],
  ])('does not block the event loop while %i rules are tried on %i paths', async (rules, paths) => {
    const turnsOf = async (count: number): Promise<number> => {
      // All rules have the same characters between their wildcards, so that each must be tried.
      const file = forAll(
        ...Array.from(
          { length: count },
          (_, n) => `Disallow: /*${n.toString(2).split('').join('*')}*${'1*0*'.repeat(4)}2`,
        ),
      )
      const robots = openRobots(file)
      // The file is parsed for its first path, in slices of its own.
      await robots.judge(new URL(origin), 'trawl')
      const tail = '01'.repeat(200)
      const { turns } = await countTurns(async () => {
        for (let n = 0; n < paths; n++) await robots.judge(new URL(`${origin}/things?n=${n}${tail}`), 'trawl')
      })
      return turns
    }
    expect(await turnsOf(rules)).toBeGreaterThan(3 + (await turnsOf(1)))
  })
})
