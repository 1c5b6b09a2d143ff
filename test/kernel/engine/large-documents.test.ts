import { describe, expect, it } from 'vitest'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'

const on = useEngineSite()

/** A path as long as servers take, below which each relative link would become 7,800 characters. */
const LONG = `/${'p'.repeat(7700)}/`
const links = Array.from({ length: 30_000 }, (_, at) => `<a href=x${at}>y</a>`).join(' ')
const moved: Handler = ({ response }) => response.writeHead(302, { location: LONG }).end()
const pages = {
  [LONG]: links,
  '/moved': moved,
  '/based': `<base href="${LONG}">${links}`,
}

describe('a page of 0.5 MB whose links would make 230 MB of each format', () => {
  it.each(['/moved', '/based'])('is a document within its limit, read in a thread, from %s', async (path) => {
    await on.open(pages, { threads: 1 })
    const formats = ['markdown', 'html', 'links'] as const
    const {
      markdown,
      html,
      links: found,
      warning,
    } = await on.engine.scrape(on.site.url(path), { formats: [...formats] })
    const limit = 4 * (links.length + LONG.length + 100)
    expect(Math.max(markdown?.length ?? 0, html?.length ?? 0, (found ?? []).join('').length)).toBeLessThan(limit)
    expect(markdown).toContain('[y](x29999)')
    expect(found?.[0]).toBe(on.site.url(`${LONG}x0`))
    expect(warning).toMatch(/\d+ links of the content are missing in `links`/)
    expect(warning).not.toContain('plain text')
  })

  it('has the limit that the engine was given', async () => {
    await on.open(pages, { threads: 1, maxDocumentLength: 100_000 })
    const { markdown, warning } = await on.engine.scrape(on.site.url('/based'), { formats: ['markdown'] })
    expect(markdown?.length).toBeLessThanOrEqual(100_000)
    expect(warning).toContain('characters at the end of the Markdown were left out')
    expect(warning).toContain('limited to 100000 characters')
  })
})
