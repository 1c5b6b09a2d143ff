import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openLineFile } from '../../src/cli/output/line-file.js'
import { makeFolder } from './start-cli.js'

it('a line file gets its name when it is closed, and keeps the previous file until then', async () => {
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

it('a line file does not follow a link at its temporary name', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('other'), 'untouched')
  await symlink(folder.in('other'), folder.in('lines.ndjson.partial'))
  const lines = openLineFile(folder.in('lines.ndjson'))
  lines.add(1)
  lines.close()
  expect(await readFile(folder.in('other'), 'utf8')).toBe('untouched')
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('1\n')
})

it('a line file without lines keeps the previous file', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('lines.ndjson'), 'before')
  openLineFile(folder.in('lines.ndjson')).close()
  openLineFile(folder.in('new.ndjson')).close()
  expect(await readFile(folder.in('lines.ndjson'), 'utf8')).toBe('before')
  expect(await readdir(folder.path)).toEqual(['lines.ndjson'])
})
