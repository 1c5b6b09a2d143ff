import { describe, expect, it } from 'vitest'
import type { PageModel } from '../../../src/base/llm/page-model.js'
import { askForBoilerplate, withoutBlocks } from '../../../src/features/clean-content/ask-model.js'
import { article, useModelSite } from '../../site/model-site.js'

const url = 'https://example.com/'
const markdown = `# Tides

The tide comes twice a day.

Subscribe to our newsletter for 20 % off!

| Day | Hour |
| --- | ---- |
| Mon | 6    |

* [Ten beaches](https://example.com/beaches)
* [Five harbours](https://example.com/harbours)

Subscribe to our newsletter for 20 % off!

[^1]: A note.`

/** A model that answers every question alike. */
const answering = (text: string, partTokens = 1000): { model: PageModel; prompts: string[] } => {
  const prompts: string[] = []
  const ask = async ({ prompt }: { prompt: string }) => {
    prompts.push(prompt)
    return { text }
  }
  return { model: { partTokens, ask } as unknown as PageModel, prompts }
}

describe('the blocks that a model drops', () => {
  it('are those of its numbers, word for word, and each as often as it is named', async () => {
    const { model } = answering('{"drop":[3,5,99,"4",null]}')
    const { blocks, warnings } = await askForBoilerplate(markdown, url, model)
    expect(warnings).toEqual([])
    expect(blocks).toEqual([
      'Subscribe to our newsletter for 20 % off!',
      expect.stringContaining('[Ten beaches]') as string,
    ])
    const cleaned = withoutBlocks(markdown, blocks)
    expect(cleaned).not.toContain('Ten beaches')
    expect(cleaned.match(/Subscribe/g)).toHaveLength(1)
    expect(cleaned).toContain('| Mon | 6    |')
  })

  it('are never definitions or front matter, which the model does not see', async () => {
    const { model, prompts } = answering('{"drop":[1,3]}')
    const { blocks } = await askForBoilerplate('---\ntitle: A\n---\n\nWords.\n\n[^1]: A note.', url, model)
    expect(blocks).toEqual([])
    expect(prompts.join('')).not.toMatch(/title: A|A note/)
  })

  it('are found in each part of a long page by one count', async () => {
    const paragraphs = Array.from({ length: 60 }, (_, index) => `Paragraph ${index + 1} of the page has these words.`)
    const { model, prompts } = answering('[2,60]', 300)
    const { blocks } = await askForBoilerplate(paragraphs.join('\n\n'), url, model)
    expect(prompts.length).toBeGreaterThan(2)
    expect(blocks).toEqual([paragraphs[1], paragraphs[59]])
  })

  it('are none where a page has talked the model into dropping the content, and that is said', async () => {
    const { model } = answering('{"drop":[1,2,3,4,5,6]}')
    const { blocks, warnings } = await askForBoilerplate(markdown, url, model)
    expect(blocks).toEqual([])
    expect(warnings).toEqual([expect.stringMatching(/not cleaned: the language model called \d+ % of it boilerplate/)])
  })

  it('are asked for by the ends of long blocks', async () => {
    const { model, prompts } = answering('{"drop":[]}')
    await askForBoilerplate(`Start ${'word '.repeat(1000)}end.`, url, model)
    expect(prompts[0]?.length).toBeLessThan(1500)
    expect(prompts[0]).toContain('end.')
  })
})

describe('a page with `onlyCleanContent`', () => {
  const on = useModelSite()
  const body = `<h1>Tides</h1><p>The tide comes twice a day, and each time a little later than before.</p>
    <p>Subscribe to our newsletter for twenty percent off!</p>`

  it('has Markdown without them, and lists them; its HTML is whole', async () => {
    await on.open({ '/': article(body) }, ({ prompt }) => {
      const [, number] = /\[(\d+)\] Subscribe/.exec(prompt) ?? []
      return { says: { drop: [Number(number)] } }
    })
    const document = await on.engine.scrape(on.site.url('/'), { formats: ['markdown', 'html'], onlyCleanContent: true })
    expect(document.markdown).toContain('The tide comes twice a day')
    expect(document.markdown).not.toContain('Subscribe')
    expect(document.html).toContain('Subscribe')
    expect(document.cleanedOut).toEqual(['Subscribe to our newsletter for twenty percent off!'])
    expect(document.metadata.modelRequests).toBe(1)
  })

  it.each([
    ['an answer without numbers', { says: 'I would drop nothing.' }],
    ['no answer', { status: 500 }],
  ])('is whole after %s, and says why', async (_, behaviour) => {
    await on.open({ '/': article(body) }, () => behaviour, { modelOptions: { maxRetries: 0 } })
    const document = await on.engine.scrape(on.site.url('/'), { onlyCleanContent: true })
    expect(document.markdown).toContain('Subscribe')
    expect(document).not.toHaveProperty('cleanedOut')
    expect(document.warning).toMatch(/not cleaned/)
  })

  it('is whole in an engine without a model, and says so', async () => {
    await on.open({ '/': article(body) }, () => ({}), { model: undefined })
    const document = await on.engine.scrape(on.site.url('/'), { onlyCleanContent: true })
    expect(document.markdown).toContain('Subscribe')
    expect(document.warning).toContain('this engine has no language model')
    const without = await on.engine.scrape(on.site.url('/'))
    expect(without).not.toHaveProperty('warning')
  })

  it('asks nothing for a format without Markdown', async () => {
    await on.open({ '/': article(body) }, () => ({ says: { drop: [] } }))
    const document = await on.engine.scrape(on.site.url('/'), { formats: ['html'], onlyCleanContent: true })
    expect(document.metadata.modelRequests).toBeUndefined()
  })
})
