import { describe, expect, it } from 'vitest'
import type { ToolText } from '../../../src/features/toolkit/answer.js'
import { TextStore } from '../../../src/features/toolkit/text-store.js'

const makeText = (...parts: string[]): ToolText => ({ head: '', parts, between: '\n', maxTokens: 300 })

describe('the texts that are kept for read_more', () => {
  it('are read from the part of the handle on', () => {
    const store = new TextStore()
    const id = store.keep(makeText('a', 'b', 'c'))
    expect(store.read(`${id}:2`)).toMatchObject({ id: 'text-1', from: 2 })
    expect(store.read(id)).toMatchObject({ from: 0 })
  })

  it('are forgotten beyond a number, the oldest first, and the message says so', () => {
    const store = new TextStore({ maxTexts: 2, maxBytes: 1e6 })
    const ids = ['a', 'b', 'c'].map((text) => store.keep(makeText(text)))
    expect(() => store.read(`${ids[0]}:0`)).toThrow(/text-1:0" was forgotten \(2 texts and 1 MiB are kept/)
    expect(ids.slice(1).map((id) => store.read(id).text.parts)).toEqual([['b'], ['c']])
  })

  it('are forgotten beyond a number of bytes, and the end of one that alone has more is left out', () => {
    const store = new TextStore({ maxTexts: 100, maxBytes: 10_000 })
    const first = store.keep(makeText('a'.repeat(3000)))
    const second = store.keep(makeText('b'.repeat(3000)))
    expect(() => store.read(first)).toThrow('was forgotten')
    expect(store.read(second).text.parts).toHaveLength(1)
    const long = store.keep(makeText(...Array.from({ length: 10 }, () => 'c'.repeat(1000))))
    expect(store.read(long).text.parts).toHaveLength(5)
    expect(store.read(long).text.parts.at(-1)).toContain('its end is left out')
    expect(() => store.read(second)).toThrow('was forgotten')
  })

  it.each(['text-1:3', 'text-1:-1', 'text-1:x', 'text-1:1.5', 'text-1:'.concat('9'.repeat(30))])(
    'are not read from %s, beyond their end',
    (handle) => {
      const store = new TextStore()
      store.keep(makeText('a', 'b', 'c'))
      expect(() => store.read(handle)).toThrow('begins after the end of its text')
    },
  )

  it.each(['', 'text-2', 'text-0:1', '__proto__', 'http://user:secret@host/'])('are not found under %j', (handle) => {
    const store = new TextStore()
    store.keep(makeText('a'))
    expect(() => store.read(handle)).toThrow(/is no handle/)
    expect(() => store.read(handle)).not.toThrow(/secret/)
  })
})
