import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { expect, it } from 'vitest'
import { MAX_READ_LENGTH } from '../../../src/content/extract/blocks/block.js'
import { readBlocks } from '../../../src/content/extract/blocks/read-blocks.js'
import { parseHtml } from '../parse/pages.js'

/** Reads the only block of a page with this text. */
function readBlock(text: string): object {
  const [body] = parseHtml(`<p>${text}</p>`).tree.$('body')
  const [block] = body === undefined ? [] : readBlocks(body, new Set()).blocks
  if (block === undefined) throw new Error('the page has no block')
  return block
}

it('blocks have one shape for V8, however long their text is', () => {
  setFlagsFromString('--allow-natives-syntax')
  const haveSameShape = runInThisContext('(one, other) => %HaveSameMap(one, other)') as (
    a: object,
    b: object,
  ) => boolean
  // V8 compiles the function when it is called.
  expect(haveSameShape({ a: 1 }, { b: 1 })).toBe(false)
  setFlagsFromString('--no-allow-natives-syntax')
  const first = readBlock('word '.repeat(10))
  const long = readBlock('word '.repeat(MAX_READ_LENGTH / 4))
  expect(long).toMatchObject({ words: expect.not.closeTo(MAX_READ_LENGTH / 4, 10) as number })
  expect(haveSameShape(first, long)).toBe(true)
  expect(haveSameShape(first, readBlock('word '.repeat(10)))).toBe(true)
})
