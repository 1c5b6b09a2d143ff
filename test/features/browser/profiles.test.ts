import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { mergeProfile } from '../../../src/features/browser/profiles/merge-profile.js'
import { folderProfiles } from '../../../src/features/browser/profiles/folder-profiles.js'
import { openProfile } from '../../../src/features/browser/profiles/open-profile.js'
import { memoryProfiles } from '../../../src/features/browser/profiles/memory-profiles.js'
import { storeProfiles } from '../../../src/features/browser/profiles/store-profiles.js'
import { memoryStore } from '../../../src/base/store/stores/index.js'
import { cookie, profileStoreContract, state } from './profile-store.contract.js'

const folders: string[] = []
async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  folders.push(folder)
  return folder
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))))

const { signal } = new AbortController()

describe('memoryProfiles', () => profileStoreContract(async () => memoryProfiles()))

describe('storeProfiles', () => {
  profileStoreContract(async () => storeProfiles(memoryStore()))

  it('fails for an entry of something else', async () => {
    const store = memoryStore()
    await store.set('profile me', { facts: 'other' })
    await expect(storeProfiles(store).read('me', signal)).rejects.toMatchObject({ code: 'SCRAPE_PROFILE_ERROR' })
    for (const other of ['[]', '{"cookies":{}}', '{"cookies":[{}]}', '{"origins":[{"origin":1}]}', '3']) {
      await store.set('profile me', { facts: null, bodies: { state: new TextEncoder().encode(other) } })
      const profiles = storeProfiles(store)
      await expect(profiles.read('me', signal)).rejects.toMatchObject({ code: 'SCRAPE_PROFILE_ERROR' })
      await expect(profiles.save('me', state({ a: '1' }), undefined)).rejects.toMatchObject({
        code: 'SCRAPE_PROFILE_ERROR',
      })
      const own = { read: async () => JSON.parse(other), save: async () => undefined }
      await expect(openProfile({ name: 'me', saveChanges: true }, own, 0, signal)).rejects.toMatchObject({
        code: 'SCRAPE_PROFILE_ERROR',
      })
    }
    const unreachable = { ...store, get: () => Promise.reject(new Error('no connection')) }
    await expect(storeProfiles(unreachable).read('me', signal)).rejects.toMatchObject({
      code: 'SCRAPE_PROFILE_ERROR',
      message: 'The profile `me` cannot be read: no connection',
    })
  })
})

describe('the lease of who logs in, in a store that machines share', () => {
  const stores = {
    'with `update`': memoryStore,
    'without `update`': () => ({ ...memoryStore(), update: undefined }),
  }

  it.each(Object.entries(stores))('is kept from a machine whose clock is ahead, %s', async (_, open) => {
    const store = open()
    const unlock = await storeProfiles(store).lock?.('team', signal)
    const now = vi.spyOn(Date, 'now').mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000)
    try {
      const second = storeProfiles(store).lock?.('team', AbortSignal.timeout(1500))
      await expect(second).rejects.toBeInstanceOf(Error)
    } finally {
      now.mockRestore()
    }
    await unlock?.()
    const third = await storeProfiles(store).lock?.('team', AbortSignal.timeout(10_000))
    await third?.()
  })

  it('lasts as long as its owner lives, however long a login takes, and ends with a dead one', async () => {
    const store = memoryStore()
    const unlock = await storeProfiles(store).lock?.('alive', signal)
    await store.set('login of profile dead', { facts: { owner: 'a dead machine', beat: '1' } })
    const other = storeProfiles(store)
    const [alive, dead] = await Promise.allSettled([
      other.lock?.('alive', AbortSignal.timeout(20_000)),
      other.lock?.('dead', AbortSignal.timeout(60_000)),
    ])
    expect([alive?.status, dead?.status]).toEqual(['rejected', 'fulfilled'])
    await unlock?.()
    if (dead?.status === 'fulfilled') await dead.value?.()
  })
})

describe('folderProfiles', () => {
  profileStoreContract(async () => folderProfiles(join(await makeFolder(), 'made', 'here')))

  it('keeps profiles after its process, in files readable by their owner only', async () => {
    const folder = await makeFolder()
    await folderProfiles(folder).save('../my shop', state({ a: '1' }), undefined)
    expect(await folderProfiles(folder).read('../my shop', signal)).toEqual(state({ a: '1' }))
    const files = await readdir(folder)
    expect(files).toEqual([expect.stringMatching(/^_\._my_shop-[0-9a-f]{16}\.json$|^_+my_shop-[0-9a-f]{16}\.json$/)])
    expect((await stat(join(folder, files[0] ?? ''))).mode & 0o077).toBe(0)
  })

  it('is consistent when several stores and processes save at once', async () => {
    const folder = await makeFolder()
    const script = `
      import { folderProfiles } from ${JSON.stringify(fileURLToPath(new URL('../../../dist/index.js', import.meta.url)))}
      const store = folderProfiles(process.argv[1])
      const cookie = (name) => ({ name, value: 'v', domain: 'd.test', path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' })
      await Promise.all([0, 1, 2, 3, 4].map((n) => store.save('me', { cookies: [cookie(process.argv[2] + n)], origins: [] }, undefined)))`
    const run = (name: string): Promise<unknown> =>
      promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder, name])
    const store = folderProfiles(folder)
    await Promise.all([run('a'), run('b'), run('c'), store.save('me', state({ own: '1' }), undefined)])
    expect((await store.read('me', signal))?.cookies).toHaveLength(16)
    expect(await readdir(folder)).toHaveLength(1)
  })

  it('removes the lock of a dead process', async () => {
    const folder = await makeFolder()
    const store = folderProfiles(folder)
    await store.save('me', state({ a: '1' }), undefined)
    const [file = ''] = await readdir(folder)
    const lock = join(folder, `${file}.lock`)
    await writeFile(lock, '')
    await utimes(lock, 0, 0)
    await store.save('me', state({ b: '2' }), undefined)
    expect((await store.read('me', signal))?.cookies).toHaveLength(2)
  })

  it('names the profile whose file is damaged', async () => {
    const folder = await makeFolder()
    const store = folderProfiles(folder)
    await store.save('me', state({ a: '1' }), undefined)
    const [file = ''] = await readdir(folder)
    await writeFile(join(folder, file), '{"cookies": [')
    await expect(store.read('me', signal)).rejects.toMatchObject({
      code: 'SCRAPE_PROFILE_ERROR',
      message: expect.stringMatching(/^The profile `me` cannot be read: /),
    })
  })
})

describe('merging profiles', () => {
  it("ignores the decimals of a cookie's expiry", () => {
    const stored = { cookies: [cookie('a', 'new', { expires: 2e9 })], origins: [] }
    const before = { cookies: [cookie('a', 'old', { expires: 2e9 })], origins: [] }
    const after = { cookies: [cookie('a', 'old', { expires: 2e9 + 0.0001 })], origins: [] }
    expect(mergeProfile(stored, before, after).cookies[0]?.value).toBe('new')
  })

  it('merges databases whole', () => {
    const withDatabase = (name: string) => ({
      cookies: [],
      origins: [{ origin: 'http://site.test', localStorage: [], indexedDB: [{ name }] }],
    })
    expect(mergeProfile(withDatabase('b'), withDatabase('a'), withDatabase('a'))).toEqual(withDatabase('b'))
    expect(mergeProfile(withDatabase('b'), withDatabase('a'), withDatabase('c'))).toEqual(withDatabase('c'))
    expect(mergeProfile(withDatabase('a'), withDatabase('a'), state({}))).toEqual(state({}))
  })
})
