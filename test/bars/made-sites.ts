import { generateSite } from '../site/generate-site.js'
import { type Handler, htmlPage, sendPage } from '../site/exchange.js'
import { openSubject, type Subject } from './subject.js'

/** `npm run test:bars` crawls a large site, and `npm test` one of the same kinds of links. */
const PAGES = process.env['BARS'] === 'whole' ? 800 : 300

const generated: Subject = {
  name: `a generated site of ${PAGES} pages`,
  open: () => {
    const pages = generateSite({ pages: PAGES })
    const named = [...pages.keys()].filter((_, index) => index % 9 === 8)
    return openSubject(Object.fromEntries(pages), named, '/')
  },
  start: '/',
  atLeast: PAGES,
  ruleSets: {
    'no rules': {},
    maxDiscoveryDepth: { maxDiscoveryDepth: 1 },
    includePaths: { includePaths: ['-[0-4]/', '-\\d+5\\.html$'] },
    'excludePaths on full URLs': { excludePaths: ['\\?view=', '^http://[^/]+/gone/'], regexOnFullURL: true },
    ignoreQueryParameters: { ignoreQueryParameters: true, maxDiscoveryDepth: 2 },
    'deduplicateSimilarURLs off': { deduplicateSimilarURLs: false, excludePaths: ['/gone/'] },
    'maxDepth of version 1': { maxDepth: 2 },
    'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 0 },
    'sitemap only': { sitemap: 'only' },
    discoverThrough: { includePaths: ['-[27]\\d\\d\\.html$'], discoverThrough: 100_000 },
    'robots.txt': { robots: 'User-agent: *\nDisallow: /gone/\nDisallow: /*5.html$\nAllow: /*-5*5.html' },
  },
}

const page = (...links: string[]): string =>
  htmlPage('A page', links.map((link) => `<p><a href="${link}">${link}</a></p>`).join(''))

const redirect =
  (location: string): Handler =>
  (exchange) =>
    sendPage(exchange, htmlPage('Moved'), 301, { location })

const slow =
  (html: string): Handler =>
  (exchange) =>
    void setTimeout(() => sendPage(exchange, html), 300)

/** Pages that answer under other URLs (known ones, new ones, refused ones, none at all), and one that is overtaken. */
const redirects: Subject = {
  name: 'a site of redirects and a slow page',
  open: () =>
    openSubject(
      {
        '/docs/': page(
          'old',
          'new',
          'first',
          'second',
          'out',
          '/outside',
          'out-again',
          'slash',
          'gone',
          'twice',
          'slow',
          'quick',
        ),
        '/docs/old': redirect('/docs/new'),
        '/docs/new': page('index.html#top', './'),
        '/docs/first': redirect('/docs/target'),
        '/docs/second': redirect('/docs/target?'),
        '/docs/target': page('/docs/from-target'),
        '/docs/from-target': page(),
        '/docs/out': redirect('/outside'),
        '/docs/out-again': redirect('/outside'),
        '/outside': page('/docs/from-outside', '/further'),
        '/docs/from-outside': page(),
        '/docs/slash': redirect('/docs/slash/'),
        '/docs/slash/': page('../excluded'),
        '/docs/gone': redirect('/docs/nowhere'),
        '/docs/twice': redirect('/docs/gone'),
        '/docs/excluded': page(),
        '/docs/slow': slow(page('far')),
        '/docs/quick': page('quicker'),
        '/docs/quicker': page('far'),
        '/docs/far': page('end'),
        '/docs/end': page(),
      },
      ['/docs/second', '/docs/twice', '/docs/far', '/outside'],
      '/docs/',
    ),
  start: '/docs/',
  atLeast: 14,
  ruleSets: {
    'no rules': {},
    'maxDiscoveryDepth 1': { maxDiscoveryDepth: 1 },
    'maxDiscoveryDepth 3': { maxDiscoveryDepth: 3 },
    excludePaths: { excludePaths: ['target', 'excluded'] },
    includePaths: { includePaths: ['/docs/(old|first|out|from)'] },
    'sitemap beside links': { sitemap: 'include', maxDiscoveryDepth: 0 },
    'robots.txt': { robots: 'User-agent: *\nDisallow: /docs/target\nDisallow: /*quick' },
    'crawlEntireDomain, from a page that redirects': { from: '/docs/out', crawlEntireDomain: true },
  },
}

/** Sites made for the purpose, which are there on every machine. */
export const madeSites: readonly Subject[] = [generated, redirects]
