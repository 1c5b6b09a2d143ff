import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDate } from '../../../src/content/sitemap/sitemap-xml.js'

describe('readDate', () => {
  it.each([
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-05', '2024-05-01T00:00:00.000Z'],
    ['2024-05-06', '2024-05-06T00:00:00.000Z'],
    ['2024-05-06T07:08Z', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06T07:08+02:00', '2024-05-06T05:08:00.000Z'],
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09-05:30', '2024-05-06T12:38:09.000Z'],
    ['2024-05-06T07:08:09.5Z', '2024-05-06T07:08:09.500Z'],
    ['2024-05-06T07:08:09.1234567+00:00', '2024-05-06T07:08:09.123Z'],
  ])('reads all forms of W3C NOTE-datetime: %s', (text, iso) => {
    expect(readDate(text)).toBe(iso)
  })

  it.each([
    ['  2024-05-06\n', '2024-05-06T00:00:00.000Z'],
    ['2024-05-06T07:08:09', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06 07:08', '2024-05-06T07:08:00.000Z'],
    ['2024-05-06 07:08:09 +0200', '2024-05-06T05:08:09.000Z'],
    ['2024-05-06t07:08:09z', '2024-05-06T07:08:09.000Z'],
    ['2024-05-06T07:08:09+02', '2024-05-06T05:08:09.000Z'],
  ])('reads the variants that sites write, as UTC without a zone: %s', (text, iso) => {
    expect(readDate(text)).toBe(iso)
  })

  it.each([
    ['Mon, 06 May 2024 07:08:09 GMT', '2024-05-06T07:08:09.000Z'],
    ['Mon, 06 May 2024 07:08:09 +0200', '2024-05-06T05:08:09.000Z'],
    ['06 May 2024 07:08:09 EST', '2024-05-06T12:08:09.000Z'],
    ['6 May 24 07:08 UT', '2024-05-06T07:08:00.000Z'],
    ['Mon, 06 May 2024 07:08:09', '2024-05-06T07:08:09.000Z'],
    ['Mon, 06 May 2024 07:08:09 +0000 (UTC)', '2024-05-06T07:08:09.000Z'],
    ['06-May-2024', '2024-05-06T00:00:00.000Z'],
    ['Mon, 06 May 2024', '2024-05-06T00:00:00.000Z'],
  ])('reads the dates of RSS: %s', (text, iso) => {
    expect(readDate(text)).toBe(iso)
  })

  it.each(['', 'yesterday', '1', '20240506', '2024-13', '2024-05-32', '2024-05-06T25:00Z', '-5', 'May', '1714979289'])(
    'rejects %s',
    (text) => {
      expect(readDate(text)).toBeUndefined()
    },
  )

  it('reads any ISO string as the same moment', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(readDate(date.toISOString())).toBe(date.toISOString())
        expect(readDate(date.toUTCString())).toBe(new Date(date.getTime() - date.getMilliseconds()).toISOString())
      }),
    )
  })
})
