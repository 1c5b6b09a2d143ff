import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { serveDocs } from '../../site/serve-docs.mjs'
import { readDoc } from '../../docs/doc-code.js'

const readme = readDoc('README.md')

/** What a comment of the README says that an example prints, up to where it is cut. */
const printed = (start: RegExp): string => {
  const [, text = ''] =
    new RegExp(`// ${start.source}: "?(.*?)(?:…?"|…|$)`, 'm').exec(readme.replaceAll('https://…/', 'SITE/')) ?? []
  return text.replaceAll(String.raw`\n`, '\n')
}

let docs: Awaited<ReturnType<typeof serveDocs>>
beforeAll(async () => {
  docs = await serveDocs()
})
afterAll(() => docs.close())

test('the README shows what its examples print', async () => {
  await using engine = createEngine({ allowPrivateNetworks: true, index: true, fetcher: 'http' })
  const told = (text: string): string => text.replaceAll(docs.url, 'SITE/')

  const { markdown } = await engine.scrape(docs.url)
  expect(printed(/1. A page/).length).toBeGreaterThan(80)
  expect(markdown).toContain(printed(/1. A page/))

  const { list } = await engine.scrape(`${docs.url}guides/`, { formats: ['list'] })
  expect(printed(/2. A list as rows, here of guides\//)).toBe("{ Guide: 'Install', 'Guide url': 'https://")
  expect(list.items[0]).toMatchObject({ Guide: 'Install', 'You will': 'have a running server', Minutes: 2 })

  const lines: string[] = []
  const job = engine.crawl({ url: docs.url, limit: 500, scrapeOptions: { formats: ['markdown', 'links'] } })
  for await (const page of job) lines.push(`${page.metadata.title} ${page.markdown.length} ${page.links.length}`)
  const { completed, failed, skippedByReason } = await job.status()
  const [, first, last] = /```text\n([^]*?)\n…\n(.*)\n```/.exec(readme) ?? []
  // The number of links is that without a browser; lengths of text hold addresses of the site.
  const titles = (first ?? '').split('\n').map((line) => line.replace(/ \d+ \d+$/, ''))
  for (const title of titles) expect(lines.some((line) => line.startsWith(title))).toBe(true)
  const counts = Object.entries(skippedByReason).map(([reason, count]) => `${reason}: ${count}`)
  expect(`${completed} ${failed} { ${counts.join(', ')} }`).toBe(last)

  const [hit] = await engine.search('missed runs', { limit: 3 })
  expect(told(`${hit?.path.join(' > ')} ${hit?.link}`)).toContain(printed(/4. Search in what was crawled/))
})
