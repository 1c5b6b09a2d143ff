import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createEngine, mirrorTo } from '../../../src/index.js'
import { openChangingSite, useChangingSite } from '../../site/changing-site.js'
import { SETTINGS } from './mirror-histories.js'

const on = useChangingSite()
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-kill-pictures-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const LIB = new URL('../../../dist/index.js', import.meta.url).href

/** Mirrors in a process that is killed before one of its changes of the file system. @returns false if there were fewer */
async function syncAndDie(out: string, url: string, at: number): Promise<boolean> {
  const script = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    let left = ${at}
    const dying = (act) => function (...args) {
      if ((left -= 1) < 0) process.kill(process.pid, 'SIGKILL')
      return act.apply(this, args)
    }
    for (const name of ['rename', 'rm', 'rmdir']) fs.promises[name] = dying(fs.promises[name])
    const open = fs.promises.open
    fs.promises.open = async (...args) => {
      const file = await open(...args)
      file.appendFile = dying(file.appendFile)
      return file
    }
    syncBuiltinESMExports()
    const lib = await import(${JSON.stringify(LIB)})
    const engine = lib.createEngine(${JSON.stringify(SETTINGS)})
    const target = lib.mirrorTo(${JSON.stringify(out)}, { assets: true })
    await engine.mirror({ url: ${JSON.stringify(url)}, sitemap: 'skip' }, target, { maxRemoved: 1 }).sync()
    await engine.close()`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  expect(code ?? 0).toBe(0)
  return signal === 'SIGKILL'
}

async function sync(out: string, url: string): Promise<void> {
  await using engine = createEngine(SETTINGS)
  const mirror = engine.mirror({ url, sitemap: 'skip' }, mirrorTo(out, { assets: true }), { maxRemoved: 1 })
  await mirror.sync()
  expect(await mirror.verify()).toMatchObject({ ok: true })
}

async function readAll(path: string): Promise<Record<string, string>> {
  const found = await readdir(path, { recursive: true, withFileTypes: true })
  const names = found
    .filter((entry) => !entry.parentPath.includes('.trawl-mirror') && entry.name !== '.trawl-mirror')
    .map((entry) => join(entry.parentPath, entry.isFile() ? entry.name : `${entry.name}/`))
    .toSorted()
  return Object.fromEntries(
    await Promise.all(
      names.map(async (name) => [name.slice(path.length), name.endsWith('/') ? '' : await readFile(name, 'latin1')]),
    ),
  ) as Record<string, string>
}

it('pictures are as in a new mirror after a process was killed before any change that it makes of the folder', async () => {
  const { pages, files, start } = await openChangingSite(on, { '/': ['/a', '/b', '/c'] })
  const show = (path: string, ...pictures: string[]): void =>
    void pages.set(path, {
      links: [],
      text: pictures.map((name) => `<img src="/${name}.png" alt="${name}" width="300">`).join(' '),
    })
  const draw = (name: string, text: string): void =>
    void files.set(`/${name}.png`, Buffer.from(`\x89PNG\r\n\x1a\n${text}`, 'latin1'))
  draw('one', '1')
  draw('two', '2')
  draw('gone', '3')
  show('/a', 'one', 'two')
  show('/b', 'one')
  show('/c', 'gone')
  const before = join(folder, 'before')
  await sync(before, start)
  // One picture has other bytes, which a page sees that has changed; one goes with its page, one moves, one is new.
  draw('one', '1, drawn anew')
  draw('new', '4')
  show('/a', 'one', 'new')
  show('/d', 'two')
  pages.delete('/c')
  pages.set('/', { links: ['/a', '/b', '/d'] })
  const fresh = join(folder, 'fresh')
  await sync(fresh, start)
  const expected = await readAll(fresh)
  let deaths = 0
  for (let died = true; died;) {
    const out = join(folder, 'out')
    await cp(before, out, { recursive: true, preserveTimestamps: true })
    died = await syncAndDie(out, start, deaths)
    await sync(out, start)
    expect(await readAll(out), `killed before change ${deaths}`).toEqual(expected)
    await rm(out, { recursive: true })
    if (died) deaths += 1
  }
  expect(deaths).toBeGreaterThan(25)
}, 240_000)
