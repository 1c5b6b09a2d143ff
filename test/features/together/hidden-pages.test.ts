import { describe, expect, it } from 'vitest'
import { makeHiddenPages, REACHED } from '../../content/extract/hidden-pages.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const pages = makeHiddenPages()

describe('288 pages that hide a sentence, in a browser', () => {
  it('at most 1 % let it reach an output', { timeout: 600_000 }, async () => {
    const paths = Object.fromEntries(pages.map(({ html }, nth) => [`/p${nth}`, html]))
    await on.open(paths, { fetcher: 'browser' })
    const reached: string[] = []
    const urls = pages.map((_, nth) => on.site.url(`/p${nth}`))
    for await (const document of on.engine.batchScrape({ urls, formats: ['markdown', 'html', 'chunks', 'list'] })) {
      const { markdown, html, chunks, list, metadata } = document
      const nth = urls.indexOf(metadata.sourceURL ?? '')
      if (markdown === undefined || nth === -1) reached.push(`unread: ${metadata.sourceURL}`)
      if (REACHED.test(JSON.stringify([markdown, html, chunks, list]))) reached.push(pages[nth]?.name ?? '')
    }
    expect(reached.length, reached.join('\n')).toBeLessThanOrEqual(2)
  })
})
