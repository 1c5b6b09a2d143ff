import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

it('keeps all that a map requests from going to a denied host: its start, robots.txt, sitemaps, redirects', async () => {
  await using other = await startSite({ pages: { '/sitemap.xml': '<urlset></urlset>', '/': '<p>The other site.</p>' } })
  const denied = (path: string): string => other.url(path).replace('127.0.0.1', 'localhost')
  await using site = await startSite({
    pages: {
      '/robots.txt': ({ response, request }) =>
        response.end(`Sitemap: ${denied('/sitemap.xml')}\nSitemap: http://${request.headers.host}/own.xml`),
      '/own.xml': ({ response }) => response.writeHead(302, { location: denied('/sitemap.xml') }).end(),
      '/': `<a href="${denied('/b')}">to it</a><a href="/a">to a page</a>`,
    },
  })
  await using engine = createEngine({ allowPrivateNetworks: true, denyHosts: ['local*'] })
  const { links } = await engine.map({ url: site.url('/') })
  expect(links.map(({ url }) => url)).toContain(site.url('/a'))
  await expect(engine.map({ url: denied('/') })).rejects.toMatchObject({ code: 'SCRAPE_HOST_DENIED' })
  expect(other.requests).toEqual([])
})
