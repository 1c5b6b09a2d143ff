import { describe, expect, it } from 'vitest'
import { putIndexFirst } from '../../../src/features/media/put-index-first.js'
import { makeMovie, makeWav } from '../../site/make-media.js'

describe('putIndexFirst', () => {
  it('moves the index before the data, and adjusts its offsets', () => {
    const first = putIndexFirst(makeMovie({ indexFirst: false, tracks: ['vide', 'soun'] }))
    expect(Buffer.from(first).equals(makeMovie({ tracks: ['vide', 'soun'] }))).toBe(true)
  })

  it('leaves a file unchanged when its index is first, or it has none', () => {
    for (const file of [makeMovie(), makeWav(), Buffer.alloc(0), Buffer.from('\0\0\0\x08mdat', 'latin1')]) {
      expect(putIndexFirst(file)).toBe(file)
    }
  })

  it('accepts a file truncated at any place', () => {
    const whole = makeMovie({ indexFirst: false, seconds: 0.01 })
    for (let end = 0; end < whole.length; end++) expect(putIndexFirst(whole.subarray(0, end)).length).toBe(end)
  })
})
