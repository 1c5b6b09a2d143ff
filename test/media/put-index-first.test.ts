import { describe, expect, it } from 'vitest'
import { putIndexFirst } from '../../src/media/put-index-first.js'
import { makeMovie, makeWav } from './make-media.js'

describe('the index of a film', () => {
  it('comes to stand before its data, and still tells where each piece is', () => {
    const first = putIndexFirst(makeMovie({ indexFirst: false, tracks: ['vide', 'soun'] }))
    expect(Buffer.from(first).equals(makeMovie({ tracks: ['vide', 'soun'] }))).toBe(true)
  })

  it('stays where it is first, and a file that has none stays as it is', () => {
    for (const file of [makeMovie(), makeWav(), Buffer.alloc(0), Buffer.from('\0\0\0\x08mdat', 'latin1')]) {
      expect(putIndexFirst(file)).toBe(file)
    }
  })

  it('may be cut off anywhere', () => {
    const whole = makeMovie({ indexFirst: false, seconds: 0.01 })
    for (let end = 0; end < whole.length; end++) expect(putIndexFirst(whole.subarray(0, end)).length).toBe(end)
  })
})
