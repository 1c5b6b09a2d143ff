import { expect, it } from 'vitest'
import type { ProfileStore, StorageState } from '../../../src/features/browser/profiles/profile.js'

type Cookie = StorageState['cookies'][number]

export const cookie = (name: string, value: string, more: Partial<Cookie> = {}): Cookie => ({
  name,
  value,
  domain: 'site.test',
  path: '/',
  expires: -1,
  httpOnly: false,
  secure: false,
  sameSite: 'Lax',
  ...more,
})

export const state = (cookies: Record<string, string>, items: Record<string, string> = {}): StorageState => ({
  cookies: Object.entries(cookies).map(([name, value]) => cookie(name, value)),
  origins:
    Object.keys(items).length === 0
      ? []
      : [
          {
            origin: 'http://site.test',
            localStorage: Object.entries(items).map(([name, value]) => ({ name, value })),
          },
        ],
})

const valuesOf = (found: Awaited<ReturnType<ProfileStore['read']>>): Record<string, string> =>
  Object.fromEntries([
    ...(found?.cookies ?? []).map(({ name, value }) => [name, value] as const),
    ...(found?.origins ?? []).flatMap(({ localStorage }) =>
      localStorage.map(({ name, value }) => [name, value] as const),
    ),
  ])

/** The contract of every profile store. */
export function profileStoreContract(open: () => Promise<ProfileStore>): void {
  const { signal } = new AbortController()

  it('returns the profile saved under a name, and nothing under another', async () => {
    const store = await open()
    const saved = state({ a: '1' }, { k: 'v' })
    await store.save('one', saved, undefined)
    expect(await store.read('one', signal)).toEqual(saved)
    expect(await store.read('two', signal)).toBeUndefined()
    for (const name of ['One', '../one', 'o/n/e', '🐟', 'x'.repeat(128)]) {
      expect(await store.read(name, signal)).toBeUndefined()
      await store.save(name, state({ own: name }), undefined)
      expect(valuesOf(await store.read(name, signal))).toEqual({ own: name })
    }
    expect(await store.read('one', signal)).toEqual(saved)
  })

  it('keeps the changes of all pages that use a profile at once', async () => {
    const store = await open()
    const before = state({ login: 'old', theme: 'dark', gone: '1' }, { cart: '1', seen: '1' })
    await store.save('me', before, undefined)
    await Promise.all([
      store.save('me', state({ login: 'new', theme: 'dark', gone: '1' }, { cart: '2', seen: '1' }), before),
      store.save('me', state({ login: 'old', theme: 'light' }, { cart: '1', more: '1' }), before),
    ])
    expect(valuesOf(await store.read('me', signal))).toEqual({ login: 'new', theme: 'light', cart: '2', more: '1' })
  })

  it('loses no change of concurrent saves, and is consistent at any time', async () => {
    const store = await open()
    const saving = { isDone: false }
    const reading = (async () => {
      while (!saving.isDone) expect((await store.read('me', signal))?.cookies ?? []).toBeInstanceOf(Array)
    })()
    await Promise.all(Array.from({ length: 40 }, (_, n) => store.save('me', state({ [`c${n}`]: `${n}` }), undefined)))
    saving.isDone = true
    await reading
    expect(Object.keys(valuesOf(await store.read('me', signal)))).toHaveLength(40)
  })

  it('returns copies that callers may change', async () => {
    const store = await open()
    const saved = state({ a: '1' })
    await store.save('me', saved, undefined)
    saved.cookies.pop()
    ;(await store.read('me', signal))?.cookies.pop()
    expect(valuesOf(await store.read('me', signal))).toEqual({ a: '1' })
  })
}
