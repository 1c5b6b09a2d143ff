import { expect, it } from 'vitest'
import { compact } from '../../../src/base/collections/compact.js'

it('compact leaves out undefined fields, and keeps all other values', () => {
  const fields: { a?: number | undefined; b: string | null; c: boolean } = { a: undefined, b: null, c: false }
  const given: { a?: number; b: string | null; c: boolean } = compact(fields)
  expect(Object.keys(given)).toEqual(['b', 'c'])
  expect(given).toStrictEqual({ b: null, c: false })
})
