import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import { digest, type DigestPlan } from '../../../src/content/digest/digest.js'
import { cacheDigests } from '../../../src/content/digest/digest-cache.js'
import type { DigestPart } from '../../../src/content/digest/digest-part.js'
import { type Element, isElement, textOf, walk } from '../../../src/content/html/tree.js'
import type { Store } from '../../../src/base/store/store.js'
import { memoryStore } from '../../../src/base/store/stores/index.js'
import { countTurns } from '../../base/concurrency/count-turns.js'
import { fetchedPage } from '../../contracts/cache.contract.js'
import { digestPlan } from './plans.js'

const { signal } = new AbortController()
const root = new URL('../../', import.meta.url)
const pages = ['fixtures', 'site/docs'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => `${folder}/${name}`),
)
const pageOf = (name: string) =>
  fetchedPage({ url: `http://site.test/${name}`, body: readFileSync(new URL(name, root)) })

/** A part that leaves out the paragraphs with one of the words that other pages have taught. */
const wordPart = (version: number): DigestPart<{ readonly word: string }, string, string> => ({
  feature: 'words',
  version,
  find({ tree }, learnt) {
    const blocks: { readonly element: Element; readonly reason: string }[] = []
    walk(tree.root, (node) => {
      const found = isElement(node) && node.name === 'p' && learnt.find(({ word }) => textOf(node).includes(word))
      if (found) blocks.push({ element: node, reason: found.word })
      return !found
    })
    return { tells: textOf(tree.root), blocks }
  },
  pick: (tells = '', learnt) =>
    learnt
      .filter(({ word }) => tells.includes(word))
      .map(({ word }) => word)
      .join(),
  areSame: (one, other) => one === other,
  restate: (blocks) => blocks,
})

/** What makes digests, and how often it was asked; a store, where they are kept. */
function open(store: Store = memoryStore(), part = wordPart(1)) {
  const parts = [part]
  const make = vi.fn(async (page: Parameters<typeof digest>[0], plan: DigestPlan) => digest(page, plan, { parts }))
  const code = { tasks: async () => ({}), parts: async () => parts }
  return { make, kept: cacheDigests(make, store, code), store }
}

describe('a cached digest', () => {
  it('equals a new digest, for every page and kind of plan', async () => {
    const { kept, make } = open()
    const plans: DigestPlan[] = [
      { ...digestPlan(), fingerprint: true, drop: { feature: 'words', learnt: [] } },
      digestPlan({
        onlyMainContent: false,
        formats: [
          { type: 'markdown', references: true } as never,
          { type: 'html' },
          { type: 'links' },
          { type: 'images' },
        ],
      }),
      { ...digestPlan(), extract: { ...digestPlan().extract, trace: true } },
    ]
    expect(pages.length).toBeGreaterThan(20)
    for (const name of pages) {
      for (const plan of plans) {
        const page = pageOf(name)
        const [first, second] = [await kept(page, plan, signal), await kept(page, plan, signal)]
        expect(second, name).toEqual(first)
        expect(second, name).toEqual(digest(page, plan, { parts: [wordPart(1)] }))
      }
    }
    const large = pages.filter((name) => pageOf(name).body.byteLength >= 4096)
    const small = pages.length - large.length
    expect(make.mock.calls.length).toBeLessThanOrEqual(plans.length * (large.length + small * 3))
    expect(make.mock.calls.length).toBeGreaterThanOrEqual(plans.length * large.length)
  })

  it('is not used for other bytes, another URL, type or options', async () => {
    const { kept, make } = open()
    const page = pageOf('site/docs/guides/deploy.html')
    await kept(page, digestPlan(), signal)
    await kept(page, digestPlan(), signal)
    expect(make).toHaveBeenCalledTimes(1)
    await kept({ ...page, body: Buffer.concat([page.body, Buffer.from(' ')]) }, digestPlan(), signal)
    await kept({ ...page, url: 'http://site.test/b/' }, digestPlan(), signal)
    await kept({ ...page, contentType: 'text/html; charset=latin1' }, digestPlan(), signal)
    await kept(page, digestPlan({ excludeTags: ['p'] }), signal)
    await kept(page, { ...digestPlan(), fingerprint: true }, signal)
    expect(make).toHaveBeenCalledTimes(6)
  })

  it('depends on what counts for the page of what was learnt, and on the version of the part that leaves it out', async () => {
    const { kept, make, store } = open()
    const page = pageOf('site/docs/guides/deploy.html')
    const planOf = (...words: string[]): DigestPlan => ({
      ...digestPlan(),
      drop: { feature: 'words', learnt: words.map((word) => ({ word })) },
    })
    const plans = [planOf(), planOf('nowhere at all'), planOf('the'), planOf('nowhere at all', 'the')]
    const texts: (string | undefined)[] = []
    for (const plan of [...plans, ...plans]) texts.push((await kept(page, plan, signal)).fields.markdown)
    expect(make).toHaveBeenCalledTimes(2)
    expect(new Set(texts).size).toBe(2)
    expect(texts[3]).toBe(texts[2])
    const later = open(store, wordPart(2))
    await later.kept(page, planOf(), signal)
    expect(later.make).toHaveBeenCalledTimes(1)
  })

  it('is not stored if it has a warning, which may be about a timeout', async () => {
    const { kept, make } = open()
    make.mockImplementation(async (page, plan) => ({ ...digest(page, plan), warnings: ['It took too long.'] }))
    const page = pageOf('site/docs/guides/deploy.html')
    await kept(page, digestPlan(), signal)
    await kept(page, digestPlan(), signal)
    expect(make).toHaveBeenCalledTimes(2)
  })

  it('is replaced by a new one if the store fails, and waits for the store only until the signal aborts', async () => {
    const fail = (): Promise<never> => Promise.reject(new Error('disk on fire'))
    const { kept } = open({ ...memoryStore(), get: fail, set: fail })
    const page = pageOf('site/docs/guides/deploy.html')
    expect(await kept(page, digestPlan(), signal)).toEqual(digest(page, digestPlan()))
    const hanging = open({ ...memoryStore(), get: () => new Promise(() => undefined) })
    const late = AbortSignal.timeout(50)
    await expect(hanging.kept(page, digestPlan(), late)).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('is found for a page of any size without holding the event loop, and not for a page that differs at its end', async () => {
    const { kept, make } = open()
    const small = pageOf('site/docs/guides/deploy.html')
    make.mockImplementation(async (_, plan) => digest(small, plan))
    const large = (last: number) => ({ ...small, body: new Uint8Array(16 * 2 ** 20).fill(last, -1) })
    await kept(large(1), digestPlan(), signal)
    const { turns } = await countTurns(() => kept(large(1), digestPlan(), signal))
    expect(turns).toBeGreaterThan(5)
    expect(make).toHaveBeenCalledTimes(1)
    await kept(large(2), digestPlan(), signal)
    expect(make).toHaveBeenCalledTimes(2)
  })
})
