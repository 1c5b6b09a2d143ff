import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { referenceCrawl } from './reference-crawler.js'
import { crawlSubject } from './crawl-subject.js'
import { madeSites } from './made-sites.js'
import { packagedSites } from './packaged-sites.js'
import { ReferenceReader } from './reference-reader.js'
import type { OpenSubject, Subject } from './subject.js'

/** `npm run test:bars` crawls everything; without it real sites are crawled in parts, under these rule sets. */
const isWhole = process.env['BARS'] === 'whole'
const PARTS = new Set(['child paths of a folder', 'maxDiscoveryDepth', 'sitemap only'])

const subjects: readonly Subject[] = [
  ...madeSites,
  ...packagedSites.map((subject) => ({
    ...subject,
    ruleSets: Object.fromEntries(Object.entries(subject.ruleSets).filter(([name]) => isWhole || PARTS.has(name))),
  })),
]

const table: string[] = []
afterAll(() => {
  if (isWhole)
    console.log(['| site | rule set | pages | seconds |', '| --- | --- | ---: | ---: |', ...table].join('\n'))
})

describe.each(subjects)('$name', ({ name, open, start, atLeast, ruleSets, missing }) => {
  let subject: OpenSubject
  const reader = new ReferenceReader()
  beforeAll(async () => {
    if (!missing) subject = await open()
  })
  afterAll(async () => {
    reader.close()
    if (!missing) await subject.site.close()
  })

  test.skipIf(missing).each(Object.entries(ruleSets))(
    `gives exactly the pages that an independent crawler finds, each URL with one outcome: %s${missing ? ` (skipped: ${missing})` : ''}`,
    { timeout: 900_000 },
    async (ruleSet, { from = start, robots, ...rules }) => {
      subject.setRobots(robots)
      const url = subject.site.url(from)
      const expected = await referenceCrawl({ url, ...rules }, reader)
      if (ruleSet === 'no rules') expect(expected.pages.size).toBeGreaterThanOrEqual(atLeast)
      expect(expected.pages.size, 'a rule set that gives no page says nothing').toBeGreaterThan(0)

      const startedAt = performance.now()
      const {
        missing: unscraped,
        surplus,
        pages,
        open: unended,
        endings,
        counts,
      } = await crawlSubject({ url, ...rules }, expected)
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
      const differs =
        unscraped.length + surplus.length > 0 ? `, ${unscraped.length} not scraped, ${surplus.length} too many` : ''
      table.push(`| ${name} | ${ruleSet} | ${pages.length}${differs} | ${seconds} |`)

      expect(unscraped, 'pages that were not scraped').toEqual([])
      expect(surplus, 'pages that do not belong to the crawl').toEqual([])
      expect(pages, 'every page once').toHaveLength(expected.pages.size)
      expect(unended, 'links that were found and have no outcome').toEqual([])
      expect(endings, 'one ending for each URL').toHaveLength(new Set(endings).size)
      const { completed, failed, skipped, total } = counts
      expect({ completed, total }).toEqual({ completed: pages.length, total: pages.length })
      expect(completed + failed + skipped).toBe(endings.length)
    },
  )
})
