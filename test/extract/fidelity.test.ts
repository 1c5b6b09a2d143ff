import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/index.js'

const engine = createEngine({ threads: 0 })
const url = 'https://site.test/page'
const sentence = 'This sentence is long enough to be read as one, and it says something. '
const body = `<nav><a href="/a">One</a> <a href="/b">Two</a></nav><main><h1>Title</h1>${`<p>${sentence.repeat(3)}</p>`.repeat(5)}
  <pre>one\ntwo\nthree</pre><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table></main>
  <p hidden>Never seen</p><footer>Imprint</footer>`

describe('the fidelity of a document', () => {
  it('reports the kept share of the visible page, and omits what the page does not have', async () => {
    const { fidelity } = await engine.parse({ body, url })
    expect(fidelity).toMatchObject({ links: 0, tableCells: 1, codeLines: 1 })
    expect(fidelity?.words).toBeGreaterThan(0.9)
    expect((await engine.parse({ body: '<p>Four words of text</p>', url })).fidelity).toEqual({
      visibleWords: 4,
      words: 1,
    })
  })

  it('has a fidelity of 1 if the whole page is requested', async () => {
    const { fidelity } = await engine.parse({ body, url }, { onlyMainContent: false })
    expect(fidelity).toMatchObject({ words: 1, links: 1, tableCells: 1, codeLines: 1 })
  })
})

describe('the trace of a document', () => {
  it('lists dropped parts with selector, size and reason, only if requested', async () => {
    const { trace } = await engine.parse({ body, url }, { trace: true, excludeTags: ['table'] })
    const reasonOf = (selector: string): string | undefined =>
      trace?.find((block) => block.selector.endsWith(selector))?.reason
    expect(reasonOf('nav')).toMatch(/^\d+% likely to be main content: .*of its text is links/)
    expect(reasonOf('table')).toBe('matches a selector of `excludeTags`')
    expect(reasonOf('body > p')).toBe('is hidden by its markup')
    expect(trace?.find(({ text }) => text === 'Imprint')?.characters).toBe(7)
    expect(await engine.parse({ body, url })).not.toHaveProperty('trace')
  })

  it('lists the parts that `includeTags` did not match', async () => {
    const { trace } = await engine.parse({ body, url }, { trace: true, includeTags: ['pre'] })
    expect(trace?.map(({ reason }) => reason)).toContain('matches no selector of `includeTags`')
  })
})
