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
  [
    [{ name: 'shop', fetchers: [] }],
    'features[0].fetchers: is no field of a feature: it has `name`, `fetcher`, `optional`, `refuse`, `request`',
  ],
  [[{ name: 'shop', refuse: 'never' }], 'features[0].refuse: "never" is not right: a function'],
  [[{ name: 'shop', request: {} }], 'features[0].request: an object is not right: a function'],
  [[{ name: 'shop', browser: 'alert()' }], 'features[0].browser: "alert()" is not right: a function with a source'],
  [[{ name: 'shop', browser: Math.max }], 'features[0].browser: a function is not right: a function with a'],
  [[{ name: 'shop', afterDigest: 1 }], 'features[0].afterDigest: 1 is not right: a function'],
  [[{ name: 'shop', enrich: null }], 'features[0].enrich: null is not right: a function'],
  [[{ name: 'shop', document: [] }], 'features[0].document: a list of 0 is not right: a function'],
  [[{ name: 'shop', optional: 'yes' }], 'features[0].optional: "yes" is not right: true or false'],
  [[{ name: 'shop', asksSite: 1 }], 'features[0].asksSite: 1 is not right: true or false'],
  [[{ name: 'shop', formats: {} }], 'features[0].formats: an object is not right: a list of objects with a `type`'],
  [[{ name: 'shop', formats: [{ type: 'mine' }] }], 'features[0].formats: a list of 1 is not right'],
  [[{ name: 'shop', formats: [{ type: 'a b', produce: () => 1 }] }], 'features[0].formats: a list of 1 is not right'],
  [[{ name: 'shop', formats: [{ type: 'json', produce: () => 1 }] }], '"json" is a format of trawl, or of an earlier'],
  [
    [{ name: 'shop', formats: [1, 2].map(() => ({ type: 'mine', produce: () => 1 })) }],
    'features[0].formats: "mine" is a format of trawl, or of an earlier feature',
  ],
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
