import * as fc from 'fast-check'
import robotsParser from 'robots-parser'
import { describe, expect, it } from 'vitest'
import { forAll, isAllowed, origin } from './judge-robots.js'

type Parsed = { isAllowed(url: string, agent: string): boolean | undefined }
const parseAlone = robotsParser as unknown as (url: string, text: string) => Parsed

describe('rules of robots.txt', () => {
  it.each([
    ['the longest match decides', forAll('Allow: /a', 'Disallow: /a/b'), '/a/b/c', false],
    ['the longest match decides, whatever the order', forAll('Disallow: /a/b', 'Allow: /a'), '/a/b/c', false],
    ['Allow wins between rules of one length', forAll('Disallow: /page', 'Allow: /page'), '/page', true],
    ['Allow wins a tie with a wildcard', forAll('Disallow: /p*ge', 'Allow: /page'), '/page', true],
    ['a longer wildcard beats a shorter Allow', forAll('Allow: /page', 'Disallow: /*.html'), '/page.html', false],
    ['a wildcard in the middle', forAll('Disallow: /a/*/c'), '/a/b/c', false],
    ['a wildcard that stands for nothing', forAll('Disallow: /a*b'), '/ab', false],
    ['a wildcard at the start', forAll('Disallow: *.pdf'), '/a/b.pdf', false],
    ['a wildcard that reaches into the query', forAll('Disallow: /*id='), '/a?x=1&id=2', false],
    ['a rule about the query', forAll('Disallow: /*?'), '/a', true],
    ['a rule about an empty query', forAll('Disallow: /a?'), '/a?', false],
    ['a rule about an empty query, before a fragment', forAll('Disallow: /a?'), '/a?#b', false],
    ['a rule about an empty query, with a query', forAll('Disallow: /a?'), '/a?b', false],
    ['a rule about an empty query, without one', forAll('Disallow: /a?'), '/a', true],
    ['a rule about an empty query, and a question mark behind the path', forAll('Disallow: /a?'), '/a#?', true],
    ['a rule about nothing but an empty query', forAll('Disallow: /a?$'), '/a?', false],
    ['the end of the path, with an empty query', forAll('Disallow: /a$'), '/a?', true],
    ['the end of the path', forAll('Disallow: /a$'), '/a', false],
    ['the end of the path, with more to come', forAll('Disallow: /a$'), '/ab', true],
    ['the end of the path, with a query', forAll('Disallow: /*.php$'), '/a.php?x', true],
    ['the end of the path after a wildcard', forAll('Disallow: /*.php$'), '/a.php.php', false],
    ['pieces that would have to overlap', forAll('Disallow: /*aba*ab$'), '/abab', true],
    [
      'pieces that would have to overlap, before a rule that matches',
      forAll('Disallow: /*aba*ab$', 'Disallow: /*ab'),
      '/abab',
      false,
    ],
    ['a dollar that is not at the end', forAll('Disallow: /a$b'), '/a$b', false],
    ['an empty Disallow', forAll('Disallow:'), '/a', true],
    ['an empty Disallow beside another rule', forAll('Disallow:', 'Disallow: /a'), '/a', false],
    ['no rule at all', '', '/a', true],
    ['a path is case-sensitive', forAll('Disallow: /A'), '/a', true],
    ['names of lines are not case-sensitive', 'USER-AGENT: *\ndisALLOW: /a', '/a', false],
    ['blanks around names and values', ' User-agent \t: * \n\tDisallow :  /a  ', '/a', false],
    ['a comment after a rule', forAll('Disallow: /a # not this'), '/a', false],
    ['rules before any user agent', 'Disallow: /\nUser-agent: other\nDisallow: /', '/a', true],
    ['a rule that begins with no slash', forAll('Disallow: a'), '/a', true],
    ['CR line ends', 'User-agent: *\rDisallow: /a\r', '/a', false],
    ['CRLF line ends', 'User-agent: *\r\nDisallow: /a\r\n', '/a', false],
    ['a letter whose last octet is a blank', forAll('Disallow: /à '), '/%C3%A0', false],
    ['a byte order mark', '\uFEFFUser-agent: *\nDisallow: /a', '/a', false],
  ])('%s', async (_name, file, path, allowed) => {
    expect(await isAllowed(file, path)).toBe(allowed)
  })

  // Rules of RFC 9309 that robots-parser 3.0.1 does not implement: the last column is its own verdict.
  it.each([
    ['2.2.1: a group without rules is a group', 'User-agent: *\nDisallow: /\nUser-agent: trawl\n', '/a', true, false],
    ['2.2.1: a name ends where its letters do', 'User-agent: trawl (x)\nDisallow: /a', '/a', false, true],
    ['2.2.2: /robots.txt is allowed', forAll('Disallow: /'), '/robots.txt', true, false],
    ['2.2.2: an octet that needs no encoding, in a URL', forAll('Disallow: /baz'), '/%62%61%7A', false, true],
    ['2.2.2: an octet that needs no encoding, in a rule', forAll('Disallow: /%62%61%7A'), '/baz', false, true],
    ['2.2.2: a reserved octet, encoded in the URL', forAll('Disallow: /a:b'), '/a%3Ab', false, true],
    ['2.2.2: a reserved octet, encoded in the rule', forAll('Disallow: /a%3ab'), '/a:b', false, true],
    ['2.2.2: brackets', forAll('Disallow: /a[1]'), '/a[1]', false, true],
    ['2.2.2: an address in the query', forAll('Disallow: /?u=http://b'), '/?u=http%3A%2F%2Fb', false, true],
    ['2.2.2: an encoded address in a rule', forAll('Disallow: /?u=http%3A%2F%2Fb'), '/?u=http://b', false, true],
    ['2.2.3: a star that means itself', forAll('Disallow: /a-%2A.html'), '/a-*.html', false, true],
    ['2.2.3: a dollar that means itself', forAll('Disallow: /a%24'), '/a$', false, true],
    [
      '2.2.4: a Sitemap line ends no group',
      'User-agent: trawl\nSitemap: https://example.com/s.xml\nUser-agent: b\nDisallow: /',
      '/a',
      false,
      true,
    ],
    ['2.2.4: nor does Crawl-delay', 'User-agent: trawl\nCrawl-delay: 1\nUser-agent: b\nDisallow: /', '/a', false, true],
    ['2.2.4: nor does an unknown line', 'User-agent: trawl\nNoindex: /\nUser-agent: b\nDisallow: /', '/a', false, true],
  ])('RFC 9309 %s', async (_name, file, path, allowed, alone) => {
    expect(await isAllowed(file, path)).toBe(allowed)
    expect(parseAlone(`${origin}/robots.txt`, file).isAllowed(origin + path, 'trawl')).toBe(alone)
  })

  it.each([
    ['/foo/bar?baz=quz', '/foo/bar?baz=quz'],
    ['/foo/bar?baz=https://foo.bar', '/foo/bar?baz=https%3A%2F%2Ffoo.bar'],
    ['/foo/bar/\u30C4', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%E3%83%84', '/foo/bar/%E3%83%84'],
    ['/foo/bar/%62%61%7A', '/foo/bar/baz'],
  ])('the table of RFC 9309 section 2.2.2: %s is %s', async (rule, path) => {
    expect(await isAllowed(forAll(`Disallow: ${rule}`), path)).toBe(false)
    expect(await isAllowed(forAll(`Disallow: ${path}`), rule)).toBe(false)
  })

  it.each([
    ['/a%2Fb', '/a/b'],
    ['/a/b', '/a%2Fb'],
    ['/a%3Fb', '/a?b'],
    ['/a?x=1%26y', '/a?x=1&y'],
    ['/a%25b', '/a%b%'],
  ])('distinguishes an encoded delimiter of a URL from the delimiter: %s and %s', async (rule, path) => {
    expect(await isAllowed(forAll(`Disallow: ${rule}$`), path)).toBe(true)
    expect(await isAllowed(forAll(`Disallow: ${rule}$`), rule)).toBe(false)
  })

  it.each([
    ['*to=http://', '/go?to=http://b'],
    ['*to=http://', '/go?to=http%3A%2F%2Fb'],
    ['*to=http%3a%2f%2f', '/go?to=http%3A%2F%2Fb'],
  ])('match a question mark by a wildcard: %s at %s', async (rule, path) => {
    expect(await isAllowed(forAll(`Disallow: ${rule}`), path)).toBe(false)
  })
})

describe('any path', () => {
  const piece = fc.constantFrom('a', 'b', '/', '%41', '%2F', '%2f', ':', '[', '~', '%7e', 'é', '%', '=', '+', "'", '|')
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`)
  const query = fc.array(piece, { maxLength: 6 }).map((pieces) => (pieces.length === 0 ? '' : `?${pieces.join('')}`))
  const target = fc.tuple(path, query).map((both) => both.join(''))

  it('is matched by a rule with the same text', async () => {
    await fc.assert(
      fc.asyncProperty(target, async (written) => {
        const { pathname, search } = new URL(origin + written)
        expect(await isAllowed(forAll(`Disallow: ${written}$`), written)).toBe(false)
        expect(await isAllowed(forAll(`Disallow: ${pathname}${search}$`), written)).toBe(false)
        expect(await isAllowed(forAll(`Disallow: ${written}$`), `${written}x`)).toBe(true)
      }),
    )
  })

  it('is allowed when a longer Allow beats a shorter Disallow', async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.nat(), async (written, cut) => {
        const { pathname, search } = new URL(origin + written)
        const whole = pathname + search
        // Never splits an encoded octet.
        const shorter = whole.slice(0, 1 + (cut % whole.length)).replace(/%.?$/, '')
        const longer = `Allow: ${whole}*`
        expect(await isAllowed(forAll(`Disallow: ${shorter}`, longer), written)).toBe(true)
        expect(await isAllowed(forAll(longer, `Disallow: ${shorter}`), written)).toBe(true)
      }),
    )
  })

  it('gets the verdict of robots-parser', async () => {
    const rulePiece = fc.constantFrom('a', 'b', '/', '*', '?', '$', '.', 'ab')
    const rule = fc.tuple(fc.constantFrom('Allow', 'Disallow'), fc.array(rulePiece, { maxLength: 8 })).map(
      ([name, pieces]) =>
        `${name}: /${pieces
          .join('')
          .replace(/\$(?=.)/g, '')
          .replace(/\*+/g, '*')}`,
    )
    // With a non-empty query, because robots-parser does not know empty ones.
    const simple = fc.stringMatching(/^\/[ab/]{0,8}(\?[ab]{1,4})?$/)
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 12 }), simple, async (rules, written) => {
        const file = forAll(...rules)
        const alone = parseAlone(`${origin}/robots.txt`, file).isAllowed(origin + written, 'trawl')
        expect(await isAllowed(file, written)).toBe(alone)
      }),
      { numRuns: 500 },
    )
  })
})
