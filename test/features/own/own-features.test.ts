import { expect, it } from 'vitest'
import { createEngine, defineFeature, InvalidRequestError } from '../../../src/index.js'
import { features } from '../../../src/features/index.js'

/** Makes an engine with what a careless caller gives as features, and returns the message of its error. */
function refusalOf(given: unknown): string {
  try {
    createEngine({ features: given as [] })
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError)
    return (error as Error).message
  }
  throw new Error('nothing was refused')
}

it.each([
  [{ name: 'one' }, 'features: '],
  ['one', 'features: '],
  [[undefined], 'features[0]: undefined is no feature: an object with a `name`'],
  [[() => 1], 'features[0]: a function is no feature'],
  [[{}], 'features[0].name: undefined is not right: a letter, then letters'],
  [[{ name: '' }], 'features[0].name: "" is not right'],
  [[{ name: '__proto__' }], 'features[0].name: "__proto__" is not right'],
  [[{ name: 'a'.repeat(61) }], 'features[0].name'],
  [[{ name: 'shop', fetcher: () => 1 }], 'features[0].fetcher: a function is not right: an object with the functions'],
  [[{ name: 'shop', fetcher: { handles: true, fetch: () => 1 } }], 'features[0].fetcher: an object is not right'],
  [[{ name: 'shop', fetchers: [] }], 'features[0].fetchers: is no field of a feature: it has `name`, `fetcher`'],
  [[{ name: 'shop' }, { name: 'shop' }], 'features[1].name: "shop" is the name of an earlier one'],
])('an engine with %j as features is refused', (given, message) => {
  expect(refusalOf(given)).toContain(message)
})

it.each(features.map(({ name }) => name))(
  'no feature may have the name of %s, which is one of trawl itself',
  (name) => {
    expect(refusalOf([{ name }])).toContain('features[0].name: is the name of a feature of trawl itself')
  },
)

it('an engine names every fault of its features at once', () => {
  const message = refusalOf([{ name: 1 }, null, { name: 'shop', fetch: 1 }])
  for (const path of ['features[0].name', 'features[1]', 'features[2].fetch']) expect(message).toContain(path)
})

it('an instance of a class may be a feature, with fields for itself', async () => {
  class Shop {
    readonly name = 'shop'
    readonly pages = new Map([['https://shop.test/', 'A page of the shop.']])
    readonly fetcher = {
      handles: (url: string) => url.startsWith('https://shop.test/'),
      fetch: ({ url }: { url: string }) => ({
        body: this.pages.get(url) ?? '',
        status: this.pages.has(url) ? 200 : 404,
      }),
    }
  }
  await using engine = createEngine({ threads: 0, features: [new Shop()] })
  expect((await engine.scrape('https://shop.test/')).markdown).toContain('A page of the shop.')
})

it('a list that is changed afterwards changes nothing in the engine', async () => {
  const shop = defineFeature({
    name: 'shop',
    fetcher: { handles: () => true, fetch: () => ({ body: '<p>Old words.' }) },
  })
  const list: { name: string }[] = [shop]
  await using engine = createEngine({ threads: 0, features: list })
  list.length = 0
  shop.name = 'twins'
  expect((await engine.scrape('https://shop.test/')).markdown).toContain('Old words.')
})
