import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { ChangeFinder, type MirrorStep, type ReadJob } from '../../../src/features/mirror/find-changes.js'
import { memoryRecord } from '../../../src/features/mirror/open-records.js'
import { MirrorState } from '../../../src/features/mirror/mirror-state.js'
import type { Document, MirrorTarget } from '../../../src/index.js'
import { linkToPassage } from '../../../src/content/convert/passage/passage-link.js'

/** A target under test. */
export interface TargetMaker {
  /** Makes the target of a place; the same one for the same place. */
  make(place: string): Promise<MirrorTarget> | MirrorTarget
  /** Reads what a target has, by its own names. */
  read(place: string): Promise<Readonly<Record<string, string>>>
}

const START = 'https://site.test/'

/** The documents of a crawl: texts by path. `→ /path` is a page that redirects there. */
function crawlOf(texts: Readonly<Record<string, string>>): ReadJob {
  const documents = Object.entries(texts).map(([path, text]): Document => {
    const [, source, target = path] = /^(\S+) → (\S+)$/.exec(path) ?? []
    const url = new URL(target, START).href
    const markdown = `# ${text}\n\n${`The text of ${text}. `.repeat(20)}`
    return {
      markdown,
      chunks: [{ path: [text], markdown, tokens: 100, link: linkToPassage(url, markdown) }],
      metadata: {
        url,
        sourceURL: new URL(source ?? target, START).href,
        statusCode: 200,
        title: text,
        scrapeId: '',
        proxyUsed: 'basic',
        creditsUsed: 1,
      },
    }
  })
  return {
    request: {},
    finished: async () => ({ status: 'completed', failed: 0, skippedByReason: {} }),
    async *[Symbol.asyncIterator]() {
      yield* documents
    },
  }
}

/** The contract of every target of mirrors. */
export function mirrorTargetContract({ make, read }: TargetMaker): void {
  const records = new Map<string, ReturnType<typeof memoryRecord>>()
  let places = 0
  const newPlace = (): string => `place${(places += 1)}`

  /** Mirrors a crawl. @param stopsAt number of the change at which the process dies, before it is written */
  async function sync(place: string, texts: Readonly<Record<string, string>>, stopsAt = Infinity): Promise<string[]> {
    const target = await make(place)
    const openRecord = async (name: string) => {
      const record = records.get(`${place} ${name}`) ?? memoryRecord()
      records.set(`${place} ${name}`, record)
      return record
    }
    const opened = await target.open({ openRecord })
    const changes: string[] = []
    try {
      const state = await MirrorState.load(opened.record)
      await state.begin('job')
      const describe = () => ({ jobId: 'job', asked: 'asked', previous: null })
      const unit = target.unit ?? 'page'
      const finder = new ChangeFinder(crawlOf(texts), state, { unit, maxRemoved: 1, now: () => 0, describe })
      for await (const step of finder.steps() as AsyncGenerator<MirrorStep>) {
        if (changes.length >= stopsAt) return changes
        changes.push(step.change.op)
        step.saved = await opened.write(step)
      }
      await opened.settle?.(state, START)
      expect((await opened.check?.(state.entries())) ?? []).toEqual([])
      return changes
    } finally {
      await opened.close?.()
    }
  }

  it('has what is put, changed, moved and deleted, as a new target has it', async () => {
    const place = newPlace()
    expect(await sync(place, { '/': 'Start', '/a': 'A', '/b': 'B', '/c': 'C' })).toEqual(['put', 'put', 'put', 'put'])
    const later = { '/': 'Start', '/a': 'Another A', '/b → /moved': 'B', '/d': 'C', '/e': 'E' }
    expect((await sync(place, later)).toSorted().at(-1)).toBe('put')
    const fresh = newPlace()
    await sync(fresh, later)
    expect(await read(place)).toEqual(await read(fresh))
  })

  it('is given nothing when nothing has changed', async () => {
    const place = newPlace()
    await sync(place, { '/': 'Start', '/a': 'A' })
    const before = await read(place)
    expect(await sync(place, { '/': 'Start', '/a': 'A' })).toEqual([])
    expect(await read(place)).toEqual(before)
  })

  it.each([0, 1, 2, 3, 4, 5])('is whole again after a run that ended at change %d', async (stopsAt) => {
    const place = newPlace()
    await sync(place, { '/': 'Start', '/a': 'A', '/b': 'B', '/c': 'C' })
    const later = { '/': 'New start', '/a': 'A', '/b → /moved': 'B', '/d': 'C', '/e': 'E' }
    await sync(place, later, stopsAt)
    await sync(place, later)
    const fresh = newPlace()
    await sync(fresh, later)
    expect(await read(place)).toEqual(await read(fresh))
  })

  it('keeps pages apart whose URLs differ in case, query, extension, Unicode form or length', async () => {
    const paths = [
      '/a',
      '/A',
      '/a.html',
      '/a?x=1',
      '/a?x=2',
      '/con',
      '/aux.txt',
      '/caf%C3%A9',
      '/cafe%CC%81',
      `/${'x'.repeat(300)}`,
    ]
    const texts = Object.fromEntries([...paths, `/${'x'.repeat(301)}`].map((path, at) => [path, `Page ${at}`]))
    const place = newPlace()
    await sync(place, texts)
    const stored = Object.values(await read(place)).join('\n')
    for (const text of Object.values(texts)) expect(stored).toContain(`The text of ${text}.`)
    // Named after the set alone: without some of them, the others have the names that they would have had.
    const fewer = Object.fromEntries(Object.entries(texts).slice(1))
    await sync(place, fewer)
    const fresh = newPlace()
    await sync(fresh, fewer)
    expect(await read(place)).toEqual(await read(fresh))
  })

  it('keeps what databases do not take as it is: long URLs, U+0000 and halves of surrogate pairs', async () => {
    // So that no compression helps.
    const noise = Array.from({ length: 100 }, (_, at) => createHash('sha256').update(`${at}`).digest('hex')).join('')
    const texts = { [`/${noise}1`]: 'One\0\uD800 end', [`/${noise}2`]: 'Two\uDC00\0' }
    const place = newPlace()
    expect(await sync(place, texts)).toEqual(['put', 'put'])
    expect(await sync(place, texts)).toEqual([])
    expect(Object.keys(await read(place)).length).toBeGreaterThanOrEqual(2)
    expect(await sync(place, { '/': 'Start' })).toEqual(['put', 'delete', 'delete'])
    const fresh = newPlace()
    await sync(fresh, { '/': 'Start' })
    expect(await read(place)).toEqual(await read(fresh))
  })
}
