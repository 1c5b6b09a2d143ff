import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import type { Store } from '../../../src/base/store/store.js'
import { fileStore } from '../../../src/base/store/stores/index.js'
import { noise, storeContract } from '../../contracts/store.contract.js'

const folders: string[] = []
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const page = new TextEncoder().encode('<p>A page whose words are the same. </p>'.repeat(300))

/** Paths of all files in a sub-folder of a store. */
async function filesOf(folder: string, part: string): Promise<string[]> {
  const all = await readdir(join(folder, 'v1', part), { recursive: true, withFileTypes: true }).catch(() => [])
  return all.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
}

const sizeOf = async (folder: string): Promise<number> => {
  const files = [...(await filesOf(folder, 'entries')), ...(await filesOf(folder, 'bodies'))]
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

describe('the file store', () => {
  storeContract({
    make: async (maxBytes) => fileStore({ folder: join(await makeFolder(), 'made', 'here'), maxBytes }),
    isBounded: true,
  })

  it('keeps entries after its process, in files readable by their owner only', async () => {
    const folder = await makeFolder()
    await fileStore({ folder }).set('a', { facts: 1, bodies: { page } })
    expect(await fileStore({ folder }).get('a')).toEqual({ facts: 1, bodies: { page } })
    for (const file of [...(await filesOf(folder, 'entries')), ...(await filesOf(folder, 'bodies'))]) {
      expect((await stat(file)).mode & 0o077).toBe(0)
    }
  })

  it('stores a body once, compressed, for all entries with equal bodies', async () => {
    const folder = await makeFolder()
    const store = fileStore({ folder })
    for (let i = 0; i < 20; i++) await store.set(`k${i}`, { facts: i, bodies: { page } })
    const bodies = await filesOf(folder, 'bodies')
    expect(bodies).toEqual([expect.stringMatching(/[0-9a-f]{64}\.br$/)])
    expect((await stat(bodies[0] ?? '')).size).toBeLessThan(page.length / 10)
    await store.close()
  })

  it('stays within `maxBytes` when several stores share a folder', async () => {
    const folder = await makeFolder()
    const stores = [1, 2, 3].map(() => fileStore({ folder, maxBytes: 300_000 }))
    const fill = async (store: Store, seed: number): Promise<void> => {
      for (let i = 0; i < 40; i++)
        await store.set(`k${seed} ${i}`, { facts: i, bodies: { page: noise(9000, seed + i) } })
    }
    await Promise.all(stores.map((store, index) => fill(store, index * 1000)))
    await Promise.all(stores.map((store) => store.close()))
    expect(await sizeOf(folder)).toBeLessThanOrEqual(300_000)
    expect(await sizeOf(folder)).toBeGreaterThan(100_000)
  })

  it('evicts nothing without a limit', async () => {
    const store = fileStore({ folder: await makeFolder(), maxBytes: Infinity })
    for (let i = 0; i < 50; i++) await store.set(`k${i}`, { facts: i, bodies: { page: noise(9000, i) } })
    expect((await store.get('k0'))?.facts).toBe(0)
    await store.close()
  })

  it('treats a damaged file as missing, and stores the entry again', async () => {
    const damages: Record<string, (file: string) => Promise<void>> = {
      'cut to nothing': (file) => truncate(file, 0),
      'cut short': async (file) => truncate(file, (await stat(file)).size - 1),
      'one bit turned': async (file) => {
        const bytes = await readFile(file)
        bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 4, bytes.length >> 1)
        await writeFile(file, bytes)
      },
      'zeroed, as after a power cut': async (file) => writeFile(file, Buffer.alloc((await stat(file)).size)),
      'written by something else': (file) => writeFile(file, 'hello'),
      'with more behind it': (file) => writeFile(file, ' ', { flag: 'a' }),
      gone: (file) => rm(file),
    }
    for (const [damage, act] of Object.entries(damages)) {
      for (const part of ['entries', 'bodies']) {
        const folder = await makeFolder()
        const store = fileStore({ folder })
        const entry = { facts: { n: 1 }, bodies: { page, picture: noise(9000, 1) } }
        await store.set('a', entry)
        for (const file of await filesOf(folder, part)) await act(file)
        expect(await store.get('a'), `${part} ${damage}`).toBeUndefined()
        await store.set('a', entry)
        expect(await store.get('a'), `${part} ${damage}, stored anew`).toEqual(entry)
        await store.close()
      }
    }
  })

  it('never returns the entry of another key, even from a renamed file', async () => {
    const folder = await makeFolder()
    const store = fileStore({ folder })
    await store.set('a', { facts: 'a' })
    const [own = ''] = await filesOf(folder, 'entries')
    await store.set('b', { facts: 'b' })
    const other = (await filesOf(folder, 'entries')).find((file) => file !== own) ?? ''
    await writeFile(own, await readFile(other))
    expect(await store.get('a')).toBeUndefined()
    expect((await store.get('b'))?.facts).toBe('b')
  })

  it('deletes partial files of dead writers, and none that are being written', async () => {
    const folder = await makeFolder()
    await fileStore({ folder }).set('a', { facts: 1 })
    const parts = join(folder, 'v1', 'parts')
    await writeFile(join(parts, 'old'), 'half a page')
    await utimes(join(parts, 'old'), 1, 1)
    await writeFile(join(parts, 'new'), 'half a page')
    await writeFile(join(folder, 'v1', 'lock'), '')
    await utimes(join(folder, 'v1', 'lock'), 1, 1)
    await rm(join(folder, 'v1', 'looked'))
    const store = fileStore({ folder })
    await store.set('b', { facts: 2 })
    await store.close()
    expect(await readdir(parts)).toEqual(['new'])
    expect(await readdir(join(folder, 'v1'))).not.toContain('lock')
  })

  it.each(['lock', 'looked'])('scans the folder when a clock that was ahead has dated `%s`', async (name) => {
    const folder = await makeFolder()
    await fileStore({ folder }).set('a', { facts: 1 })
    const parts = join(folder, 'v1', 'parts')
    await writeFile(join(parts, 'old'), 'half a page')
    await utimes(join(parts, 'old'), 1, 1)
    await rm(join(folder, 'v1', 'looked'))
    await writeFile(join(folder, 'v1', name), '')
    const aheadSeconds = Date.now() / 1000 + 1_000_000
    await utimes(join(folder, 'v1', name), aheadSeconds, aheadSeconds)
    const store = fileStore({ folder })
    await store.set('b', { facts: 2 })
    await store.close()
    expect(await readdir(parts)).toEqual([])
  })

  it('is consistent when several processes write the same keys and others at once', async () => {
    const folder = await makeFolder()
    const script = `
      import { fileStore } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
      const [folder, name] = process.argv.slice(1)
      const store = fileStore({ folder })
      const page = new Uint8Array(20_000).fill(7)
      for (let i = 0; i < 30; i++) {
        await store.set('shared', { facts: name + i, bodies: { page } })
        await store.set(name + i, { facts: i, bodies: { page, own: Buffer.from(name + i) } })
        const read = await store.get('shared')
        if (read && read.bodies.page.length !== 20_000) throw new Error('not whole')
      }
      await store.close()`
    const run = (name: string): Promise<unknown> =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder, name])
    await Promise.all(['a', 'b', 'c'].map(run))
    const store = fileStore({ folder })
    for (const name of ['a', 'b', 'c']) {
      for (let i = 0; i < 30; i++) {
        const entry = await store.get(`${name}${i}`)
        expect(entry?.facts).toBe(i)
        expect(Buffer.from(entry?.bodies?.['own'] ?? []).toString()).toBe(`${name}${i}`)
      }
    }
    expect(await store.get('shared')).toBeDefined()
    expect(await filesOf(folder, 'parts')).toEqual([])
    await store.close()
  })

  it('reads a file whose time cannot be changed, as in a folder that may only be read', async () => {
    const folder = await makeFolder()
    const entry = { facts: { n: 1 }, bodies: { body: page } }
    await fileStore({ folder }).set('key', entry)
    // No file system takes such a time.
    expect(await fileStore({ folder, now: () => Infinity }).get('key')).toEqual(entry)
  })

  it('rejects when the folder cannot be created', async () => {
    const folder = join(await makeFolder(), 'file')
    await writeFile(folder, 'not a folder')
    const store = fileStore({ folder })
    await expect(store.set('a', { facts: 1 })).rejects.toThrow(/ENOTDIR|EEXIST/)
    await expect(store.get('a')).rejects.toThrow(/ENOTDIR/)
  })
})
