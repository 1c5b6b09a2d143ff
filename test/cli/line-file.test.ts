import { chmod, lchown, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openCsv } from '../../src/cli/output/csv-output.js'
import { openLineFile } from '../../src/base/folder/line-file.js'
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

it('a line file that is left keeps its lines, under a name that is of no process', async () => {
  await using folder = await makeFolder()
  const lines = openLineFile(folder.in('lines.ndjson'))
  lines.add(1)
  lines.leave()
  const [name = '', ...others] = await readdir(folder.path)
  expect(others).toEqual([])
  expect(name).toMatch(/^lines\.ndjson\.[\da-f-]{36}\.partial$/)
  expect(await readFile(folder.in(name), 'utf8')).toBe('1\n')
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

it.runIf(process.platform !== 'win32')('a line file keeps the permissions of the file that it replaces', async () => {
  await using folder = await makeFolder()
  const path = folder.in('lines.ndjson')
  await writeFile(path, 'before')
  for (const mode of [0o600, 0o666]) {
    await chmod(path, mode)
    const lines = openLineFile(path)
    lines.add(1)
    lines.close()
    expect((await stat(path)).mode & 0o777).toBe(mode)
  }
})

it('a line file is written to the target of a link, which may not exist yet', async () => {
  await using folder = await makeFolder()
  await mkdir(folder.in('data'))
  const path = folder.in('lines.ndjson')
  await symlink('data/real.ndjson', path)
  for (const value of [1, 2]) {
    const lines = openLineFile(path)
    lines.add(value)
    lines.close()
    expect(await readFile(folder.in('data/real.ndjson'), 'utf8')).toBe(`${value}\n`)
  }
  expect(await readlink(path)).toBe('data/real.ndjson')
  expect(await readdir(folder.in('data'))).toEqual(['real.ndjson'])
})

it.runIf(process.getuid?.() === 0)('a line file does not follow a link that another user has prepared', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('real.ndjson'), 'untouched')
  await symlink('real.ndjson', folder.in('lines.ndjson'))
  await lchown(folder.in('lines.ndjson'), 65_534, 65_534)
  expect(() => openLineFile(folder.in('lines.ndjson'))).toThrow(
    /is a link to a file of another user: name .*real\.ndjson/,
  )
  expect(await readdir(folder.path)).toEqual(['lines.ndjson', 'real.ndjson'])
})

it.runIf(process.platform !== 'win32')('a line file does not replace a device', async () => {
  await using folder = await makeFolder()
  await symlink('/dev/null', folder.in('lines.ndjson'))
  expect(() => openLineFile(folder.in('lines.ndjson'))).toThrow(/is not a file that can be replaced/)
})

it('a file can have the longest name that file systems take', async () => {
  await using folder = await makeFolder()
  const [lines, rows] = [`${'l'.repeat(248)}.ndjson`, `${'r'.repeat(251)}.csv`]
  const [lineFile, csv] = [openLineFile(folder.in(lines)), openCsv(folder.in(rows))]
  lineFile.add(1)
  await csv.write({ name: 'a' })
  lineFile.close()
  csv.close()
  expect(await readdir(folder.path)).toEqual([lines, rows])
})
