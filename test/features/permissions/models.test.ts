import { describe, expect, it } from 'vitest'
import type { Handler } from '../../site/exchange.js'
import { answer, page, useCrawlSite } from '../../kernel/job/crawl-site.js'

const on = useCrawlSite()

describe('what a site denies does not reach a model:', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

  it('an image by its headers', async () => {
    const given: string[] = []
    const image = (headers: Record<string, string>): Handler => {
      return ({ response }) => response.writeHead(200, { 'content-type': 'image/png', ...headers }).end(png)
    }
    const pages = { '/open.png': image({}), '/denied.png': image({ 'x-robots-tag': 'noarchive' }) }
    await on.open(pages, {
      imageParser: async (_, { url }) => {
        given.push(url)
        return 'A lamp.'
      },
    })
    expect(await on.engine.scrape(on.site.url('/open.png'), { use: ['ai-input'] })).toHaveProperty('markdown')
    await expect(on.engine.scrape(on.site.url('/denied.png'), { use: ['ai-input'] })).rejects.toMatchObject({
      code: 'SCRAPE_NOT_PERMITTED',
      message: '`ai-input` is denied by header `x-robots-tag`: noarchive',
    })
    expect(given).toEqual([on.site.url('/open.png')])
  })

  it('an image by a licence file that its `Link` header names', async () => {
    const given: string[] = []
    const link = { link: '</license.xml>; rel=license; type=application/rsl+xml' }
    const license = '<rsl><content url="/"><license><prohibits type="usage">all</prohibits></license></content></rsl>'
    await on.open(
      {
        '/denied.png': ({ response }) => response.writeHead(200, { 'content-type': 'image/png', ...link }).end(png),
        '/license.xml': answer({}, license),
      },
      {
        imageParser: async (_, { url }) => {
          given.push(url)
          return 'A lamp.'
        },
      },
    )
    await expect(on.engine.scrape(on.site.url('/denied.png'), { use: ['ai-input'] })).rejects.toMatchObject({
      code: 'SCRAPE_NOT_PERMITTED',
    })
    expect(given).toEqual([])
  })

  it('the texts of its links', async () => {
    const given: string[] = []
    const denied = '<title>t</title><main><p>Words.</p><a href="/b">Secret words of lamps</a></main>'
    await on.open(
      { '/': page('/a'), '/a': answer({ 'x-robots-tag': 'noarchive' }, denied), '/b': page() },
      {
        embed: async (texts) => {
          given.push(...texts)
          return texts.map(() => [1, 2])
        },
      },
    )
    const { paths } = await on.crawl({ goal: 'deck lamps', scrapeOptions: { use: ['ai-input'] } })
    expect(paths).toEqual(['/', '/b'])
    expect(given.length).toBeGreaterThan(0)
    expect(given.join('\n')).not.toContain('Secret')
  })
})
