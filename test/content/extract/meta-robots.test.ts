import { expect, it } from 'vitest'
import { readRobotsFacts } from '../../../src/content/extract/structured-data/meta-robots.js'

it.each([
  ['noindex, nofollow', undefined, { noindex: true, nofollow: true }],
  ['NONE', undefined, { noindex: true, nofollow: true }],
  [['index,follow', 'nofollow'], undefined, { nofollow: true }],
  [undefined, 'noindex', { noindex: true }],
  [undefined, 'googlebot: noindex, nofollow', {}],
  [undefined, 'googlebot: noindex, Trawl: nofollow', { nofollow: true }],
  [undefined, 'unavailable_after: 25 Jun 2030 15:00:00 PST, noindex', { noindex: true }],
  ['noindex; nofollow', undefined, { noindex: true, nofollow: true }],
  ['noindex;nofollow', undefined, { noindex: true, nofollow: true }],
  [['all;', 'NoIndex'], undefined, { noindex: true }],
  [undefined, 'googlebot: noindex; nofollow', {}],
  [undefined, 'googlebot: none; trawl: noindex', { noindex: true }],
  [undefined, 'noindex;nofollow', { noindex: true, nofollow: true }],
  [undefined, undefined, {}],
  ['all', 'max-snippet: 20', {}],
])('reads meta %j and header %j', (meta, header, facts) => {
  expect(readRobotsFacts(meta === undefined ? {} : { robots: meta }, header, 'trawl')).toEqual(facts)
})

it('reads the meta tags of this crawler by its name, and none of others', () => {
  expect(readRobotsFacts({ robots: 'all', Trawl: 'none' }, undefined, 'trawl')).toEqual({
    noindex: true,
    nofollow: true,
  })
  expect(readRobotsFacts({ robots: 'nofollow', trawl: 'noindex' }, undefined, 'MyBot')).toEqual({ nofollow: true })
  expect(readRobotsFacts({ mybot: ['noindex', 'nofollow'] }, undefined, 'MyBot')).toEqual({
    noindex: true,
    nofollow: true,
  })
  expect(readRobotsFacts({ googlebot: 'none' }, undefined, 'trawl')).toEqual({})
})
