import { afterEach, expect, test } from 'vitest'
import { createPagePool, type PagePool } from '../../../src/kernel/page/workers/page-pool.js'
import { pageTasks } from '../../../src/kernel/page/workers/page-tasks.js'

let pool: PagePool | undefined
afterEach(() => pool?.close())

const { signal } = new AbortController()

const page = (html: string) => ({
  url: 'https://shop.test/p/red-lamp',
  redirects: [],
  statusCode: 200,
  headers: {},
  contentType: 'text/html',
  body: new TextEncoder().encode(html),
  fetchedAtMs: 0,
  fetcher: 'http',
})

const sentences = Array.from(
  { length: 40 },
  (_, at) => `The red lamp number ${at} gives light to whoever reads at night.`,
)
const data = JSON.stringify({
  props: { pageProps: { slug: 'red-lamp', title: 'Red lamp', price: 19.5, body: sentences.join(' ') } },
})
const shell = `<title>Red lamp</title><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${data}</script>`
/** Data that take a good part of a second to be read. */
const heavy = `<script type="application/json">${JSON.stringify(Array.from({ length: 5_000 }, (_, at) => ({ title: `Title ${at}`, text: `Words ${at} of a text` })))}</script>`

/** How often the event loop comes round until something is done. */
async function countTurns<Result>(work: Promise<Result>): Promise<{ result: Result; turns: number }> {
  let isDone = false
  let turns = 0
  const count = (): void => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const result = await work
  isDone = true
  return { result, turns }
}

test('a large page’s data are read in a thread, and the event loop goes on meanwhile', async () => {
  pool = createPagePool({ threads: 1 })
  const large = page(`${shell}${heavy}`)
  const { result, turns } = await countTurns(pool.hydrate(large, signal))
  expect(result).toEqual(pageTasks.hydrate({ ...large, headers: {}, fetcher: '' }))
  expect(result?.source).toBe('__NEXT_DATA__')
  expect(turns).toBeGreaterThan(20)
  expect(large.body.byteLength).toBeGreaterThan(65_536)
})

test('a small page is read at once, and so is a large one where there are no threads', async () => {
  pool = createPagePool({ threads: 0 })
  const small = page(shell)
  expect(await pool.hydrate(small, signal)).toEqual(pageTasks.hydrate(small))
  const large = page(`${shell}${heavy}`)
  expect((await pool.hydrate(large, signal))?.source).toBe('__NEXT_DATA__')
})

test('a task that takes too long has no result, and the next one runs', async () => {
  pool = createPagePool({ threads: 1, timeoutMs: 1 })
  const slow = page(`${shell}${heavy.repeat(8)}`)
  expect(await pool.hydrate(slow, signal)).toBeUndefined()
  await pool.close()
  await expect(pool.hydrate(slow, signal)).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
})

test('a task ends when the signal of its page is aborted', async () => {
  pool = createPagePool({ threads: 1 })
  await expect(pool.hydrate(page(`${shell}${heavy}`), AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})
