import { expect, it } from 'vitest'
import { CompressedBlocks } from '../../src/collections/compressed-blocks.js'

const parts = Array.from({ length: 20 }, (_, number) => Buffer.from(`part ${number} `.repeat(number)))

it('compressed parts are read back in any order, and take their share of the block', async () => {
  const blocks = new CompressedBlocks(3)
  const [first, second] = [await blocks.write(parts), await blocks.write(parts.toReversed())]
  for (const [at, part] of first.entries()) if (at !== 7) part.drop()
  expect(await first[7]?.read()).toEqual(parts[7])
  expect(await Promise.all(second.map((part) => part.read()))).toEqual(parts.toReversed())
  expect(first[19]?.size).toBeLessThan(100)
  expect(await Promise.all((await blocks.write([Buffer.alloc(0)])).map((part) => part.read()))).toEqual([
    Buffer.alloc(0),
  ])
})
