import { afterEach, expect, it } from 'vitest'
import type { ChunkVectors, SearchHit, SearchIndex } from '../../../src/features/search/search-index.js'

/** A direction of the plane, by its angle. */
const at = (degrees: number): Float32Array =>
  Float32Array.of(Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180))
const SAMPLE = at(10)

/** The contract of every search index that has vectors. */
export function vectorIndexContract(make: () => SearchIndex): void {
  let made: SearchIndex[] = []
  const open = (): { index: SearchIndex; vectors: ChunkVectors } => {
    const index = make()
    made.push(index)
    if (!index.vectors) throw new Error('the index has no vectors')
    return { index, vectors: index.vectors }
  }
  afterEach(async () => {
    await Promise.all(made.map((index) => index.close()))
    made = []
  })
  const put = (index: SearchIndex, jobId: string, key: string, markdown: string): Promise<void> =>
    index.put(jobId, { key, url: `https://site.test/${key}`, state: 'read', title: `Page ${key}`, markdown })
  /** Gives each chunk of a job without a vector the one of its text. @returns the texts */
  const embed = async (vectors: ChunkVectors, jobId: string, vectorOf: (text: string) => Float32Array) => {
    const { number } = await vectors.open(SAMPLE)
    const { chunks } = await vectors.listMissing(jobId, 0)
    await vectors.put(
      number,
      chunks.map(({ chunk, text }) => ({ chunk, vector: vectorOf(text) })),
    )
    return chunks.map(({ text }) => text)
  }
  const find = async (index: SearchIndex, query: string, numbers: Float32Array, more: object = {}) => {
    const { number: space = 0 } = (await index.vectors?.find(SAMPLE)) ?? {}
    const vector = { space, numbers }
    const hits = await index.search({ query, limit: 10, filter: {}, nowMs: 1000, vector, ...more })
    return (hits ?? []).map(({ url }: SearchHit) => url.replace('https://site.test/', ''))
  }

  it('finds chunks by their vectors, and first those that have the words as well', async () => {
    const { index, vectors } = open()
    await put(index, 'job', 'a', '# Money\n\nCash is returned within two weeks.')
    await put(index, 'job', 'b', '# Parcels\n\nThey are sent on Mondays.')
    await put(index, 'job', 'c', '# Refunds\n\nSee the law.')
    expect(await embed(vectors, 'job', (text) => at(/Cash/.test(text) ? 10 : /law/.test(text) ? 20 : 90))).toEqual([
      'Page a\nMoney\n\n# Money\n\nCash is returned within two weeks.',
      'Page b\nParcels\n\n# Parcels\n\nThey are sent on Mondays.',
      'Page c\nRefunds\n\n# Refunds\n\nSee the law.',
    ])
    expect(await find(index, 'reimbursement', at(10))).toEqual(['a', 'c', 'b'])
    expect(await find(index, 'refunds', at(10))).toEqual(['c', 'a', 'b'])
    expect(await find(index, 'refunds', at(10), { limit: 1 })).toEqual(['c'])
    expect(await find(index, 'refunds', at(10), { filter: { url: 'https://site.test/b' } })).toEqual(['b'])
    expect(await index.search({ query: 'refunds', limit: 10, filter: {}, nowMs: 0 })).toHaveLength(1)
  })

  it('lists the chunks of a job that have no vector', async () => {
    const { index, vectors } = open()
    await put(index, 'one', 'a', 'apples')
    await put(index, 'two', 'b', 'pears')
    expect(await embed(vectors, 'one', () => at(0))).toHaveLength(1)
    expect((await vectors.listMissing('one', 0)).chunks).toEqual([])
    const turn = await vectors.listMissing('two', 0)
    expect(turn).toMatchObject({ chunks: [{ text: 'Page b\n\npears' }], isLast: true })
    expect((await vectors.listMissing('two', turn.after)).chunks).toEqual([])
    expect(await vectors.listMissing('none', 0)).toMatchObject({ chunks: [], isLast: true })
    const many = Array.from({ length: 300 }, (_, page) => put(index, 'many', `${page}`, 'plums'))
    await Promise.all(many)
    const first = await vectors.listMissing('many', 0)
    const second = await vectors.listMissing('many', first.after)
    expect(first.isLast).toBe(false)
    expect(new Set([...first.chunks, ...second.chunks].map(({ chunk }) => chunk)).size).toBe(300)
  })

  it('drops the vectors of chunks that are replaced, removed or expired, and shares those of unchanged pages', async () => {
    const { index, vectors } = open()
    await put(index, 'one', 'a', 'apples')
    await put(index, 'one', 'b', 'pears')
    await embed(vectors, 'one', (text) => at(/apples/.test(text) ? 0 : 90))
    await put(index, 'one', 'a', 'plums')
    // The new chunk has no vector yet.
    expect(await find(index, '', at(0))).toEqual(['b'])
    await embed(vectors, 'one', () => at(0))
    expect(await find(index, '', at(0))).toEqual(['a', 'b'])
    await index.end('one', 2000)
    await index.put('two', { key: 'b', url: 'https://site.test/b', state: 'same' })
    expect((await vectors.listMissing('two', 0)).chunks).toEqual([])
    await index.forgetExpired(2000)
    expect(await find(index, '', at(0), { nowMs: 2000 })).toEqual(['b'])
    await index.keepOnly('two', [])
    expect(await find(index, '', at(0), { nowMs: 2000 })).toEqual([])
  })

  it('tells embedders apart, and never mixes their vectors', async () => {
    const { index, vectors } = open()
    await put(index, 'job', 'a', 'apples')
    expect(await vectors.find(SAMPLE)).toBeUndefined()
    const first = await vectors.open(SAMPLE)
    expect(first.isSame).toBe(true)
    await embed(vectors, 'job', () => at(0))
    // A model gives almost the same vector again.
    expect(await vectors.open(at(10.5))).toEqual(first)
    for (const other of [at(40), Float32Array.of(1, 0, 0)]) {
      expect(await vectors.find(other)).toMatchObject({ isSame: false })
    }
    expect(await find(index, '', at(0))).toEqual(['a'])
    const second = await vectors.open(Float32Array.of(1, 0, 0))
    expect(second.isSame).toBe(false)
    const [{ chunk } = { chunk: 0 }] = (await vectors.listMissing('job', 0)).chunks
    expect(await vectors.put(first.number, [{ chunk, vector: at(0) }])).toBe(false)
    expect(await vectors.put(second.number, [{ chunk, vector: at(0) }])).toBe(false)
    expect(await vectors.put(second.number, [{ chunk, vector: Float32Array.of(1, 0, 0) }])).toBe(true)
    const vector = { space: first.number, numbers: at(0) }
    await expect(index.search({ query: '', limit: 1, filter: {}, nowMs: 0, vector })).rejects.toMatchObject({
      code: 'SEARCH_ERROR',
      message: expect.stringContaining('another `embed`'),
    })
  })

  it('ignores the vector of a chunk that is no longer there', async () => {
    const { index, vectors } = open()
    const { number } = await vectors.open(SAMPLE)
    expect(await vectors.put(number, [{ chunk: 7, vector: at(0) }])).toBe(true)
    await put(index, 'job', 'a', 'apples')
    expect(await find(index, '', at(0))).toEqual([])
  })

  it('finds the pages that a filter allows behind thousands of nearer ones', async () => {
    const { index, vectors } = open()
    const others = Array.from({ length: 1500 }, (_, page) => put(index, 'many', `other${page}`, 'word'))
    await Promise.all([...others, put(index, 'few', 'rare', 'another')])
    const { number } = await vectors.open(SAMPLE)
    for (let after = 0, isLast = false; !isLast;) {
      const turn = await vectors.listMissing('many', after)
      await vectors.put(
        number,
        turn.chunks.map(({ chunk }) => ({ chunk, vector: at(chunk / 100) })),
      )
      ;({ after, isLast } = turn)
    }
    await embed(vectors, 'few', () => at(80))
    expect(await find(index, '', at(0), { limit: 2 })).toEqual(['other0', 'other1'])
    expect(await find(index, '', at(0), { jobId: 'few' })).toEqual(['rare'])
    expect(await find(index, '', at(0), { jobId: 'few', limit: 100 })).toEqual(['rare'])
  })
}
