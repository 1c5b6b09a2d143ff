import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createEngine, defineFeature, type FeatureFormat, sqlite } from '../../../src/index.js'
import { fakeSite, hang, openWith, readAll } from './fake-site.js'

interface WordsFormat {
  type: 'words'
  /** Shortest word that is listed. Characters. */
  least?: number
}

const words: FeatureFormat<WordsFormat, { words: readonly string[] }> = {
  type: 'words',
  check: ({ least = 1 }) => (Number.isInteger(least) && least > 0 ? undefined : '`least` is a whole number from 1.'),
  produce: ({ body }, { least = 1 }) => ({
    words: (
      Buffer.from(body)
        .toString()
        .match(/\w+(?=[^>]*<)/g) ?? []
    ).filter(({ length }) => length >= least),
  }),
}

declare module '../../../src/index.js' {
  interface FeatureFormats {
    words: typeof words
  }
}

const pages = { '/': '<h1>A lamp for you</h1>', '/lamp': '<h1>Lamp</h1>' }
const own = defineFeature({ name: 'own', formats: [words] })

describe('a format of a feature', () => {
  it('fills its field, with and without options, typed', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, own])
    const plain = await engine.scrape('https://shop.test/', { formats: ['words', 'markdown'] })
    const list: readonly string[] = plain.words
    expect(list).toEqual(['A', 'lamp', 'for', 'you'])
    expect(plain.markdown).toBe('# A lamp for you')
    const long = await engine.scrape('https://shop.test/', { formats: [{ type: 'words', least: 4 }] })
    expect([long.words, long.markdown]).toEqual([['lamp'], undefined])
    const given = { url: 'https://shop.test/given', body: '<p>More words' }
    expect((await engine.parse(given, { formats: ['words'] })).words).toEqual([])
    const job = engine.crawl({ url: 'https://shop.test/', scrapeOptions: { formats: ['words'] }, sitemap: 'skip' })
    expect((await readAll(job)).map((document) => document.words)).toEqual([list])
  })

  it('runs no code for a page that does not ask for it', async () => {
    const site = fakeSite(pages)
    const dear = { name: 'dear', formats: [{ type: 'dear', produce: () => Promise.reject(new Error('no')) }] }
    await using engine = openWith([site.feature, dear])
    expect((await engine.scrape('https://shop.test/')).markdown).toBe('# A lamp for you')
  })

  it.each([
    [{ type: 'words', least: 0 }, 'formats[0]: `least` is a whole number from 1'],
    [{ type: 'words', least: () => 1 }, 'formats[0]'],
    ['wordz', 'formats[0]'],
  ])('is checked with the request: %j', async (item, message) => {
    await using engine = openWith([own])
    await expect(engine.scrape('https://shop.test/', { formats: [item as 'words'] })).rejects.toThrow(message)
  })

  it('whose options must be given says so for its name alone', async () => {
    const needy = {
      type: 'needy',
      check: ({ query }: { query?: string }) => (query === undefined ? 'needs a `query`' : undefined),
      produce: () => ({}),
    }
    await using engine = openWith([{ name: 'own', formats: [needy] }])
    await expect(engine.scrape('https://shop.test/', { formats: ['needy' as 'words'] })).rejects.toThrow(
      'formats[0]: needs a `query`',
    )
  })

  it('may ask the site for more, and adds to what steps of its feature have found', async () => {
    const site = fakeSite(pages)
    const feature = {
      name: 'own',
      asksSite: true,
      afterDigest: () => ({ found: 'a' }),
      enrich: () => 'b',
      document: (found: string) => ({ fields: { [found]: true } }),
      formats: [
        {
          type: 'more',
          produce: async (page: { fetch(url: string): Promise<object> }) => ({
            more: Object.keys(await page.fetch('https://shop.test/lamp')),
          }),
        },
      ],
    }
    await using engine = openWith([site.feature, feature])
    const document = await engine.scrape('https://shop.test/', { formats: ['more' as 'words'] })
    expect(document).toMatchObject({ a: true, b: true, more: ['file'] })
  })
})

describe('a format that fails', () => {
  const faults: readonly (readonly [string, () => unknown, string])[] = [
    ['throws', () => Promise.reject(new Error('no')), 'no'],
    ['returns a text', () => 'x', 'its `produce` returned the `fields` "x": an object'],
    ['returns the metadata', () => ({ metadata: {} }), 'its `produce` returned the field `metadata`, which trawl sets'],
    [
      'returns fields without end',
      () => ({ a: 'b'.repeat(2e7) }),
      'its `produce` returned fields of 20000008 characters',
    ],
  ]

  it.each(faults)('as it %s ends its page, or is a warning, and not the job', async (_, produce, message) => {
    for (const optional of [false, true]) {
      const site = fakeSite(pages)
      const broken = { name: 'broken', optional, formats: [{ type: 'broken', produce }] }
      await using engine = openWith([site.feature, broken])
      const job = engine.batchScrape({
        urls: ['https://shop.test/'],
        formats: ['broken' as 'words', 'markdown'],
      })
      const [document] = await readAll(job)
      const { errors } = await job.errors()
      expect(await job.status()).toMatchObject({ status: 'completed', failed: optional ? 0 : 1 })
      if (!optional) expect(errors).toMatchObject([{ code: 'FEATURE_FAILED' }])
      expect(optional ? document?.warning : errors[0]?.error).toContain(message)
    }
  })

  it('as it hangs ends its page at its time', async () => {
    const site = fakeSite(pages)
    await using engine = openWith([site.feature, { name: 'stuck', formats: [{ type: 'stuck', produce: hang }] }])
    const options = { formats: ['stuck' as 'words'], timeout: 1000 } as const
    await expect(engine.scrape('https://shop.test/', options)).rejects.toMatchObject({
      code: 'SCRAPE_TIMEOUT',
      message: expect.stringContaining('feature `stuck` had not ended') as string,
    })
  })

  it('as it cannot check its options fails the request, and as it changes them changes nothing', async () => {
    const site = fakeSite(pages)
    const check = () => {
      throw new Error('no')
    }
    const seen: unknown[] = []
    const sly = {
      type: 'sly',
      produce(_: unknown, options: { list: number[] }) {
        seen.push([...options.list])
        options.list.push(1)
        return undefined
      },
    }
    const features = [{ name: 'own', formats: [{ type: 'unsure', check, produce: () => ({}) }, sly] }]
    await using engine = openWith([site.feature, ...features])
    await expect(engine.scrape('https://shop.test/', { formats: ['unsure' as 'words'] })).rejects.toThrow(
      'formats[0]: cannot be checked: feature `own` failed: no',
    )
    const list = [0]
    await readAll(
      engine.batchScrape({
        urls: ['https://shop.test/', 'https://shop.test/lamp'],
        formats: [{ type: 'sly', list } as unknown as 'words'],
      }),
    )
    expect([seen, list, Object.isFrozen(list)]).toEqual([[[0], [0]], [0], false])
  })
})

it('a job with a format of a feature is read and resumed by an engine that has it, and by no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  const site = fakeSite(pages)
  const open = (features: readonly object[]) =>
    createEngine({ threads: 0, cache: false, ledger: sqlite(join(folder, 'jobs.db')), features: features as [] })
  const first = open([site.feature, own])
  const job = first.batchScrape({ urls: ['https://shop.test/'], formats: [{ type: 'words', least: 4 }] })
  await job.pause()
  await first.close({ drain: false })
  const without = open([site.feature])
  await expect((async () => without.resume())()).rejects.toThrow('it was started with feature `own`')
  await without.close()
  const engine = open([site.feature, own])
  const [again] = await engine.resume()
  expect((await readAll(again as never)).map((document) => document.words)).toEqual([['lamp']])
  await engine.close()
  const reader = open([site.feature])
  await expect((async () => reader.job(job.id))()).rejects.toThrow('it was started with feature `own`')
  await reader.close()
  await rm(folder, { recursive: true })
})
