import { Session } from 'node:inspector/promises'
import { expect, it } from 'vitest'
import { createEngine, defineFeature } from '../../src/index.js'

const PAGES = 100
/** Bound of the functions with a name that run for each page: 251 of 894 are those of src/content/extract. It may only become lower. */
const MAX_FUNCTIONS = 900
/** Every document has what its site states about its use. */
const ASKED = ['features/permissions/']

const paragraph = (page: number, index: number): string =>
  `<p>Ship ${page * 7 + index} of the harbour leaves in the morning, with ${index + 3} crates of fruit for the islands.</p>`

const bodyOf = (page: number): string => `<title>Page ${page}</title><nav><a href="/">Home</a></nav>
  <main><h1>Day ${page} of the harbour</h1>${Array.from({ length: 12 }, (_, index) => paragraph(page, index)).join('')}
  <p><a href="/p/${page + 1}">The next day</a> <a href="/p/${page + 2}">and the one after it</a></p></main>`

const site = defineFeature({
  name: 'site',
  fetcher: {
    handles: () => true,
    fetch({ url }) {
      const { pathname } = new URL(url)
      if (pathname !== '/' && !pathname.startsWith('/p/')) return { status: 404 }
      return { body: bodyOf(Number(pathname.slice(3))) }
    },
  },
})

it('a page of a plain crawl runs no code of a feature that it did not ask for', async () => {
  await using engine = createEngine({ features: [site], threads: 0 })
  const crawl = async (limit: number): Promise<number> => {
    const { total } = await engine.crawl({ url: 'https://ships.test/', limit, sitemap: 'skip' }).finished()
    return total
  }
  // Loads what is loaded on first use.
  await crawl(10)

  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  await session.post('Profiler.takePreciseCoverage')
  expect(await crawl(PAGES)).toBe(PAGES)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()

  const calls = result.flatMap(({ url, functions }) => {
    const [, path] = /\/src\/(.+)$/.exec(url) ?? []
    if (path === undefined) return []
    return functions.flatMap(({ functionName, ranges: [range] }) =>
      functionName && range && range.count >= PAGES ? [{ path, name: functionName }] : [],
    )
  })
  const ofFeatures = calls.filter(
    ({ path }) => path.startsWith('features/') && !ASKED.some((folder) => path.startsWith(folder)),
  )
  expect(ofFeatures).toEqual([])
  expect(calls.length).toBeLessThanOrEqual(MAX_FUNCTIONS)
})
