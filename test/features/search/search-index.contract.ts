import { afterEach, expect, it } from 'vitest'
import type { PageToIndex, SearchHit, SearchIndex } from '../../../src/features/search/search-index.js'

/** A page with one heading and one paragraph. */
const page = (key: string, text: string, facts: Partial<PageToIndex> = {}): PageToIndex => ({
  key,
  url: `https://site.test/${key}`,
  state: 'read',
  title: `Page ${key}`,
  markdown: `# About ${key}\n\n${text}`,
  ...facts,
})

/** The contract of every search index. */
export function searchIndexContract(make: () => SearchIndex): void {
  let made: SearchIndex[] = []
  const open = (): SearchIndex => {
    const index = make()
    made.push(index)
    return index
  }
  afterEach(async () => {
    await Promise.all(made.map((index) => index.close()))
    made = []
  })
  const find = async (index: SearchIndex, query: string, more: object = {}): Promise<readonly SearchHit[]> =>
    (await index.search({ query, limit: 10, filter: {}, nowMs: 1000, ...more })) ?? []
  const urls = (hits: readonly SearchHit[]): string[] => hits.map(({ url }) => url.replace('https://site.test/', ''))

  it('finds a chunk by its words, with heading path, link, title, date and job', async () => {
    const index = open()
    await index.begin('job')
    await index.put('job', page('a', 'Refunds are paid within 14 days.', { date: '2026-03-01', language: 'en-GB' }))
    await index.put('job', page('b', 'Parcels are sent on Mondays.'))
    expect(await find(index, 'when are refunds paid?')).toEqual([
      {
        url: 'https://site.test/a',
        title: 'Page a',
        path: ['About a'],
        text: '# About a\n\nRefunds are paid within 14 days.',
        link: 'https://site.test/a#:~:text=Refunds%20are%20paid%20within%2014%20days.',
        score: 1,
        date: '2026-03-01',
        language: 'en-GB',
        jobId: 'job',
      },
      expect.objectContaining({ url: 'https://site.test/b' }),
    ])
  })

  it('scores hits by shares of the best one, however small the index is', async () => {
    const index = open()
    await index.begin('job')
    await index.put('job', page('a', 'Refunds are paid. A refund takes 14 days.'))
    await index.put(
      'job',
      page('b', 'Parcels are sent on Mondays, and seldom refunds of those that nobody wants to have.'),
    )
    const scores = (await find(index, 'refunds')).map(({ score }) => score)
    expect(scores[0]).toBe(1)
    expect(scores.length).toBe(2)
    expect(scores[1]).toBeGreaterThan(0.05)
    expect(scores[1]).toBeLessThan(1)
  })

  it('links to the place in a chunk that has the rarest words of the query', async () => {
    const index = open()
    const filler = 'The parcels are sent when they are ready, and the page says more of it. '
    await index.put('job', page('other', filler))
    await index.put(
      'job',
      page('long', `${filler.repeat(12)}Nobody pays royalties for the source. ${filler.repeat(3)}`),
    )
    const [first] = await find(index, 'are the royalties of parcels paid?')
    expect(first?.link).toMatch(/#:~:text=(?:Nobody%20)?pays%20royalties%20for%20the%20source\./)
  })

  it('folds case, accents, English endings, compound names and the beginnings of rare words', async () => {
    const index = open()
    await index.put('job', page('cafe', 'Das CAFÉ öffnet früh. Straße.'))
    await index.put('job', page('versicherung', 'Eine Versicherung kostet Geld.'))
    await index.put('job', page('config', 'Set `shared_buffers` or use the HashMap of configured hosts.'))
    expect(urls(await find(index, 'Cafe OFFNET strasse'))).toEqual(['cafe'])
    expect(urls(await find(index, 'Versicherungen'))).toEqual(['versicherung'])
    expect(urls(await find(index, 'buffers'))).toEqual(['config'])
    expect(urls(await find(index, 'hash'))).toEqual(['config'])
    expect(urls(await find(index, 'configuring'))).toEqual(['config'])
  })

  it('finds Chinese, Japanese, Korean and Thai by parts of a sentence', async () => {
    const index = open()
    await index.put('job', page('zh', '年度订阅可以在十四天内申请退款。'))
    await index.put('job', page('ja', '返金は十四日以内に行われます。'))
    await index.put('job', page('ko', '환불은 14일 이내에 처리됩니다.'))
    await index.put('job', page('th', 'คืนเงินภายในสิบสี่วัน'))
    expect(urls(await find(index, '退款'))).toEqual(['zh'])
    expect(urls(await find(index, '返金'))).toEqual(['ja'])
    expect(urls(await find(index, '환불'))).toEqual(['ko'])
    expect(urls(await find(index, 'คืนเงิน'))).toEqual(['th'])
    expect(urls(await find(index, '款'))).toEqual(['zh'])
  })

  it('reads nothing of a query as syntax', async () => {
    const index = open()
    await index.put('job', page('a', 'plain words NEAR each other'))
    for (const query of [
      '"',
      '""',
      `'; DROP TABLE chunks; --`,
      'body:plain',
      '{title body}: plain',
      'plain NOT words',
      'NEAR(plain words, 5)',
      '^plain',
      'plain*',
      '(plain',
      'plain)',
      'plain AND',
      '- + : * ^ ( ) { }',
      '\0plain\0',
      '\ud800plain',
      'plain '.repeat(20_000),
      '',
    ])
      expect(urls(await find(index, query))).toEqual(/plain/.test(query) ? ['a'] : [])
    expect(await index.keys('job')).toEqual(['a'])
  })

  it('filters by URL, language, date and job', async () => {
    const index = open()
    await index.put('one', page('docs/a', 'word', { language: 'en-US', date: '2026-01-05T10:00:00Z' }))
    await index.put('one', page('blog/b', 'word', { language: 'de', date: '2025-06-01' }))
    await index.put('two', page('docs/c', 'word'))
    const filtered = async (filter: object): Promise<string[]> => urls(await find(index, 'word', { filter })).toSorted()
    expect(await filtered({ url: 'https://site.test/docs/' })).toEqual(['docs/a', 'docs/c'])
    expect(await filtered({ language: 'EN' })).toEqual(['docs/a'])
    expect(await filtered({ after: '2026-01-01' })).toEqual(['docs/a'])
    expect(await filtered({ before: '2026-01-01' })).toEqual(['blog/b'])
    expect(urls(await find(index, 'word', { jobId: 'two' }))).toEqual(['docs/c'])
    expect(await index.search({ query: 'word', limit: 1, filter: {}, jobId: 'none', nowMs: 0 })).toBeUndefined()
    expect(await find(index, 'word', { limit: 2 })).toHaveLength(2)
    expect(await find(index, 'word', { limit: 0 })).toEqual([])
  })

  it('finds the pages that a filter allows behind thousands of better ones', async () => {
    const index = open()
    const others = Array.from({ length: 400 }, (_, at) => index.put('many', page(`other${at}`, 'word word word')))
    await Promise.all([...others, index.put('few', page('rare', 'some text in which a word stands once'))])
    expect(urls(await find(index, 'word', { jobId: 'few', limit: 3 }))).toEqual(['rare'])
  })

  it('replaces a page of a job, and gives all jobs together the newest version of each page', async () => {
    const index = open()
    await index.put('one', page('a', 'apples'))
    await index.put('one', page('a', 'pears'))
    expect(urls(await find(index, 'apples'))).toEqual([])
    await index.put('two', page('a', 'plums'))
    expect(urls(await find(index, 'pears'))).toEqual([])
    expect(urls(await find(index, 'pears', { jobId: 'one' }))).toEqual(['a'])
    expect(urls(await find(index, 'plums'))).toEqual(['a'])
  })

  it('shares the content of an unchanged page, and drops a page that is gone', async () => {
    const index = open()
    await index.put('one', page('a', 'apples'))
    await index.put('one', page('b', 'pears'))
    await index.end('one', 2000)
    expect([await index.has('a', 1000), await index.has('c', 1000), await index.has('a', 2000)]).toEqual([
      true,
      false,
      false,
    ])
    await index.put('two', { key: 'a', url: 'https://site.test/a', state: 'same' })
    await index.put('two', { key: 'b', url: 'https://site.test/b', state: 'gone' })
    expect(await find(index, 'apples')).toMatchObject([{ jobId: 'two', title: 'Page a' }])
    expect(await find(index, 'pears')).toEqual([])
    await index.forgetExpired(3000)
    expect(urls(await find(index, 'apples', { nowMs: 3000 }))).toEqual(['a'])
    expect(await index.keys('two')).toEqual(['a'])
  })

  it('leaves a replaced job out of searches of all jobs', async () => {
    const index = open()
    await index.put('one', page('a', 'apples'))
    await index.put('one', page('old', 'apples'))
    await index.put('two', page('a', 'apples'))
    await index.end('two', 9000, 'one')
    expect(urls(await find(index, 'apples'))).toEqual(['a'])
    expect(urls(await find(index, 'apples', { jobId: 'one' })).toSorted()).toEqual(['a', 'old'])
  })

  it('forgets a job that has expired, unless it goes on', async () => {
    const index = open()
    await index.put('one', page('a', 'apples'))
    await index.end('one', 2000)
    expect(await find(index, 'apples', { nowMs: 2000 })).toEqual([])
    await index.begin('one')
    await index.forgetExpired(3000)
    expect(await find(index, 'apples', { nowMs: 3000 })).toHaveLength(1)
    await index.end('one', 4000)
    await index.forgetExpired(4000)
    expect(await index.keys('one')).toBeUndefined()
    expect(await find(index, 'apples', { nowMs: 0 })).toEqual([])
  })

  it('removes the pages that the ledger does not have', async () => {
    const index = open()
    for (const key of ['a', 'b', 'c']) await index.put('job', page(key, 'apples'))
    await index.keepOnly('job', ['b', 'x'])
    expect(await index.keys('job')).toEqual(['b'])
    expect(urls(await find(index, 'apples'))).toEqual(['b'])
  })

  it('gives at most two chunks of a page', async () => {
    const index = open()
    const long = Array.from({ length: 8 }, (_, at) => `## Part ${at}\n\nword ${'text '.repeat(300)}`).join('\n\n')
    await index.put('job', page('long', '', { markdown: long }))
    await index.put('job', page('short', 'word'))
    expect(urls(await find(index, 'word')).toSorted()).toEqual(['long', 'long', 'short'])
  })

  it.each([20, 200, 2000])('finds other pages behind %i better chunks of one page', async (chunks) => {
    const index = open()
    const text = 'Some further words that make this chunk longer than those of the other page, and so a worse one.'
    await index.put('job', page('other', `Apples. ${text}`))
    const sections = Array.from({ length: chunks }, (_, at) => `## Apples ${at}\n\nApples.`)
    await index.put('job', page('long', '', { title: 'Apples', markdown: sections.join('\n\n') }))
    expect(urls(await find(index, 'apples'))).toEqual(['long', 'long', 'other'])
    expect(urls(await find(index, 'apples', { jobId: 'job' }))).toEqual(['long', 'long', 'other'])
  })

  it('rejects calls after it was closed', async () => {
    const index = open()
    await index.put('job', page('a', 'apples'))
    await index.close()
    await index.close()
    await expect(index.put('job', page('b', 'pears'))).rejects.toMatchObject({ code: 'ENGINE_CLOSED' })
  })
}
