import { describe, expect, it } from 'vitest'
import { isUtilityClass } from '../../../src/content/extract/list-names/utility-classes.js'
import type { PageList } from '../../../src/content/extract/list/page-list.js'
import { isChapter } from '../../../src/content/extract/pagination/is-chapter.js'
import { extractHtml } from './contents.js'

function readMain(html: string): PageList {
  const [main] = extractHtml(html, { list: {} }).lists ?? []
  if (main === undefined) throw new Error('no list was found')
  return main
}

const names = ['Amber lamp', 'Brass kettle', 'Copper pan', 'Damask throw', 'Elm table']

/** A page with a card for each name, and JSON-LD in its head. */
const shop = (write: (name: string, at: number) => string, data?: object): string =>
  `<head><title>t</title>${data ? `<script type="application/ld+json">${JSON.stringify(data)}</script>` : ''}</head>
   <main><h1>Things</h1><div class="things">${names.map(write).join('\n')}</div></main>`

const card = (name: string, at: number): string =>
  `<div class="card"><h3><a href="/p/${at}">${name}</a></h3><span class="x1">Maker ${at % 2 === 0 ? 'Hale' : 'Innes'}</span>
   <span class="x2">€${at + 1}.50</span><span class="x3">${at + 3} left</span></div>`

const products = names.map((name, at) => ({
  '@type': 'Product',
  name,
  brand: { '@type': 'Brand', name: `Maker ${at % 2 === 0 ? 'Hale' : 'Innes'}` },
  offers: { '@type': 'Offer', price: `${at + 1}.50`, priceCurrency: 'EUR' },
}))

const sources = ({ fields }: PageList): string[] => fields.map(({ name, source }) => `${name} ${source}`)

describe('the names of fields', () => {
  it.each([
    [
      'an `ItemList`',
      {
        '@type': 'ItemList',
        itemListElement: products.map((item, at) => ({ '@type': 'ListItem', position: at + 1, item })),
      },
    ],
    ['an array of things', products],
    ['a graph', { '@graph': [{ '@type': 'WebPage', name: 'Things' }, ...products] }],
  ])('are those of %s in JSON-LD that has their values', (_, data) => {
    expect(sources(readMain(shop(card, data)))).toEqual([
      'url role',
      'title role',
      'brand json-ld',
      'price json-ld',
      'priceCurrency json-ld',
      'left role',
    ])
  })

  it('are not those of JSON-LD about other things', () => {
    const others = products.map((product, at) => ({ ...product, name: `Something else ${at}` }))
    const fields = sources(readMain(shop(card, others)))
    expect(fields.filter((field) => field.endsWith('json-ld'))).toEqual([])
  })

  it('are no names of properties that a prototype has', () => {
    const hostile = names.map((name, at) => ({
      '@type': 'Product',
      name,
      constructor: `Maker ${at % 2 === 0 ? 'Hale' : 'Innes'}`,
    }))
    const [row] = readMain(shop(card, hostile)).items
    expect(Object.hasOwn(row ?? {}, 'constructor')).toBe(true)
  })

  it('are no utility classes', () => {
    const { fields } = readMain(
      shop(
        (
          name,
          at,
        ) => `<div class="card"><h3 class="text-lg font-semibold leading-tight"><a href="/p/${at}">${name}</a></h3>
          <p class="leading-relaxed text-gray-600">It burns for ${at + 20} hours, or so they say.</p>
          <p class="tracking-wide antialiased">Made in place number ${at}</p><p class="text-sm card-author">Ann ${at}</p></div>`,
      ),
    )
    expect(fields.map(({ name }) => name)).toEqual(['url', 'title', 'text', 'text2', 'author'])
  })
})

describe('isUtilityClass', () => {
  it.each(
    'text-sm text-2xl leading-tight font-semibold tracking-wider bg-gray-50 md:flex hover:text-red-500 w-[40px] -mt-2 mt-4 line-clamp-2 text-muted fw-bold d-none col-md-6 items-center border-b text-decoration-none lh-lg rounded-full shadow-md object-cover whitespace-nowrap'.split(
      ' ',
    ),
  )('is true for %s', (name) => expect(isUtilityClass(name)).toBe(true))

  it.each(
    'title text-author list-price item-title product-name card__author-name order-date content-summary group-name price stock-level position-title font-name table-caption'.split(
      ' ',
    ),
  )('is false for %s', (name) => expect(isUtilityClass(name)).toBe(false))
})

describe('isChapter', () => {
  const at = 'https://site.test/'
  it.each([
    ['guide/install.html', 'guide/intro.html'],
    ['manual/using-the-api/', 'manual/getting-started/'],
    ['3/library/os.html', '3/library/sys.html'],
    ['guide/intro.html', 'guide/index.html'],
  ])('is true from %s to %s', (next, current) => expect(isChapter(at + next, at + current)).toBe(true))

  it.each([
    ['lamps?page=2', 'lamps'],
    ['lamps/page/2', 'lamps/'],
    ['lamps-2.html', 'lamps-1.html'],
    ['lamps/list/2', 'lamps'],
    ['names/b', 'names/a'],
    ['search/after/x8f3/', 'search/after/k2d9/'],
    ['%E0%A4', 'lamps'],
  ])('is false for %s after %s', (next, current) => expect(isChapter(at + next, at + current)).toBe(false))

  it('keeps a list of a chapter from going on', () => {
    const rows = names.map((name, row) => `<tr><td>${name}</td><td>${row}</td></tr>`).join('')
    const html = `<head><link rel="next" href="/dir/more.html"></head><main><h1>T</h1><table><tr><th>Name</th><th>N</th></tr>${rows}</table><a href="/dir/more.html" rel="next">Next</a></main>`
    expect(readMain(html).more).toBeUndefined()
    expect(readMain(html.replaceAll('/dir/more.html', '/dir/page/2')).more).toBe('/dir/page/2')
  })
})
