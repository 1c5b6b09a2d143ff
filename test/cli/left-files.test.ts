import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openCsv } from '../../src/cli/output/csv-output.js'
import { openNdjson } from '../../src/cli/output/ndjson-output.js'
import { makeFolder } from './start-cli.js'

const ID = '01234567-89ab-cdef-0123-456789abcdef'
/** Number of a process that has ended. */
const { pid: ended } = spawnSync(process.execPath, ['-e', ''])

it.each([
  ['out.ndjson', openNdjson, [`out.ndjson.${ended}.${ID}.partial`]],
  ['out.csv', openCsv, [`out.csv.${ended}.${ID}.partial`, `out.csv.${ID.slice(0, 32)}.${ended}.${ID}.partial`]],
] as const)(
  'what a killed run has left of %s is deleted by the next one, and nothing else',
  async (name, open, left) => {
    await using folder = await makeFolder()
    const others = [
      `other-${name}.${ended}.${ID}.partial`,
      `${name}.${process.ppid}.${ID}.partial`,
      `${name}.${ID}.partial`,
      `${name}.${ended}.partial`,
    ]
    for (const file of [...left, ...others]) await writeFile(folder.in(file), 'text')
    // Cannot be deleted, as a file of another user.
    const folderOfOthers = `${name}.${ended}.${ID.replace('0', '1')}.partial`
    await mkdir(folder.in(folderOfOthers))
    const output = open(folder.in(name))
    await output.write({ a: 1 })
    output.close()
    expect((await readdir(folder.path)).toSorted()).toEqual([...others, folderOfOthers, name].toSorted())
    expect(await readFile(folder.in(name), 'utf8')).toContain('1')
  },
)
