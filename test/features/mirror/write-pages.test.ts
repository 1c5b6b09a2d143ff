import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { mirrorTo, writePages } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-write-pages-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('writePages()', () => {
  it('writes the files of a mirror, and leaves error pages out', async () => {
    const { engine, start, failures, site } = await openChangingSite(on, { '/': ['/a', '/A', '/b', '/gone'] })
    failures.set('/gone', [404, 404])
    const written = await writePages(engine.crawl({ url: start }), join(folder, 'once'))
    expect(written.map(({ url }) => url).toSorted()).toEqual(['', 'A', 'a', 'b'].map((path) => start + path))
    await engine.mirror({ url: start }, mirrorTo(join(folder, 'mirror'), { llms: false })).sync()
    const at = `127.0.0.1_${site.port}`
    const names = await readdir(join(folder, 'once', at))
    expect(names.toSorted()).toHaveLength(4)
    for (const { url, file } of written) {
      const text = await readFile(join(folder, 'once', file), 'utf8')
      expect(text).toContain(`url: ${JSON.stringify(url)}\n`)
      const mirrored = await readdir(join(folder, 'mirror', at))
      const same = await Promise.all(mirrored.map((name) => readFile(join(folder, 'mirror', at, name), 'utf8')))
      expect(same).toContain(text)
    }
  })

  it('leaves files alone that are there, also a link, whose target is not written', async () => {
    const { engine, start, site } = await openChangingSite(on, { '/': ['/a', '/b'] })
    const at = join(folder, 'once', `127.0.0.1_${site.port}`)
    await mkdir(at, { recursive: true })
    await writeFile(join(at, 'a.md'), 'mine')
    await writeFile(join(folder, 'target.md'), 'mine')
    await symlink(join(folder, 'target.md'), join(at, 'b.md'))
    const written = await writePages(engine.crawl({ url: start }), join(folder, 'once'))
    expect(written).toHaveLength(3)
    expect(written.map(({ file }) => file)).not.toContain(`127.0.0.1_${site.port}/a.md`)
    expect(await readFile(join(at, 'a.md'), 'utf8')).toBe('mine')
    expect(await readFile(join(folder, 'target.md'), 'utf8')).toBe('mine')
    const texts = await Promise.all(written.map(({ file }) => readFile(join(folder, 'once', file), 'utf8')))
    expect(texts.filter((text) => text.includes('# Page /a'))).toHaveLength(1)
    expect((await readdir(at)).some((name) => name.endsWith('.partial'))).toBe(false)
  })

  it('gives the error of the loop, and of the file system, and keeps what it has written whole', async () => {
    const { engine, start } = await openChangingSite(on, { '/': ['/a'] })
    async function* cut() {
      for await (const page of engine.crawl({ url: start })) {
        yield page
        throw new Error('the loop ends')
      }
    }
    await expect(writePages(cut(), join(folder, 'once'))).rejects.toThrow('the loop ends')
    const names = await readdir(join(folder, 'once'), { recursive: true })
    expect(names.filter((name) => name.endsWith('.md'))).toHaveLength(1)
    await writeFile(join(folder, 'file'), '')
    await expect(writePages(engine.crawl({ url: start }), join(folder, 'file'))).rejects.toThrow(/EEXIST|ENOTDIR/)
  })
})
