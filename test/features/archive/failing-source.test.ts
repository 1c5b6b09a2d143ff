import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readMembers } from '../../../src/features/archive/read/gzip-members.js'
import { createEngine } from '../../../src/index.js'
import { eachGzipped, infoRecord, pageRecord } from './make-warc.js'

const unhandled: unknown[] = []
const note = (error: unknown): void => void unhandled.push(error)
beforeEach(() => void process.on('unhandledRejection', note))
afterEach(() => void process.off('unhandledRejection', note))

/** A page too large to be decompressed at once. */
const large = pageRecord('http://a.test/', `<p>${randomBytes(2_500_000).toString('hex')}`)
const failure = new Error('the disk is gone')

/** Yields a part of an archive, and then fails. */
async function* failAfter(bytes: Buffer, length: number) {
  for (let at = 0; at < length; at += 100_000) yield bytes.subarray(at, Math.min(at + 100_000, length))
  await new Promise((resolve) => setImmediate(resolve))
  throw failure
}

test.each([
  ['in its data', 1_000_000],
  ['in its checksum', 4],
])('a source that fails inside a large member, %s, fails the reading, after what came before', async (_, missing) => {
  const bytes = eachGzipped(infoRecord(), large)
  let read = 0
  const reading = (async () => {
    for await (const piece of readMembers(failAfter(bytes, bytes.length - missing))) {
      expect(piece.problem).toBeUndefined()
      read += piece.bytes.length
    }
  })()
  await expect(reading).rejects.toBe(failure)
  expect(read).toBeGreaterThan(infoRecord().length + large.length - 3 * missing - 200_000)
  expect(unhandled).toEqual([])
})

test('an engine that closes inside a large member leaves nothing behind', async () => {
  const bytes = gzipSync(large)
  let [reach, end] = [(): void => undefined, (): void => undefined]
  const reached = new Promise<void>((resolve) => (reach = resolve))
  const held = new Promise<void>((resolve) => (end = resolve))
  const source = async function* () {
    yield bytes.subarray(0, bytes.length - 1_000_000)
    reach()
    await held
  }
  const engine = createEngine({ cache: false, threads: 0 })
  const run = engine.archive(source())
  const reading = (async () => {
    for await (const outcome of run.outcomes()) expect(outcome).toBeUndefined()
  })()
  const settled = reading.catch(() => undefined)
  await reached
  await engine.close()
  end()
  await settled
  expect(unhandled).toEqual([])
})
