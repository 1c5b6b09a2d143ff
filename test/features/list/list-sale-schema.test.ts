import { expect, it } from 'vitest'
import { holdSchema } from '../../../src/base/json-schema/answer-schema.js'
import { shapeList } from '../../../src/features/list/shape-list.js'
import { extractHtml } from '../../content/extract/contents.js'

const SIZE = 6

const SALES: Readonly<Record<string, (price: number, old: number) => string>> = {
  'del and ins': (price, old) => `<del>€${old}.00</del> <ins>€${price}.00</ins>`,
  'a text after the old price': (price, old) => `<s>€${old}.00</s> €${price}.00`,
  words: (price, old) => `was €${old}.00 now €${price}.00`,
  labels: (price, old) => `<span class="l">Old price:</span> <span class="v">€${old}.00</span>
    <span class="l">New price:</span> <span class="v">€${price}.00</span>`,
}

const cases = Object.entries(SALES).flatMap(([markup, write]) =>
  [0, 1, 3, SIZE].map((sales) => ({ markup, write, sales })),
)

it.each(cases)(
  'the `price` of a schema is the one to pay in every row: $markup, $sales of 6 in a sale',
  async ({ write, sales }) => {
    const rows = Array.from({ length: SIZE }, (_, at) => {
      const price = at < sales ? write(at + 15, at + 29) : `€${at + 15}.00`
      return `<li class="product"><a href="/p/${at}"><h2>Lamp ${at}</h2></a><div class="price">${price}</div></li>`
    })
    const html = `<title>t</title><main><h1>Lamps</h1><ul>${rows.join('')}</ul></main>`
    const [list] = extractHtml(html, { list: {} }).lists ?? []
    if (list === undefined) throw new Error('no list was found')
    const schema = {
      type: 'object',
      properties: { title: { type: 'string' }, price: { type: 'number' }, url: { type: 'string' } },
      required: ['title', 'price', 'url'],
    }
    const { items, invalidItems } = await shapeList(list, holdSchema(schema), undefined)
    expect(invalidItems ?? []).toEqual([])
    expect(items).toEqual(
      rows.map((_, at) => ({ title: `Lamp ${at}`, price: at + 15, url: `https://site.test/p/${at}` })),
    )
  },
)
