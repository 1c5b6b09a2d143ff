import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openLineFile } from '../../src/cli/output/line-file.js'
import { makeFolder } from './start-cli.js'

it('has its name only when it is closed, and what was there before until then', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('lines.ndjson'), 'before')
  const lines = openLineFile(folder.in('lines.ndjson'))
  lines.add({ a: 'one\ntwo' })
  lines.add(2)
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('before')
  lines.close()
  lines.close()
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('{"a":"one\\ntwo"}\n2\n')
  expect(await readdir(folder.path)).toEqual(['lines.ndjson'])
})

it('writes through no link that somebody laid where its unfinished file was to be', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('other'), 'untouched')
  await symlink(folder.in('other'), folder.in('lines.ndjson.partial'))
  const lines = openLineFile(folder.in('lines.ndjson'))
  lines.add(1)
  lines.close()
  expect(await readFile(folder.in('other'), 'utf8')).toBe('untouched')
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('1\n')
})

it('leaves alone what was there before when it gets no line', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('lines.ndjson'), 'before')
  openLineFile(folder.in('lines.ndjson')).close()
  openLineFile(folder.in('new.ndjson')).close()
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('before')
  expect(await readdir(folder.path)).toEqual(['lines.ndjson'])
})
