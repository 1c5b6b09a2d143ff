import { constants } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { MessageFilter } from '../../../src/features/browser/process/limit-messages.js'

describe('messages of a browser', () => {
  const filterOf = (chunks: readonly string[]): { messages: string[]; refused: number } => {
    const forwarded: Uint8Array[] = []
    let refused = 0
    const filter = new MessageFilter({
      forward: (bytes) => forwarded.push(bytes),
      refuseAnswer: () => (refused += 1),
      maxEvent: 20,
      maxAnswer: 40,
    })
    for (const chunk of chunks) filter.push(Buffer.from(chunk))
    return { messages: Buffer.concat(forwarded).toString().split('\0'), refused }
  }

  it.each([
    ['several in one chunk', ['{"method":1}\0{"id":1}\0{"id":2}\0']],
    ['in the midst of chunks', ['{"meth', 'od":1}\0{', '"id":1}', '\0{"id":2}\0']],
    ['one byte at a time', Array.from('{"method":1}\0{"id":1}\0{"id":2}\0')],
  ])('forwards them in their order, where chunks hold %s', (_, chunks) => {
    expect(filterOf(chunks)).toEqual({ messages: ['{"method":1}', '{"id":1}', '{"id":2}', ''], refused: 0 })
  })

  it.each([
    ['one chunk', [`{"id":1}\0{"method":"${'x'.repeat(30)}"}\0{"id":2}\0`]],
    ['many chunks', Array.from(`{"id":1}\0{"method":"${'x'.repeat(30)}"}\0{"id":2}\0`)],
  ])('leaves out an event that is too large, in %s, and nothing beside it', (_, chunks) => {
    expect(filterOf(chunks)).toEqual({ messages: ['{"id":1}', '{"id":2}', ''], refused: 0 })
  })

  it('stops at an answer that is too large, which its caller would wait for', () => {
    const large = `{"id":2,"result":"${'x'.repeat(30)}"}\0`
    expect(filterOf([`{"id":1,"result":"0123456789"}\0${large}{"id":3}\0`, '{"id":4}\0'])).toEqual({
      messages: ['{"id":1,"result":"0123456789"}', ''],
      refused: 1,
    })
  })

  it('leaves out an event that is longer than a string can be', () => {
    let forwarded = 0
    const forward = (bytes: Uint8Array): void => void (forwarded += bytes.length)
    const filter = new MessageFilter({ forward, refuseAnswer: () => expect.fail('It is no answer') })
    const piece = Buffer.alloc(1024 * 1024, 'x')
    filter.push(Buffer.from('{"method":"'))
    for (let length = 0; length <= constants.MAX_STRING_LENGTH; length += piece.length) filter.push(piece)
    filter.push(Buffer.from('"}\0{"id":1}\0'))
    expect(forwarded).toBe('{"id":1}\0'.length)
  })
})
