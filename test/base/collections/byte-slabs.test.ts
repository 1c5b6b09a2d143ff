import { expect, it } from 'vitest'
import { ByteSlabs } from '../../../src/base/collections/byte-slabs.js'

const bytesOf = (number: number, length: number): Uint8Array => new Uint8Array(length).fill(number)

it('keeps bytes, also those whose neighbours are removed', () => {
  const slabs = new ByteSlabs(1000)
  const added = Array.from({ length: 100 }, (_, number) => slabs.add(bytesOf(number, 90)))
  for (const [number, part] of added.entries()) if (number % 3 > 0) slabs.remove(part)
  const kept = added.filter((_, number) => number % 3 === 0)
  expect(kept.map(({ bytes }) => bytes)).toEqual(kept.map((_, at) => bytesOf(at * 3, 90)))
})

it('holds a ninth more than what is needed, and the slab that is open', () => {
  const slabs = new ByteSlabs(1000)
  const added = Array.from({ length: 1000 }, (_, number) => slabs.add(bytesOf(number, 10 + (number % 150))))
  let needed = added.reduce((sum, { bytes }) => sum + bytes.length, 0)
  expect(slabs.heldBytes).toBe(needed)
  // In an order in which each slab keeps some of its parts for long.
  for (let at = 0; at < 1000; at += 1) {
    const part = added[(at * 37) % 1000]
    if (!part) continue
    needed -= part.bytes.length
    slabs.remove(part)
    expect(slabs.heldBytes).toBeLessThanOrEqual((needed * 10) / 9 + 1000)
  }
})

it('frees large bytes at once, and a part that was removed only once', () => {
  const slabs = new ByteSlabs(1000)
  const [small, large] = [slabs.add(bytesOf(1, 10)), slabs.add(bytesOf(2, 5000))]
  expect(slabs.heldBytes).toBe(5010)
  slabs.remove(large)
  slabs.remove(large)
  expect(slabs.heldBytes).toBe(10)
  expect(small.bytes).toEqual(bytesOf(1, 10))
})

it('frees a slab once, also if an empty part of it is removed later', () => {
  const slabs = new ByteSlabs(1000)
  for (let round = 0; round < 20; round += 1) {
    const empty = slabs.add(new Uint8Array())
    const full = slabs.add(bytesOf(1, 200))
    // Closes the slab of both.
    const others = Array.from({ length: 5 }, () => slabs.add(bytesOf(2, 200)))
    for (const part of [full, ...others, empty]) slabs.remove(part)
  }
  const added = Array.from({ length: 100 }, (_, number) => slabs.add(bytesOf(number, 90)))
  for (const [number, part] of added.entries()) if (number % 2 === 0) slabs.remove(part)
  expect(slabs.heldBytes).toBeLessThanOrEqual((50 * 90 * 10) / 9 + 1000)
})

it('leaves a view of removed bytes as it is', () => {
  const slabs = new ByteSlabs(1000)
  const part = slabs.add(bytesOf(7, 100))
  const { bytes } = part
  slabs.remove(part)
  for (let number = 0; number < 50; number += 1) slabs.add(bytesOf(number, 90))
  expect(bytes).toEqual(bytesOf(7, 100))
})
