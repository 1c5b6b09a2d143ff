import { expect, test } from 'vitest'
import { findProducts } from '../../../src/features/offers/tasks.js'
import { createPagePool } from '../../../src/kernel/page/workers/page-pool.js'

const { signal } = new AbortController()

const data = JSON.stringify({ props: { pageProps: { slug: 'red-lamp', title: 'Red lamp', price: 19.5 } } })
const rows = Array.from({ length: 5_000 }, (_, at) => ({ title: `Title ${at}`, text: `Words ${at} of a text` }))
const html = `<title>Red lamp</title><script id="__NEXT_DATA__" type="application/json">${data}</script><script type="application/json">${JSON.stringify(rows)}</script>`
const page = {
  url: 'https://shop.test/p/red-lamp',
  redirects: [],
  statusCode: 200,
  headers: {},
  contentType: 'text/html',
  body: new TextEncoder().encode(html),
  fetchedAtMs: 0,
  fetcher: 'http',
}

test.each([0, 1])('the product in the data of a large page is found with %d threads', async (threads) => {
  const pool = createPagePool({ threads })
  try {
    const found = await pool.pageTask('offers/products', page, findProducts, signal)
    expect(found?.[0]?.properties['name']).toEqual(['Red lamp'])
    expect(found).toEqual(findProducts(page))
  } finally {
    await pool.close()
  }
})
