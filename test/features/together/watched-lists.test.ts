import { expect, it } from 'vitest'
import { createEngine, defineFeature, type Engine, memoryLedger, type WatchResult } from '../../../src/index.js'

interface Product {
  readonly id: number
  readonly name: string
  readonly price: number
  readonly old?: number
}

/** A shop of several pages, as a test changes it. */
class Shop implements AsyncDisposable {
  products: Product[]
  /** Statuses by page. */
  readonly failing = new Map<number, number>()
  /** What each entry says besides. */
  note = ''
  readonly #engine: Engine
  #sequence = 0

  constructor(
    count: number,
    readonly perPage = 12,
  ) {
    this.products = Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      name: `${['Oak', 'Elm', 'Ash', 'Fir', 'Yew'][at % 5]} ${['lamp', 'bowl', 'vase', 'tray', 'stool', 'shelf'][Math.floor(at / 5) % 6]} ${String.fromCharCode(65 + (at % 26))}`,
      price: 10 + at * 1.5,
    }))
    const fetch = ({ url }: { url: string }) => {
      const { pathname, searchParams } = new URL(url)
      if (pathname !== '/shop') return { status: 404 }
      const page = Number(searchParams.get('page') ?? 1)
      const status = this.failing.get(page)
      return status === undefined ? { body: this.#write(page) } : { status, body: '<h1>Oops</h1>' }
    }
    const site = defineFeature({ name: 'site', fetcher: { handles: () => true, fetch } })
    this.#engine = createEngine({ features: [site], threads: 0, ledger: memoryLedger(), retry: { maxRetries: 0 } })
  }

  #write(page: number): string {
    const pages = Math.max(1, Math.ceil(this.products.length / this.perPage))
    const euros = (value: number): string => `€${value.toFixed(2)}`
    const cards = this.products
      .slice((page - 1) * this.perPage, page * this.perPage)
      .map(
        ({ id, name, price, old }) =>
          `<article class=card><a href="/p/${id}"><h2>${name}</h2></a><p>${
            old === undefined ? `<span>${euros(price)}</span>` : `<del>${euros(old)}</del> <ins>${euros(price)}</ins>`
          }</p></article>`,
      )
    const numbers = Array.from({ length: pages }, (_, at) =>
      at + 1 === page ? `<span>${page}</span>` : `<a href="/shop?page=${at + 1}">${at + 1}</a>`,
    )
    const next = page < pages ? `<a rel=next href="/shop?page=${page + 1}">Next</a>` : ''
    return `<title>Shop</title><main><h1>Shop</h1>${cards.join('')}${this.note}<nav class=pagination>${numbers.join(' ')} ${next}</nav></main>`
  }

  async watch(request: object = {}): Promise<() => Promise<WatchResult>> {
    const formats = [{ type: 'list', all: true }]
    const fields = ['price', 'availability', 'row']
    const watch = await this.#engine.watch({
      name: 'shop',
      targets: [{ url: 'https://shop.test/shop' }],
      cron: '0 9 1 1 *',
      formats,
      fields,
      ...request,
    } as Parameters<Engine['watch']>[0])
    return async () => {
      await watch.check()
      const [result] = await watch.results({ after: this.#sequence })
      if (!result) throw new Error('no result')
      this.#sequence = result.sequence
      return result
    }
  }

  change(id: number, changes: Partial<Product>): void {
    this.products = this.products.map((product) => (product.id === id ? { ...product, ...changes } : product))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close()
  }
}

const told = ({ reasons }: WatchResult) =>
  reasons.map(({ field, previous, current }) => [field, previous ?? '', current ?? ''])

it.each([500, 404])('takes no row for removed when a further page of its list answers %i', async (status) => {
  await using shop = new Shop(40)
  const check = await shop.watch()
  await check()
  shop.failing.set(3, status)
  shop.change(2, { price: 9 })
  const failed = await check()
  expect(told(failed)).toEqual([['price', '€11.50', '€9']])
  expect(failed.warning).toMatch(new RegExp(`^\`list\` was not read whole.*page=3 answered ${status}`))
  const again = await check()
  expect(again).toMatchObject({ status: 'same', warning: expect.stringContaining('page=3') })
  shop.failing.clear()
  shop.change(30, { price: 99 })
  const whole = await check()
  expect(told(whole)).toEqual([['price', '€53.50', '€99']])
  expect(whole.warning).toBeUndefined()
  shop.products = shop.products.filter(({ id }) => id !== 30)
  expect((await check()).reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^row: removed: .*p\/30/),
  ])
})

it('takes no row for new that a list lacked because its first visit did not read it whole', async () => {
  await using shop = new Shop(40)
  shop.failing.set(3, 500)
  const check = await shop.watch()
  expect((await check()).warning).toContain('page=3 answered 500')
  shop.failing.clear()
  const whole = await check()
  expect(whole).toMatchObject({ status: 'changed', meaningful: false })
  shop.products = [...shop.products, { id: 99, name: 'Pine bench Z', price: 99 }]
  expect((await check()).reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^row: added: .*Pine bench Z/),
  ])
})

it('tells what comes to a page that had no list', async () => {
  await using shop = new Shop(10)
  const { products } = shop
  shop.products = []
  const check = await shop.watch()
  await check()
  shop.products = products
  const { reasons, meaningful } = await check()
  expect(meaningful).toBe(true)
  expect(reasons.filter(({ message }) => message.startsWith('row: added'))).toHaveLength(10)
})

it.each(['empty', 'cut'])('tells rows that are missing in the third check of a list that is %s', async (how) => {
  await using shop = new Shop(how === 'empty' ? 10 : 40)
  const check = await shop.watch()
  await check()
  if (how === 'cut') shop.failing.set(3, 404)
  else shop.products = []
  const removed = ({ reasons }: WatchResult) => reasons.filter(({ message }) => message.startsWith('row: removed'))
  expect(removed(await check())).toEqual([])
  expect(removed(await check())).toEqual([])
  const third = await check()
  expect(removed(third)).toHaveLength(how === 'empty' ? 10 : 16)
  expect(third.warning).toContain('was not read whole in 3 checks')
  if (how === 'empty') return
  shop.products = shop.products.slice(1)
  expect(removed(await check())).toHaveLength(1)
})

it('tells rows that come to a list that is read to the same end again', async () => {
  await using shop = new Shop(40)
  shop.failing.set(3, 404)
  const check = await shop.watch()
  await check()
  shop.products = [{ id: 99, name: 'Pine bench Z', price: 99 }, ...shop.products]
  expect((await check()).reasons.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^row: added: .*Pine bench Z/),
  ])
})

it('tells rows that leave a list of which no more than `most` are asked for', async () => {
  await using shop = new Shop(40)
  const check = await shop.watch({ formats: [{ type: 'list', all: true, most: 20 }] })
  await check()
  shop.products = shop.products.slice(1)
  const { reasons, warning } = await check()
  expect(warning).toBeUndefined()
  expect(reasons.map(({ message }) => message.slice(0, 13)).toSorted()).toEqual(['row: added: O', 'row: removed:'])
})

it.each([
  ['€13.00', 'price'],
  ['Oak lamp A', 'text'],
])('tells of a line with the words of other entries (%s)', async (words, field) => {
  await using shop = new Shop(10)
  const offer = (text: string): string => `<p>We like this one best: ${text} at the door</p>`
  shop.note = offer(words)
  const check = await shop.watch({ fields: ['price', 'text'] })
  await check()
  shop.note = offer(field === 'price' ? '€10.00' : 'Fir lamp D')
  expect((await check()).reasons).toEqual([expect.objectContaining({ field })])
})

it('keeps the rows of a page that has no list once', async () => {
  await using shop = new Shop(10)
  const check = await shop.watch()
  await check()
  const { products } = shop
  shop.products = []
  const empty = await check()
  expect(empty.reasons.filter(({ message }) => message.startsWith('row: removed'))).toEqual([])
  expect(empty.warning).toContain('The page has no list')
  shop.products = products
  expect((await check()).meaningful).toBe(false)
})

it.each(['list', 'markdown'])(
  'tells the price before and after the start and the end of a sale (%s)',
  async (format) => {
    await using shop = new Shop(6)
    shop.change(2, { price: 20 })
    const check = await shop.watch({ formats: [format], fields: ['price'] })
    await check()
    shop.change(2, { price: 15, old: 20 })
    const start = await check()
    expect(start.reasons).toHaveLength(1)
    expect(told(start)[0]).toEqual([
      'price',
      expect.stringMatching(/^€20(?:\.00)?$/),
      expect.stringMatching(/^€15(?:\.00)?$/),
    ])
    expect(start.reasons[0]?.message).toContain('Elm lamp B')
    shop.change(2, { old: 25 })
    expect(await check()).toMatchObject({ status: 'changed', meaningful: false })
    shop.products = shop.products.map(({ old: _, ...product }) => product)
    shop.change(2, { price: 20 })
    const end = await check()
    expect(told(end)).toHaveLength(1)
    expect(told(end)[0]).toEqual(['price', expect.stringMatching(/^€15/), expect.stringMatching(/^€20/)])
  },
)

it.each(['list', 'markdown'])('takes no two products for one of which the price has changed (%s)', async (format) => {
  await using shop = new Shop(6)
  const check = await shop.watch({ formats: [format], fields: ['price'] })
  await check()
  shop.products = [...shop.products.slice(1), { id: 99, name: 'Elm lamp Z', price: 99 }]
  expect((await check()).reasons.filter(({ previous, current }) => previous && current)).toEqual([])
})

it('tells nothing of products that slide to another page of their list', async () => {
  await using shop = new Shop(40)
  const check = await shop.watch({ fields: ['price', 'availability', 'row', 'heading', 'text'] })
  await check()
  shop.products = [{ id: 99, name: 'Pine bench Z', price: 99 }, ...shop.products]
  const first = await check()
  expect(first.reasons.map(({ message }) => message)).toEqual([expect.stringMatching(/^row: added: .*Pine bench Z/)])
  shop.products = shop.products.toReversed()
  expect(await check()).toMatchObject({ status: 'changed', meaningful: false })
})

it('tells each change once, and what the data do not have from the page', async () => {
  await using shop = new Shop(40)
  shop.note = '<p>Shipping costs €10.00 to each country.</p>'
  const check = await shop.watch()
  await check()
  shop.change(1, { price: 12 })
  expect(told(await check())).toEqual([['price', '€10', '€12']])
  shop.note = '<p>Shipping costs €13.00 to each country.</p>'
  expect(told(await check())).toEqual([['price', '€10.00', '€13.00']])
})

it('tells of hundreds of prices, and how many it leaves out', async () => {
  await using shop = new Shop(510, 170)
  const check = await shop.watch()
  await check()
  for (const count of [26, 510]) {
    shop.products = shop.products.map((product, at) =>
      at < count ? { ...product, price: product.price + 1 } : product,
    )
    const { reasons, warning } = await check()
    expect(reasons).toHaveLength(Math.min(count, 500))
    expect(warning).toEqual(count === 26 ? undefined : expect.stringContaining('10 reasons are left out'))
  }
})
