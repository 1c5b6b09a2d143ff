import { expect, it } from 'vitest'
import { readMediaFacts } from '../../../src/content/extract/media/media-facts.js'

it.each([
  ['PT90S', 90],
  ['P1DT1H', 90_000],
  ['PT0H0M7.25S', 7.25],
  ['1:02:03', 3723],
  ['95', 95],
  ['PT0S', undefined],
  ['P', undefined],
  ['two hours', undefined],
  ['1:2', undefined],
])('a length of %j is %j seconds', (duration, seconds) => {
  expect(readMediaFacts({ duration })?.duration).toBe(seconds)
})

it.each([{}, { title: ' \n ' }, { width: '100%', height: '0' }, { title: undefined, thumbnail: '' }])(
  'facts of %j are none',
  (written) => {
    expect(readMediaFacts(written)).toBeUndefined()
  },
)
