import type * as zlib from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { CompressedBlocks } from '../../../src/base/collections/compressed-blocks.js'
import { noise } from '../../contracts/store.contract.js'

const failing = vi.hoisted(() => ({ next: false }))
vi.mock('node:zlib', async (load) => {
  const original = await load<typeof zlib>()
  const brotliDecompress = (bytes: Uint8Array, options: zlib.BrotliOptions, done: zlib.CompressCallback): void => {
    if (!failing.next) return original.brotliDecompress(bytes, options, done)
    failing.next = false
    done(new Error('no memory'), Buffer.alloc(0))
  }
  return { ...original, brotliDecompress }
})

const parts = Array.from({ length: 20 }, (_, number) => Buffer.from(`part ${number} `.repeat(number)))

it('compressed parts are read back in any order, and take their share of the block', async () => {
  const blocks = new CompressedBlocks({ level: 3, blockBytes: 100_000 })
  const [first, second] = [await blocks.write(parts), await blocks.write(parts.toReversed())]
  for (const [at, part] of first.entries()) if (at !== 7) part.drop()
  expect(await first[7]?.read()).toEqual(parts[7])
  expect(await Promise.all(second.map((part) => part.read()))).toEqual(parts.toReversed())
  expect(first[19]?.size).toBeLessThan(100)
  const [empty] = await blocks.write([Buffer.alloc(0)])
  expect(await empty?.read()).toEqual(new Uint8Array())
})

it('joins each block in the same buffer, and keeps nothing of what was joined there before', async () => {
  const blocks = new CompressedBlocks({ level: 0, blockBytes: 100_000 })
  const random = [noise(20_000, 1), noise(20_000, 2)]
  const uncompressed = await blocks.write(random)
  const both = await Promise.all([blocks.write(parts), blocks.write(parts.toReversed())])
  const read = await Promise.all([...uncompressed, ...both.flat()].map((part) => part.read()))
  expect(read.map((bytes) => Buffer.from(bytes))).toEqual(
    [...random, ...parts, ...parts.toReversed()].map((bytes) => Buffer.from(bytes)),
  )
  // A part alone is not copied to be compressed: it may change afterwards.
  const alone = noise(30_000, 3)
  const [part] = await blocks.write([alone])
  alone.fill(0)
  expect(Buffer.from((await part?.read()) ?? [])).toEqual(Buffer.from(noise(30_000, 3)))
})

it('frees a large part when it is dropped, whatever was written with it', async () => {
  const blocks = new CompressedBlocks({ level: 0, blockBytes: 100_000 })
  const [small, large] = await blocks.write([noise(50, 1), noise(30_000, 2)])
  expect(blocks.storedBytes).toBe(30_050)
  large?.drop()
  expect(blocks.storedBytes).toBe(50)
  expect(new Uint8Array((await small?.read()) ?? [])).toEqual(noise(50, 1))
})

it('counts a dropped part as held until what is left of its block is compressed again', async () => {
  const blocks = new CompressedBlocks({ level: 0, blockBytes: 100_000 })
  const bodies = Array.from({ length: 10 }, (_, seed) => noise(5_000, seed))
  const written = await blocks.write(bodies)
  for (const part of written.slice(0, 4)) part.drop()
  expect(blocks).toMatchObject({ storedBytes: 50_000, droppedBytes: 20_000 })
  expect(await blocks.repack()).toBe(false)
  for (const part of written.slice(4, 7)) part.drop()
  const repacked = blocks.repack()
  written[7]?.drop()
  const read = written[8]?.read()
  expect(await repacked).toBe(true)
  expect(new Uint8Array((await read) ?? [])).toEqual(bodies[8])
  expect(Buffer.concat(await Promise.all(written.slice(8).map((part) => part.read())))).toEqual(
    Buffer.concat(bodies.slice(8)),
  )
  expect(blocks).toMatchObject({ storedBytes: 15_000, droppedBytes: 5_000 })
  for (const part of written) part.drop()
  expect(blocks).toMatchObject({ storedBytes: 0, droppedBytes: 0, openBytes: 0 })
})

it('keeps a shared block decompressed until another is read, and none that a part has alone', async () => {
  const blocks = new CompressedBlocks({ level: 0, blockBytes: 100_000 })
  const [first, second, alone] = await blocks.write([...parts.slice(18), Buffer.alloc(30_000)])
  await Promise.all([first?.read(), second?.read()])
  expect(blocks.openBytes).toBe(Buffer.concat(parts.slice(18)).length)
  await alone?.read()
  expect(blocks.openBytes).toBeLessThan(30_000)
})

it('decompresses a block again when that failed before', async () => {
  const blocks = new CompressedBlocks({ level: 0, blockBytes: 100_000 })
  const [part] = await blocks.write(parts.slice(18))
  failing.next = true
  await expect(part?.read()).rejects.toThrow('no memory')
  expect(await part?.read()).toEqual(parts[18])
})
