import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { findSpace } from '../../../src/features/search/thread/embedding-space.js'
import { IndexDatabase } from '../../../src/features/search/thread/index-database.js'
import { LoadedVectors } from '../../../src/features/search/thread/loaded-vectors.js'
import { packedLength, packVector } from '../../../src/features/search/thread/pack-vector.js'
import { VectorMemory } from '../../../src/features/search/thread/vector-memory.js'
import { findNearest } from '../../../src/features/search/thread/vector-search.js'
import { findSqlite } from '../../../src/base/sqlite/driver.js'

const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
const opened: IndexDatabase[] = []
afterAll(async () => {
  for (const database of opened) database.close()
  await rm(folder, { recursive: true })
})

/** A direction of the plane, by its angle. */
const at = (degrees: number): Float32Array =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))

const numbersFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index)

/** Opens an index with the vectors of chunks from 1 on: first those at 0 degrees, then others at 90 to 150 degrees. */
function fill({ near, far }: { near: number; far: number }) {
  const file = join(folder, `${opened.length}.db`)
  const database = new IndexDatabase(findSqlite({ code: 'SEARCH_ERROR', name: 'a test' })(file))
  opened.push(database)
  const { number: space } = database.vectors.open(at(10))
  database.begin()
  for (let chunk = 1; chunk <= near + far; chunk += 1) {
    const vector = packVector(at(chunk <= near ? 0 : 90 + (60 * (chunk - near)) / far))
    database.sql.run('INSERT INTO vectors (chunk, vector) VALUES (?, ?)', chunk, vector)
  }
  database.commit()
  const find = (most: number, after?: number): number[] => {
    const within =
      after === undefined ? {} : { within: { sql: 'SELECT chunk FROM vectors WHERE chunk > ?', values: [after] } }
    return database.vectors.findNearest({ space, query: at(0), most, ...within }).map(({ chunk }) => chunk)
  }
  return { database, find }
}

it('finds as many vectors as are wanted', () => {
  const { find } = fill({ near: 2000, far: 100 })
  expect(find(1200)).toHaveLength(1200)
  expect(find(3000)).toHaveLength(2100)
})

it('finds vectors behind nearer ones that were deleted', () => {
  const { database, find } = fill({ near: 1200, far: 4900 })
  expect(find(3)).toEqual([1, 2, 3])
  database.sql.run('DELETE FROM vectors WHERE chunk <= 1200')
  database.vectors.noteChange()
  expect(find(3)).toEqual([1201, 1202, 1203])
})

it('compares as many vectors as ever when most of the nearest were deleted', () => {
  const { database, find } = fill({ near: 2000, far: 3000 })
  // All near vectors have the same signs, so that only a comparison finds the best of them.
  database.sql.run('UPDATE vectors SET vector = ? WHERE chunk < ? AND chunk <> 1500', packVector(at(30)), 2000)
  expect(find(3)).toEqual([1, 2, 3])
  database.sql.run('DELETE FROM vectors WHERE chunk <= 985')
  database.vectors.noteChange()
  expect(find(1)).toEqual([1500])
})

it('finds vectors of a large scope behind as many nearer ones', () => {
  const { find } = fill({ near: 20_500, far: 20_500 })
  expect(find(3)).toEqual([1, 2, 3])
  expect(find(3, 20_500)).toHaveLength(3)
})

it('keeps vectors in memory up to its limit', () => {
  const memory = new VectorMemory(packedLength(2), 5000 * packedLength(2))
  for (let id = 1; id <= 5001; id += 1) memory.add(3 * id, packVector(at(id % 90)))
  for (const id of [1, 60, 4097, 5000]) expect(memory.scoreOf(3 * id, at(id % 90))).toBeCloseTo(1, 2)
  expect(memory.scoreOf(3 * 5001, at(0))).toBeUndefined()
  expect(memory.scoreOf(4, at(0))).toBeUndefined()
})

it('takes no more memory than its vectors need', () => {
  const bytesEach = packedLength(2)
  const [small, full] = [new VectorMemory(bytesEach), new VectorMemory(bytesEach, 5000 * bytesEach)]
  expect(small.bytes).toBe(0)
  for (let id = 1; id <= 10; id += 1) small.add(id, packVector(at(id)))
  expect(small.bytes).toBe(64 * bytesEach)
  for (let id = 1; id <= 6000; id += 1) full.add(id, packVector(at(id % 90)))
  expect(full.bytes).toBe(5000 * bytesEach)
  const none = new VectorMemory(bytesEach, bytesEach - 1)
  none.add(1, packVector(at(1)))
  expect(none.bytes).toBe(0)
})

it('reads only the vectors of a scope that are not in memory from the file', () => {
  const { database } = fill({ near: 300, far: 0 })
  const loaded = new LoadedVectors(database.sql, 200 * packedLength(2))
  const all = vi.spyOn(database.sql, 'all')
  const within = { sql: 'SELECT chunk FROM vectors WHERE chunk > ?', values: [190] }
  const space = findSpace(database.sql)?.number ?? 0
  const found = findNearest(database.sql, loaded, { space, query: at(0), most: 1000, within })
  expect(found.map(({ chunk }) => chunk)).toEqual(numbersFrom(191, 110))
  const compared = all.mock.calls.filter(([text]) => text.startsWith('SELECT chunk, vector'))
  expect(compared.map(([, numbers]) => JSON.parse(String(numbers)) as unknown)).toEqual([numbersFrom(201, 100)])
})
