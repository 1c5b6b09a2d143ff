import type { ServerResponse } from 'node:http'

/** A hostile site: what it answers to a path below its own, which begins with `/`. */
export interface HostileSite {
  readonly name: string
  /** Sends an answer, or gives the HTML of a page; 404 where it does neither. */
  answer(
    path: string,
    size: number,
    base: string,
  ): string | { readonly type: string; readonly body: string } | ((response: ServerResponse) => void) | undefined
  /** Asks for robots.txt and sitemaps at the root, so that the site needs a server of its own. */
  readonly ownsRobots?: true
  /** Part of the short form, which runs in the test command. */
  readonly inShort?: true
}

const prose = (seed: number): string =>
  Array.from({ length: 60 }, (_, at) => `w${(seed * 7919 + at * 104_729) % 9973}`).join(' ')
const hash = (seed: number): string => ((seed * 2_654_435_761) >>> 0).toString(16).padStart(8, '0').repeat(4)
const numberIn = (path: string): number => Number(/\d+/.exec(path)?.[0] ?? 0)
const linksTo = (hrefs: readonly string[]): string => hrefs.map((href) => `<a href="${href}">a</a>`).join('\n')
const page = (seed: number, hrefs: readonly string[]): string =>
  `<!doctype html><title>${seed}</title><main><h1>Page ${seed}</h1><p>${prose(seed)}</p></main>${linksTo(hrefs)}`
const range = <Item>(length: number, make: (at: number) => Item): Item[] => Array.from({ length }, (_, at) => make(at))

/** A page of many links, made by their numbers; pages that it links to are small. */
const hub = (name: string, href: (at: number) => string, inShort?: true): HostileSite => ({
  name,
  answer: (path, size, base) =>
    path === '/'
      ? page(
          0,
          range(size, (at) => `${base}${href(at)}`),
        )
      : page(numberIn(path), []),
  ...(inShort && { inShort }),
})

const xml = (body: string): { type: string; body: string } => ({ type: 'application/xml', body })
const urlset = (locations: readonly string[]): { type: string; body: string } =>
  xml(
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.map((loc) => `<url><loc>${loc}</loc></url>`).join('')}</urlset>`,
  )
const sitemapIndex = (locations: readonly string[]): { type: string; body: string } =>
  xml(
    `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`,
  )

/** A site with this robots.txt and these sitemaps, and one page that links to a hundred. */
const governed = (
  name: string,
  files: (path: string, size: number, base: string) => ReturnType<HostileSite['answer']>,
  inShort?: true,
): HostileSite => ({
  name,
  ownsRobots: true,
  answer: (path, size, base) =>
    files(path, size, base) ?? page(numberIn(path), path === '/' ? range(100, (at) => `${base}/p/${at}`) : []),
  ...(inShort && { inShort }),
})

const robots = (name: string, lines: (size: number) => string, inShort?: true): HostileSite =>
  governed(
    name,
    (path, size) => (path === '/robots.txt' ? { type: 'text/plain', body: lines(size) } : undefined),
    inShort,
  )

/** Sites that were made to hold up a crawl, by one page of `size` links or files of `size` lines. */
export const hostileSites: readonly HostileSite[] = [
  hub('many links', (at) => `/p/${at}`, true),
  hub('many links that a hash makes new', (at) => `/${hash(at)}/page`, true),
  hub('many links of sessions in the path', (at) => `/(S(${hash(at).slice(0, 24)}))/p${at % 7}.aspx`),
  hub('many links of sessions in the query', (at) => `/p?sid=${hash(at)}`),
  hub('many links of one path with many queries', (at) => `/p?a=${at}&b=${at * 7}&c=${at * 13}`),
  hub('many links of dates', (at) => `/${1900 + (at % 200)}/${at % 12}/${at % 28}/${at}`),
  hub('many links to fragments', (at) => `/p/${at % 3}#${at}`),
  hub('many links that nest', (at) => `/${'a/'.repeat(at % 200)}${at}`),
  hub('many links with percent signs', (at) => `/%${at}%${at}%zz%e4`),
  hub('many links with Unicode', (at) => `/ä${at}漢${at}`),
  hub('many links to upper and lower case', (at) => `/P${at % 100}/Q${at}`),
  {
    name: 'many links to other hosts',
    answer: (path, size) => page(0, path === '/' ? range(size, (at) => `http://h${at}.invalid/`) : []),
  },
  {
    name: 'many links to subdomains',
    answer: (path, size) => page(0, path === '/' ? range(size, (at) => `http://s${at}.localhost:1/`) : []),
  },
  {
    name: 'long links on every page',
    answer: (path, size, base) => {
      const seed = numberIn(path)
      return page(
        seed,
        range(size / 100, (at) => `${base}/${seed * 1000 + at}/${'x'.repeat(7700)}`),
      )
    },
    inShort: true,
  },
  {
    name: 'links that are too long',
    answer: (path, size, base) =>
      page(0, path === '/' ? range(size / 1000, (at) => `${base}/${at}${'1a'.repeat(20_000)}`) : []),
  },
  {
    name: 'one link that is very long',
    answer: (path, size, base) =>
      page(
        0,
        path === '/'
          ? [`${base}/(${'S(abcdefghijklmnopqrstuvwx)'.repeat(size)}`, `${base}/${'1-a_'.repeat(size)}`]
          : [],
      ),
    inShort: true,
  },
  {
    name: 'redirects to long paths',
    answer: (path, _, base) =>
      path === '/'
        ? page(
            0,
            range(20, (at) => `${base}/to/${at}`),
          )
        : (response) => response.writeHead(302, { location: `${base}/${'a1'.repeat(7000)}${numberIn(path)}` }).end(),
  },
  {
    name: 'redirects without an end',
    answer: (path, _, base) => (response) =>
      response.writeHead(302, { location: `${base}/${numberIn(path) + 1}` }).end(),
  },
  {
    name: 'a new session on every page',
    answer: (path, _, base) =>
      page(
        numberIn(path),
        range(200, (at) => `${base}/s/${hash(at + Math.floor(Math.random() * 1e9))}/${at}`),
      ),
  },
  {
    name: 'a calendar without an end',
    answer: (path, _, base) =>
      page(
        numberIn(path),
        range(60, (at) => `${base}/day/${numberIn(path) + at}`),
      ),
  },
  {
    name: 'canonical addresses that lead on',
    answer: (path, _, base) =>
      `<link rel=canonical href="${base}/${numberIn(path) + 1}">${page(
        numberIn(path),
        range(50, (at) => `${base}/${numberIn(path) + at}`),
      )}`,
  },
  {
    name: 'bases that nest',
    answer: (path, size, base) =>
      `<base href="${base}/${'x/'.repeat(1000)}">${page(
        0,
        range(path === '/' ? size : 1, (at) => `../${at}`),
      )}`,
  },
  {
    name: 'a Link header of links',
    answer: (path, _, base) => (response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          link: range(200, (at) => `<${base}/l/${at}>; rel=next`).join(', '),
        })
        .end(page(numberIn(path), [])),
  },
  robots(
    'robots.txt with many rules',
    (size) => `User-agent: *\n${range(size, (at) => `Disallow: /private/${at}/*/x$`).join('\n')}`,
    true,
  ),
  robots(
    'robots.txt with many stars',
    (size) => `User-agent: *\n${range(size / 100, (at) => `Disallow: /${'*a'.repeat(200)}${at}$`).join('\n')}`,
    true,
  ),
  robots('robots.txt with many agents', (size) => range(size, (at) => `User-agent: a${at}\nDisallow: /`).join('\n')),
  robots('robots.txt of one line', (size) => `User-agent: *\nDisallow: /${'a*'.repeat(size)}`),
  robots('robots.txt of line ends', (size) => '\n'.repeat(size * 10)),
  robots('robots.txt with many sitemaps', (size) =>
    range(size, (at) => `Sitemap: http://127.0.0.1:1/${at}.xml`).join('\n'),
  ),
  robots('robots.txt of comments', (size) => '#'.repeat(size * 40)),
  robots('robots.txt of bytes', (size) => '\0\uffff'.repeat(size)),
  governed(
    'a sitemap with many entries',
    (path, size, base) => (path === '/sitemap.xml' ? urlset(range(size, (at) => `${base}/p/${at}`)) : undefined),
    true,
  ),
  governed(
    'a sitemap with many hashes',
    (path, size, base) => (path === '/sitemap.xml' ? urlset(range(size, (at) => `${base}/${hash(at)}`)) : undefined),
    true,
  ),
  governed('a sitemap with long entries', (path, size, base) =>
    path === '/sitemap.xml' ? urlset(range(size / 100, (at) => `${base}/${'y'.repeat(7000)}${at}`)) : undefined,
  ),
  governed('a sitemap of elements in elements', (path, size) =>
    path === '/sitemap.xml' ? xml('<url>'.repeat(size)) : undefined,
  ),
  governed('a sitemap of one text', (path, size) =>
    path === '/sitemap.xml' ? xml(`<urlset><url><loc>${'a'.repeat(size * 40)}`) : undefined,
  ),
  governed('a sitemap of entities', (path, size) =>
    path === '/sitemap.xml' ? xml(`<urlset><url><loc>${'&amp;'.repeat(size)}`) : undefined,
  ),
  governed('a sitemap of pictures', (path, size, base) =>
    path === '/sitemap.xml'
      ? xml(
          `<urlset><url><loc>${base}/p/1</loc>${'<image:image><image:loc>a</image:loc></image:image>'.repeat(size)}</url></urlset>`,
        )
      : undefined,
  ),
  governed('a sitemap of plain text', (path, size, base) =>
    path === '/sitemap.xml'
      ? { type: 'text/plain', body: range(size, (at) => `${base}/p/${at}`).join('\n') }
      : undefined,
  ),
  governed('a sitemap index that names itself', (path, _, base) =>
    path === '/sitemap.xml' ? sitemapIndex(range(100, (at) => `${base}/sitemap.xml?${at}`)) : undefined,
  ),
  governed(
    'a sitemap index without an end',
    (path, size, base) =>
      path.startsWith('/sitemap')
        ? sitemapIndex(range(size / 10, (at) => `${base}/sitemap${hash(numberIn(path) + at)}.xml`))
        : undefined,
    true,
  ),
]
