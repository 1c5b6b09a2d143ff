import { afterEach } from 'vitest'
import { childScope } from '../../../src/base/url.js'
import { discoverSitemaps, type SitemapSearch } from '../../../src/kernel/frontier/sitemap/sitemap.js'
import type { SitemapFinding } from '../../../src/content/sitemap/sitemap-finding.js'
import type { Handler } from '../../site/exchange.js'
import { type Site, startSite } from '../../site/site.js'
import { getSiteFile } from './get-site-file.js'

/** Gives a function that starts sites, which are closed after each test. */
export function useSitemapSites(): (pages: Record<string, string | Handler>) => Promise<Site> {
  const sites: Site[] = []
  afterEach(() => Promise.all(sites.splice(0).map((site) => site.close())))
  return async (pages) => {
    const site = await startSite({ pages })
    sites.push(site)
    return site
  }
}

export const file =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Handler =>
  ({ response }) => {
    response.writeHead(200, { 'content-type': 'application/xml', ...headers })
    response.end(body)
  }
export const urlset = (...urls: string[]): Handler =>
  file(`<urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`)
export const index = (...urls: string[]): Handler =>
  file(`<sitemapindex>${urls.map((url) => `<sitemap><loc>${url}</loc></sitemap>`).join('')}</sitemapindex>`)

export interface Search extends Partial<Omit<SitemapSearch, 'start'>> {
  readonly start?: string
}

export const search = (site: Site, { start = '/', robotsSitemaps = [], ...more }: Search = {}) => {
  const url = new URL(site.url(start))
  return discoverSitemaps({
    start: url,
    folders: [childScope(url)],
    allowSubdomains: false,
    robotsSitemaps: robotsSitemaps.map((path) => new URL(path, site.origin).href),
    get: getSiteFile,
    signal: new AbortController().signal,
    ...more,
  })
}

export async function collect(findings: AsyncIterable<SitemapFinding>): Promise<SitemapFinding[]> {
  const found: SitemapFinding[] = []
  for await (const finding of findings) found.push(finding)
  return found
}

/**
 * Formats a finding: `page < sitemap` for a page, `sitemap: problem` for a problem, `sitemap? …` for a guess; paths
 * only.
 */
export const print = (site: Site, findings: readonly SitemapFinding[]): string[] =>
  findings.map((finding) => {
    const text =
      finding.kind === 'page'
        ? `${finding.url} < ${finding.from}`
        : `${finding.sitemap}${finding.isGuess ? '?' : ':'} ${finding.problem}`
    return text.replaceAll(site.origin, '')
  })

export const asked = (site: Site): string[] => site.requests.map(({ path }) => path)

export const run = async (site: Site, options?: Search): Promise<string[]> =>
  print(site, await collect(search(site, options)))
