import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderRecord } from '../../../src/features/mirror/folder/folder-record.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-owners-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the record of a folder', () => {
  it('goes on with one of those who begin at once, and loses nothing that one of them has acknowledged', async () => {
    for (let seed = 0; seed < 40; seed += 1) {
      const path = join(folder, String(seed))
      const acknowledged: string[] = []
      const ended = new Set<number>()
      const run = async (who: number): Promise<void> => {
        const record = new FolderRecord(path, false)
        try {
          for (let turns = (seed * 7 + who * 5) % 11; turns > 0; turns -= 1) await turn()
          await record.load()
          for (let index = 0; index < 4; index += 1) {
            const key = `${who} ${index}`
            await record.save({ put: [{ key, digest: 'x', run: 1 }] })
            acknowledged.push(key)
          }
          // Nobody has gone before all have begun.
          ended.add(who)
          while (ended.size < 3) await turn()
          await record.checkAlone()
        } catch (error) {
          ended.add(who)
          throw error
        } finally {
          await record.close()
        }
      }
      const ends = await Promise.allSettled([run(0), run(1), run(2)])
      const failed = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
      expect(failed, `seed ${seed}`).toMatchObject([{ code: 'JOB_HELD' }, { code: 'JOB_HELD' }])
      const { entries } = await new FolderRecord(path, true).load()
      expect(entries.map(({ key }) => key)).toEqual(expect.arrayContaining(acknowledged))
    }
  })

  it('is read without a line that was cut off, and without what one has appended who had to stop', async () => {
    const file = join(folder, '.trawl-mirror', 'record.ndjson')
    const first = new FolderRecord(folder, false)
    await first.load()
    await first.save({ put: [{ key: 'a', digest: 'x', run: 1 }] })
    await appendFile(file, '{"put":[{"key":"cut')
    const second = new FolderRecord(folder, false)
    expect(await second.load()).toMatchObject({ entries: [{ key: 'a' }] })
    await expect(first.save({ put: [{ key: 'late', digest: 'x', run: 1 }] })).rejects.toMatchObject({
      code: 'JOB_HELD',
    })
    await expect(first.reserve(['late.md'])).rejects.toMatchObject({ code: 'JOB_HELD' })
    await second.save({ put: [{ key: 'b', digest: 'x', run: 1 }] })
    await first.close()
    await second.close()
    const { entries } = await new FolderRecord(folder, true).load()
    expect(entries.map(({ key }) => key)).toEqual(['a', 'b'])
  })
})
