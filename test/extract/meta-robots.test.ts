import { expect, it } from 'vitest'
import { readRobotsFacts } from '../../src/extract/structured-data/meta-robots.js'

it.each([
  ['noindex, nofollow', undefined, { noindex: true, nofollow: true }],
  ['NONE', undefined, { noindex: true, nofollow: true }],
  [['index,follow', 'nofollow'], undefined, { nofollow: true }],
  [undefined, 'noindex', { noindex: true }],
  [undefined, 'googlebot: noindex, nofollow', {}],
  [undefined, 'googlebot: noindex, Trawl: nofollow', { nofollow: true }],
  [undefined, 'unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', { noindex: true }],
  [undefined, undefined, {}],
  ['all', 'max-snippet: 20', {}],
])('reads meta %j and header %j', (meta, header, facts) => {
  expect(readRobotsFacts(meta, header, 'trawl')).toEqual(facts)
})
