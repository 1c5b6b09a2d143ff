import { expect, it } from 'vitest'
import { replay, wacz, warc } from '../../../src/index.js'

it.each([
  ['warc', warc, '`warc(path)`'],
  ['wacz', wacz, '`wacz(path)`'],
  ['replay', replay, '`replay(archive)`'],
])('%s refuses what is no path at the call, and names it', (_, make, call) => {
  for (const given of [5, null, '', {}, () => 0])
    expect(() => (make as (path: unknown) => unknown)(given)).toThrow(
      new RegExp(`^${call.replaceAll(/[()]/g, '\\$&')}: .+ is not the path of`),
    )
})
