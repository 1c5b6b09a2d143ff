import { existsSync, readdirSync } from 'node:fs'
import type { CrawlRules } from './reference-crawler.js'
import { htmlPage, sendPage } from '../site/exchange.js'
import { type Site, type SiteOptions, startSite } from '../site/site.js'

/** Rules that have a say in which pages belong to a crawl. */
export interface RuleSet extends Omit<CrawlRules, 'url'> {
  /** Where the crawl starts, if not where the documentation begins. */
  readonly from?: string
  /** What the site's robots.txt says. */
  readonly robots?: string
}

/** A site that is crawled under every one of its rule sets. */
export interface Subject {
  readonly name: string
  readonly open: () => Promise<OpenSubject>
  /** Where its pages begin. */
  readonly start: string
  readonly atLeast: number
  readonly ruleSets: Readonly<Record<string, RuleSet>>
  /** Why it cannot be crawled on this machine. */
  readonly missing?: string
}

export interface OpenSubject {
  readonly site: Site
  /** Puts another robots.txt in place; none without text. */
  setRobots(text: string | undefined): void
}

/**
 * A site with a `/sitemap.xml` that names some of its pages, one that nothing links to, another site's and a picture.
 *
 * @param paths of the pages that the sitemap names
 */
export async function openSubject(pages: NonNullable<SiteOptions['pages']>, paths: readonly string[], root: string) {
  let robots: string | undefined
  const lonely = `${root}nothing-links-here.html`
  const site = await startSite({
    pages: {
      ...pages,
      '/robots.txt': (exchange) =>
        robots === undefined ? sendPage(exchange, 'none', 404) : exchange.response.end(robots),
      '/sitemap.xml': ({ response }) => {
        const urls = [...paths, lonely, `${root}picture.PNG`].map((path) => site.url(path))
        const entries = [...urls, 'http://elsewhere.test/'].map((url) => `<url><loc> ${url} </loc></url>`)
        response.writeHead(200, { 'content-type': 'application/xml' })
        response.end(
          `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`,
        )
      },
      [lonely]: htmlPage('Lonely', `<p>Nothing links here.</p><a href="${root}only-from-there.html">on</a>`),
      [`${root}only-from-there.html`]: htmlPage('Found', '<p>Only a lonely page links here.</p>'),
    },
  })
  return { site, setRobots: (text: string | undefined) => void (robots = text) }
}

/** Documentation that a package of Debian brings along, served below `/manual/`. */
export function packaged(
  name: string,
  folder: string,
  rest: Pick<Subject, 'start' | 'atLeast' | 'ruleSets'> & { readonly sitemapNamesEvery: number },
): Subject {
  const { sitemapNamesEvery, ...subject } = rest
  const open = async (): Promise<OpenSubject> => {
    const below = subject.start.slice('/manual/'.length, subject.start.lastIndexOf('/') + 1)
    const files = readdirSync(`${folder}/${below}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .toSorted()
      .filter((_, index) => index % sitemapNamesEvery === 0)
    const opened = await openSubject(
      {},
      files.map((file) => `/manual/${below}${file}`),
      `/manual/${below}`,
    )
    opened.site.mount('/manual/', folder)
    return opened
  }
  return {
    name,
    open,
    ...subject,
    ...(existsSync(folder) ? {} : { missing: `${folder} is not there: install ${name}` }),
  }
}
