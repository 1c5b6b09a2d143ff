import { makeZip } from '../content/parse/make-zip.js'
import { inflateRawSync } from 'node:zlib'

/** What is in a zip, by name, as far as it can be read; nothing of what is none. @see APPNOTE.TXT section 4.3 */
function readZip(file: Buffer): Record<string, Uint8Array> {
  const entries: Record<string, Uint8Array> = {}
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > file.length) return entries
  let at = file.readUInt32LE(end + 16)
  for (let count = file.readUInt16LE(end + 10); count > 0 && at + 46 <= file.length; count--) {
    if (file.readUInt32LE(at) !== 0x02014b50) return entries
    const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((field) => file.readUInt16LE(at + field))
    const local = file.readUInt32LE(at + 42)
    if (local + 30 > file.length) return entries
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const bytes = file.subarray(from, from + packed)
    const path = file.subarray(at + 46, at + 46 + (name ?? 0)).toString()
    try {
      entries[path] = method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: 4_000_000 })
    } catch {
      // Broken by what was done to it before: it stays out.
    }
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}

/** Numbers from a seed, the same on every machine: a failure can be had again. */
export class Dice {
  constructor(private state: number) {}

  /** From 0 to `below` - 1. */
  roll(below: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return below <= 0 ? 0 : ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.roll(list.length)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }
}

/** @returns what came of the file; of one that it is not made for, the file itself */
type Mutation = (file: Buffer, dice: Dice, other: Buffer) => Buffer

/** What a length, an offset or a count is made to say. */
const LIES = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff]

const mutations: Readonly<Record<string, Mutation>> = {
  bits(file, dice) {
    const bytes = Buffer.from(file)
    for (let flips = 1 + dice.roll(1 + (bytes.length >> 8)); flips > 0; flips--) {
      const at = dice.roll(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.roll(8))
    }
    return bytes
  },
  truncation: (file, dice) => file.subarray(0, dice.roll(file.length + 1)),
  swap(file, dice) {
    const size = 1 + dice.roll(Math.min(4096, file.length))
    const [from, to] = [dice.roll(file.length - size), dice.roll(file.length - size)]
    const bytes = Buffer.from(file)
    file.copy(bytes, to, from, from + size)
    file.copy(bytes, from, to, to + size)
    return bytes
  },
  length(file, dice) {
    const bytes = Buffer.from(file)
    for (let lies = 1 + dice.roll(4); lies > 0 && bytes.length >= 4; lies--) {
      const at = dice.roll(bytes.length - 3)
      const lie = dice.pick(LIES)
      const width = dice.pick(['2', '4', '4 from the left'])
      if (width === '2') bytes.writeUInt16LE(lie & 0xffff, at)
      else if (width === '4') bytes.writeUInt32LE(lie, at)
      else bytes.writeUInt32BE(lie, at)
    }
    return bytes
  },
  /** Text formats have their lengths in digits. */
  digits(file, dice) {
    const places: number[] = []
    for (let tries = 0; tries < 200; tries++) {
      const at = dice.roll(file.length)
      const byte = file[at] ?? 0
      if (byte >= 0x30 && byte <= 0x39) places.push(at)
    }
    if (places.length === 0) return file
    const at = dice.pick(places)
    const number = dice.pick(['-1', '0', '999999999', '4294967296', '1e999', '00'])
    return Buffer.concat([file.subarray(0, at), Buffer.from(number), file.subarray(at + 1)])
  },
  repetition(file, dice) {
    const from = dice.roll(file.length)
    const piece = file.subarray(from, from + 1 + dice.roll(200))
    const times = 1 + dice.roll(2000)
    const repeated = Buffer.concat(Array.from({ length: times }, () => piece)).subarray(0, 60_000)
    return Buffer.concat([file.subarray(0, from), repeated, file.subarray(from)])
  },
  removal(file, dice) {
    const from = dice.roll(file.length)
    return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + dice.roll(2000))])
  },
  splice: (file, dice, other) =>
    Buffer.concat([file.subarray(0, dice.roll(file.length + 1)), other.subarray(dice.roll(other.length + 1))]),
}

const mutationNames: readonly string[] = Object.keys(mutations)

/** Of a zip what is in it, so that it is not refused for its sums before anything is read; of anything else itself. */
function mutateInside(file: Buffer, other: Buffer, dice: Dice): Buffer {
  const entries = readZip(file)
  const names = Object.keys(entries)
  if (names.length === 0) return mutate(file, other, dice)
  const name = dice.pick(names)
  const entry = Buffer.from(entries[name] ?? [])
  return Buffer.from(makeZip({ ...entries, [name]: entry.length === 0 ? entry : mutate(entry, other, dice) }))
}

const mutate = (file: Buffer, other: Buffer, dice: Dice): Buffer =>
  mutations[dice.pick(mutationNames)]?.(file, dice, other) ?? file

/** A file with something wrong in it, often more than one thing. */
export function mutateFile(file: Buffer, other: Buffer, dice: Dice): Buffer {
  let bytes = file
  for (let times = 1 + dice.roll(3); times > 0 && bytes.length > 0; times--) {
    bytes = dice.roll(2) === 0 ? mutateInside(bytes, other, dice) : mutate(bytes, other, dice)
  }
  return bytes
}
