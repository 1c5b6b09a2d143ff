import { describe, expect, it } from 'vitest'
import type { Behaviour } from '../../site/model-server.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

const page = article(`<h1>The harbour</h1>
  <p>The harbour opens at six. It closes at nine in the evening, and boats wait outside until then. A berth costs 12 euros a night.</p>
  <table><tr><th>Boat</th><th>Berth</th></tr><tr><td>Anna</td><td>4</td></tr><tr><td>Bella</td><td>9</td></tr></table>`)

async function scrape(format: object | string, behaviour: Behaviour, html = page) {
  await on.open({ '/': html }, behaviour)
  const formats = [format] as unknown as readonly ['summary']
  return await on.engine.scrape(on.site.url('/'), { formats })
}

describe('summary', () => {
  it('is what the model writes about the page', async () => {
    const document = await scrape('summary', () => ({ says: ' A harbour with berths. ' }))
    expect(document.summary).toBe('A harbour with berths.')
    expect(document.metadata.creditsUsed).toBe(1)
    expect(on.server.calls[0]?.prompt).toContain('A berth costs 12 euros')
  })

  it('of a long page is made from the summaries of its parts', async () => {
    const sections = Array.from(
      { length: 30 },
      (_, index) => `<h2>Pier ${index}</h2><p>${'Ropes and nets lie here. '.repeat(80)}</p>`,
    )
    await on.open(
      { '/': article(sections.join('')) },
      ({ prompt }) => ({ says: prompt.includes('summaries of the parts') ? 'All piers.' : 'A pier.' }),
      { modelOptions: { contextTokens: 6000, maxOutputTokens: 500 } },
    )
    const document = await on.engine.scrape(on.site.url('/'), { formats: ['summary'] })
    expect(document.summary).toBe('All piers.')
    expect(on.server.calls.length).toBeGreaterThan(3)
  })

  it('is absent, with a warning, if the page has no text or the model returns nothing', async () => {
    const empty = await scrape('summary', () => ({ says: 'x' }), '<!doctype html><title>t</title><body></body>')
    expect(empty).not.toHaveProperty('summary')
    expect(empty.warning).toContain('no text')
    expect(on.server.calls).toHaveLength(0)
    const refused = await scrape('summary', () => ({ refusal: 'no' }))
    expect(refused).not.toHaveProperty('summary')
    expect(refused.warning).toContain('refused to answer for `summary`')
    expect((await scrape('summary', () => ({ says: '  ' }))).warning).toContain('empty answer')
  })

  it('has a warning if it was truncated', async () => {
    const document = await scrape('summary', () => ({ says: 'A harbour wi', finish: 'length' }))
    expect(document.summary).toBe('A harbour wi')
    expect(document.warning).toContain('truncated')
  })
})

describe('question', () => {
  it('is answered, for four credits', async () => {
    const document = await scrape({ type: 'question', question: 'When does it open?' }, () => ({ says: 'At six.' }))
    expect(document).toMatchObject({ answer: 'At six.', metadata: { creditsUsed: 5 } })
    expect(on.server.calls[0]?.prompt).toContain('Question: When does it open?')
  })

  it('is answered under its old name `query`', async () => {
    const document = await scrape({ type: 'query', prompt: 'When does it open?' }, () => ({ says: 'At six.' }))
    expect(document).toMatchObject({ answer: 'At six.', metadata: { creditsUsed: 5 } })
  })
})

describe('highlights', () => {
  /** Picks the passages in which a word stands. */
  const pick =
    (word: string): Behaviour =>
    ({ prompt }) => {
      const lines = prompt.split('\n').filter((line) => line.startsWith('[') && line.includes(word))
      return { says: { passages: lines.map((line) => Number(/^\[(\d+)\]/.exec(line)?.[1])) } }
    }

  it('are sentences and rows of the page, word for word', async () => {
    const sentence = await scrape({ type: 'highlights', query: 'What does it cost?' }, pick('12 euros'))
    expect(sentence).toMatchObject({ highlights: 'A berth costs 12 euros a night.', metadata: { creditsUsed: 5 } })
    const row = await scrape({ type: 'query', prompt: 'Where is Bella?', mode: 'directQuote' }, pick('Bella'))
    expect(row).toMatchObject({ highlights: '| Bella | 9 |' })
  })

  it('never contain text that the model invented', async () => {
    const document = await scrape({ type: 'highlights', query: 'x' }, () => ({
      says: { passages: [999, 'The harbour is free.', 0, -1, 1.5, null, 2] },
    }))
    expect(document).toMatchObject({ highlights: 'The harbour opens at six.' })
  })

  it('can be empty, and are absent if the answer is invalid', async () => {
    expect(await scrape({ type: 'highlights', query: 'x' }, () => ({ says: { passages: [] } }))).toMatchObject({
      highlights: '',
    })
    const unread = await scrape({ type: 'highlights', query: 'x' }, () => ({ says: 'The first one.' }))
    expect(unread).not.toHaveProperty('highlights')
    expect(unread.warning).toContain('could not be parsed')
  })
})

describe('changeTracking in mode `json`', () => {
  const schema = { type: 'object', properties: { opens: { type: 'string' }, berths: { type: 'integer' } } }
  const html = (hour: string): string => article(`<h1>The harbour</h1><p>It opens at ${hour}. There are 20 berths.</p>`)

  async function scrapeTwice(options: object, behaviour: Behaviour, hours = ['six', 'seven']) {
    let hour = hours[0] ?? ''
    const send = ({
      response,
    }: {
      response: { end(text: string): unknown; setHeader(name: string, value: string): unknown }
    }) => {
      response.setHeader('content-type', 'text/html')
      response.end(html(hour))
    }
    await on.open({ '/': send }, behaviour)
    const formats = ['markdown', { type: 'changeTracking', modes: ['json', 'git-diff'], ...options }] as const
    await on.engine.scrape(on.site.url('/'), { formats })
    expect(on.server.calls).toHaveLength(0)
    hour = hours[1] ?? ''
    return await on.engine.scrape(on.site.url('/'), { formats })
  }

  it('returns the properties of a schema that differ', async () => {
    const document = await scrapeTwice({ schema }, ({ prompt }) => ({
      says: { opens: /opens at (\w+)/.exec(prompt)?.[1], berths: 20 },
    }))
    expect(document.changeTracking).toMatchObject({
      changeStatus: 'changed',
      json: { opens: { previous: 'six', current: 'seven' } },
      diff: { text: expect.stringContaining('-It opens at six.') },
    })
    expect(document.changeTracking?.json).not.toHaveProperty('berths')
    expect(document.metadata.creditsUsed).toBe(5)
  })

  it('is the model’s own comparison without a schema', async () => {
    const says = { opening: { previous: 'six', current: 'seven' } }
    const document = await scrapeTwice({ prompt: 'the hours' }, () => ({ says }))
    expect(document.changeTracking?.json).toEqual(says)
    expect(on.server.calls[0]?.prompt).toMatch(/opens at six[^]*opens at seven/)
    expect(on.server.calls[0]?.prompt).toContain('What matters: the hours')
  })

  it('does not ask the model about an unchanged page, and keeps the other fields if the model fails', async () => {
    const same = await scrapeTwice({ schema }, () => ({ says: {} }), ['six', 'six'])
    expect(same.changeTracking?.changeStatus).toBe('same')
    expect(on.server.calls).toHaveLength(0)
    const failed = await scrapeTwice({ schema }, () => ({ status: 401, raw: '' }))
    expect(failed.changeTracking).toMatchObject({ changeStatus: 'changed', diff: {} })
    expect(failed.changeTracking).not.toHaveProperty('json')
    expect(failed.warning).toContain('`changeTracking.json`')
    expect(failed.metadata.creditsUsed).toBe(1)
    const silent = await scrapeTwice({ schema }, () => ({ says: 'no' }))
    expect(silent.warning).toBe('There is no `changeTracking.json`: no answer of the model could be parsed.')
  })
})

describe('version 1', () => {
  it('has `extract` and `json` with options of their own, and their own temperature', async () => {
    await on.open({ '/': page }, ({ prompt }) => ({
      says: prompt.includes('berth price') ? { price: 12 } : { opens: 'six' },
    }))
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    const job = on.engine.v1.crawl({
      url: on.site.url('/'),
      limit: 1,
      ignoreSitemap: true,
      scrapeOptions: {
        formats: ['json', 'extract'],
        jsonOptions: { prompt: 'berth price', schema, temperature: 0.7, systemPrompt: 'Be rude.' },
        extract: { prompt: 'opening' },
      },
    })
    const [document] = (await job.finished()).data
    expect(document).toMatchObject({ json: { price: 12 }, extract: { opens: 'six' }, metadata: { creditsUsed: 5 } })
    const asked = on.server.calls.find(({ prompt }) => prompt.includes('berth price'))
    expect(asked?.body['temperature']).toBe(0.7)
    expect(on.server.calls.some(({ system }) => system.includes('rude'))).toBe(false)
  })

  it('has `changeTrackingOptions` and `summary`', async () => {
    await on.open({ '/': page }, () => ({ says: 'A harbour.' }))
    const scrapeOptions = {
      formats: ['markdown', 'summary', 'changeTracking'],
      changeTrackingOptions: { modes: ['json'], prompt: 'x' },
    } as const
    const job = on.engine.v1.crawl({ url: on.site.url('/'), limit: 1, ignoreSitemap: true, scrapeOptions })
    expect((await job.finished()).data[0]).toMatchObject({
      summary: 'A harbour.',
      changeTracking: { changeStatus: 'new' },
    })
  })
})
