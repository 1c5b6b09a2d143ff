import { expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const plan = { ...digestPlan({}), material: { text: false, facts: true, media: false, maxTokens: 100 } }

async function read(html: string) {
  const page = { url: pageUrl, body: bytes(html), contentType: 'text/html; charset=utf-8' }
  const { material, warnings } = await digestFile(page, plan)
  return { items: material?.items ?? [], warning: warnings.find((one) => one.includes('structured data')) }
}
const ld = (value: unknown): string => `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const repeat = (count: number, item: object): object[] => Array.from({ length: count }, () => item)
const long = 'd'.repeat(1_500_000)
const many = (count: number, write: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => write(at)).join('')

it.each([
  [
    'blocks beyond 4 million characters',
    many(3, (at) => ld({ '@type': 'Product', name: `P${at}`, description: long })),
    1,
  ],
  ['a block of more than 2 million characters', ld({ '@type': 'Product', name: 'P', description: long + long }), 1],
  [
    'texts that references repeat',
    ld({
      '@graph': [
        { '@type': 'Thing', '@id': 'a', name: long },
        ...repeat(3, { '@type': 'Product', isRelatedTo: { '@id': 'a' } }),
      ],
    }),
    2,
  ],
  ['items', ld({ '@graph': repeat(2005, { '@type': 'Product', name: 'P' }) }), 5],
  ['values of a property', ld({ '@type': 'Product', name: 'P', color: Array(510).fill('red') }), 10],
  ['items of microdata', many(2001, (at) => `<div itemscope><i itemprop=name>${at}</i></div>`), 1],
  [
    'properties of microdata',
    `<div itemscope>${many(450, (at) => `<i itemprop=p${at}>${'w'.repeat(10_000)}</i>`)}</div>`,
    50,
  ],
  [
    'relative addresses of RDFa',
    `<div typeof=Thing><base href="https://site.test/${'p'.repeat(7700)}/">${many(600, (at) => `<a property=url href=x${at}>y</a>`)}</div>`,
    83,
  ],
])('a page with too much structured data has a warning: %s', async (_, html, leftOut) => {
  const { items, warning } = await read(html)
  expect(warning).toBe(
    `${leftOut} blocks, items or values of the page's structured data are not read, as it is limited to 4000000 characters, 2000 items, 500 values of a property and 10 levels.`,
  )
  expect(JSON.stringify(items).length).toBeLessThan(5_000_000)
})

it('a page with references in a circle, and 2,000 items, has no such warning', async () => {
  const circle = { '@graph': [{ '@type': 'Product', '@id': 'a', name: 'A', isVariantOf: { '@id': 'a' } }] }
  expect((await read(ld(circle))).warning).toBeUndefined()
  const { items, warning } = await read(ld({ '@graph': repeat(2000, { '@type': 'Product', name: 'P' }) }))
  expect([items.length, warning]).toEqual([2000, undefined])
})
