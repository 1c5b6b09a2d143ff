import { expect, it } from 'vitest'
import { parse } from '../../../src/content/parse/parse.js'
import { bytes, parsePlan } from './pages.js'

const entries = Array.from({ length: 40 }, (_, at) => `<item><title>Episode ${at}</title><link>/${at}</link></item>`)
const body = bytes(
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Long</title>${entries.join('')}</channel></rss>`,
)
const read = (maxHtmlBytes: number) =>
  parse({ url: 'https://site.test/feed', body, contentType: 'application/rss+xml' }, { ...parsePlan, maxHtmlBytes })

it('of a feed that is too long, the entries that end before the limit are read, with a warning', () => {
  const { tree, warnings, dropped } = read(1000)
  expect(tree.$('h2').length).toBe(17)
  expect(tree.$('h2').last().text()).toBe('Episode 16')
  expect(warnings).toEqual(['The feed is longer than can be read: its last entries were left out.'])
  expect(dropped).toBeUndefined()
})

it('a feed within the limit is read whole', () => {
  const { tree, warnings } = read(10_000)
  expect([tree.$('h2').length, warnings]).toEqual([40, []])
})
