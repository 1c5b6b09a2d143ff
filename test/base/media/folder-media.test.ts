import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderMedia } from '../../../src/base/folder/folder-media.js'
import type { MediaFile } from '../../../src/base/media/media.js'

it('a media folder and its files are accessible to their owner only', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'trawl-media-'))
  try {
    const folder = join(parent, 'shots')
    const file = { name: 'a.png', bytes: new Uint8Array([1]) } as MediaFile
    await folderMedia(folder)(file, new AbortController().signal)
    const modes = [folder, ...(await readdir(folder)).map((name) => join(folder, name))].map(async (path) => {
      const { mode } = await stat(path)
      return (mode & 0o777).toString(8)
    })
    // Windows has no such modes.
    expect(await Promise.all(modes)).toEqual(process.platform === 'win32' ? ['666', '666'] : ['700', '600'])
  } finally {
    await rm(parent, { recursive: true })
  }
})
