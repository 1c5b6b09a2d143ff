import { expect, it } from 'vitest'
import type { ScrapeOptions } from '../../../src/index.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const parse = async (options: ScrapeOptions) =>
  await on.engine.parse({ body: '<h1>Mine</h1><p>Some words.', url: 'https://a.test/' }, options)

it.each<ScrapeOptions>([
  { actions: [{ type: 'scrape' }] },
  { expand: true },
  { headers: { cookie: 'a=b' } },
  { location: { country: 'DE' } },
  { minAge: 1 },
  { mobile: true },
  { profile: { name: 'shop' } },
  { proxy: 'stealth' },
  { waitFor: 100 },
])('parse() warns of an option that needs a page to be fetched: %j', async (options) => {
  await on.open({})
  const [name] = Object.keys(options)
  const { markdown, warning } = await parse(options)
  expect(markdown).toContain('# Mine')
  expect(warning).toBe(`Nothing was fetched, so these options had no effect: \`${name}\`.`)
})

it('parse() names all options without an effect in one warning', async () => {
  await on.open({})
  expect((await parse({ mobile: true, waitFor: 5 })).warning).toContain('no effect: `mobile`, `waitFor`.')
})

it('parse() does not warn of options that change nothing', async () => {
  await on.open({})
  const location = { country: 'us-generic', languages: [] }
  const options: ScrapeOptions = { actions: [], headers: {}, location, mobile: false, proxy: 'basic', waitFor: 0 }
  expect(await parse(options)).not.toHaveProperty('warning')
  const rules: ScrapeOptions = { fastMode: true, lockdown: true, maxAge: 5, storeInCache: false, timeout: 9000 }
  expect(await parse(rules)).not.toHaveProperty('warning')
})
