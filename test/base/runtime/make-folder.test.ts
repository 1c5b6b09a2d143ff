import { existsSync } from 'node:fs'
import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFolderNow } from '../../../src/base/folder/make-folder-now.js'
import { makeFolder } from '../../../src/base/runtime/make-folder.js'

/** That of the engine, and that of the command line with its errors as rejections. */
const KINDS = [
  ['of the engine', makeFolder],
  ['of the command line', async (path: string) => makeFolderNow(path)],
] as const

describe.each(KINDS)('makeFolder %s', (_name, make) => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'make-folder-'))
  })
  afterAll(async () => rm(folder, { recursive: true }))

  it('creates a folder with its parents, and keeps one that exists', async () => {
    const path = join(folder, 'a', 'b', 'c')
    await make(path, { mode: 0o700 })
    await make(path)
    const modes = await Promise.all(
      ['a', 'a/b', 'a/b/c'].map(async (made) => (await stat(join(folder, made))).mode & 0o777),
    )
    if (make === makeFolder) expect(modes).toEqual([0o700, 0o700, 0o700])
    await make('.')
    await make('/')
  })

  it('refuses a path on a file, and one through a file', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    await expect(make(file)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'x', 'y'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    const link = join(folder, 'link')
    await symlink(join(folder, 'nowhere'), link)
    await expect(make(link)).rejects.toMatchObject({ code: 'EEXIST' })
  })

  // `mkdir` with `recursive` never returned.
  it.runIf(existsSync('/proc/self'))('ends where the file system says that an existing parent is missing', async () => {
    await expect(make('/proc/no-such-folder')).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(make('/proc/no-such-folder/a/b')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
