import { describe, expect, it } from 'vitest'
import { yieldTurn } from '../../../src/base/concurrency/yield-turn.js'
import { openForm } from '../../../src/base/json-schema/answer-form.js'
import { answerJson } from '../../../src/base/llm/answers/answer-json.js'
import { describeUnsupported, findCitations } from '../../../src/features/json/citations.js'
import type { PagePart } from '../../../src/base/llm/answers/page-text.js'

const chunk = (markdown: string, path: string[] = []) => ({ path, markdown, tokens: 10 })

describe('findCitations', () => {
  const supports = async (value: unknown, text: string): Promise<string[]> =>
    (await findCitations(value, [chunk(text)], [], [])).map(({ support }) => support)

  it('finds the value in any notation of the page', async () => {
    expect(await supports(1299.5, 'It costs **€1,299.50** now.')).toEqual(['verbatim'])
    expect(await supports(1299.5, 'It costs 1299,50 € now.')).toEqual(['verbatim'])
    for (const text of [
      '1.299,50 €',
      '1 299,50 €',
      '1\u00a0299,50 €',
      '1\u202f299,50 €',
      '1\u2009299,5 €',
      "1'299.50 CHF",
    ])
      expect([text, ...(await supports(1299.5, `Price: ${text}`))]).toEqual([text, 'verbatim'])
    expect(await supports(1299, 'Nur 1.299 € heute')).toEqual(['verbatim'])
    expect(await supports(1234567.5, 'Zusammen 1.234.567,50 €')).toEqual(['verbatim'])
    expect(await supports(1299.5, 'Es kostet 1.299,55 € oder 11.299,50 €.')).toEqual(['none'])
    expect(await supports(12, 'There are 12.')).toEqual(['verbatim'])
    expect(await supports('deck lamp', 'A [Deck Lamp](https://x.test/lamp) for all.')).toEqual(['verbatim'])
  })

  it('finds a value however its letters are written, and within texts without spaces', async () => {
    expect(await supports('Café officiel', 'Le cafe\u0301 offi\u00adciel.')).toEqual(['verbatim'])
    expect(await supports('final file', 'The \ufb01nal \ufb01le')).toEqual(['verbatim'])
    expect(await supports('東京タワー', '東京タワーは高さ333メートルです。')).toEqual(['verbatim'])
    expect(await supports(333, '東京タワーは高さ333メートルです。')).toEqual(['verbatim'])
    expect(await supports('大阪', '東京タワーは高さ333メートルです。')).toEqual(['none'])
  })

  it('does not find a value within another word or number', async () => {
    expect(await supports(12, 'There are 120, or 3.12, or 12.5.')).toEqual(['none'])
    expect(await supports('cat', 'A catalogue.')).toEqual(['none'])
    expect(await supports(true, 'true')).toEqual(['none'])
  })

  it('cites every value, with its path', async () => {
    const found = await findCitations({ a: ['x1', 'x2'], 'b/c': { d: 'x3' } }, [chunk('x1\n\nx3', ['H'])], [], [])
    expect(found.map(({ path, support, place }) => [path, support, place])).toEqual([
      ['/a/0', 'verbatim', ['H']],
      ['/a/1', 'none', undefined],
      ['/b~1c/d', 'verbatim', ['H']],
    ])
    expect(describeUnsupported(found)).toContain('supports /a/1:')
  })

  it('finds a long value among repeated words, as its whole text', async () => {
    const words = 'aab '.repeat(60)
    expect(await supports([`${words}ab`, `${words}ac`], `${words}aab ${words}ab.`)).toEqual(['verbatim', 'none'])
  })

  it('says of values that are not in the searched part of a very long page that they were not looked for', async () => {
    const chunks = Array.from({ length: 500 }, (_, index) => chunk(`Row ${index}: ${'aab '.repeat(3000)}`))
    const quotes = [{ path: '/late', quote: 'Row 499' }]
    const found = await findCitations({ early: 'Row 3', late: 'Row 499' }, chunks, quotes, [])
    expect(found.map(({ path, support }) => [path, support])).toEqual([
      ['/early', 'verbatim'],
      ['/late', 'unsearched'],
    ])
    expect(describeUnsupported(found)).toContain('too long to be searched in full for /late:')
  })

  it('searches a part of the lines of a page with very many', async () => {
    const found = await findCitations(['early', 'late'], [chunk(`early\n${'a\n'.repeat(300_000)}late`)], [], [])
    expect(found.map(({ support }) => support)).toEqual(['verbatim', 'unsearched'])
  })

  it('lets other work go on while it skips values that are not cited', async () => {
    await yieldTurn()
    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    const found = await findCitations({ names: Array(500_000).fill('') }, [chunk('text')], [], [])
    clearInterval(count)
    expect(turns).toBeGreaterThan(0)
    expect(found).toEqual([])
  })

  it('ends the search for values that a page repeats nearly, and lets other work go on', async () => {
    const words = 'aab '.repeat(1000)
    const chunks = Array.from({ length: 50 }, () => chunk('aab '.repeat(5000)))
    const values = Array.from({ length: 300 }, () => `${words}ab ${words}`)
    let turns = 0
    const count = setInterval(() => (turns += 1), 0)
    const found = await findCitations(values, chunks, [], [])
    clearInterval(count)
    expect(turns).toBeGreaterThan(0)
    expect([found[0]?.support, found.at(-1)?.support]).toEqual(['none', 'unsearched'])
  })

  it('ignores quotes for list items in another part of the page', async () => {
    const schema = {
      type: 'object',
      properties: { names: { type: 'array', items: { type: 'string' } }, on: { type: 'string' } },
    }
    const parts: PagePart<ReturnType<typeof chunk>>[] = ['Ann was here.', 'Bo was there.'].map((text) => ({
      chunks: [chunk(text)],
      text,
    }))
    const ask = async ({ prompt }: { prompt: string }) => {
      const name = prompt.includes('Ann was') ? 'Ann' : 'Bo'
      const quotes = [
        { path: '/names/0', quote: `${name} was` },
        { path: '/on', quote: `${name} was here.` },
      ]
      return { text: JSON.stringify({ data: { names: [name], on: 'day one' }, quotes }) }
    }
    const question = { form: openForm(schema), quotes: true, url: 'https://x.test/' }
    const { signal } = new AbortController()
    const model = { partTokens: 100, signal, ask, recall: () => undefined, remember: () => undefined }
    const answer = await answerJson(question, parts, model)
    expect(answer.value).toEqual({ names: ['Ann', 'Bo'], on: 'day one' })
    expect(answer.quotes.map(({ path }) => path)).toEqual(['/on', '/on'])
    const chunks = parts.flatMap((part) => part.chunks)
    const citations = await findCitations(answer.value, chunks, answer.quotes, [])
    expect(citations.map(({ path, support }) => [path, support])).toEqual([
      ['/names/0', 'verbatim'],
      ['/names/1', 'verbatim'],
      ['/on', 'quoted'],
    ])
  })
})
