import { describe, expect, it } from 'vitest'
import { warnOfDropped } from '../../../src/content/extract/main-content/warn-of-dropped.js'
import { findNeverShown } from '../../../src/content/extract/visibility/visibility.js'
import { createEngine } from '../../../src/index.js'
import { parseHtml } from '../parse/pages.js'

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

describe('what counts as missing in the fidelity', () => {
  const hidden = `<div id="rest" style="display:none"><p>${'Words that the markup hides from every reader of it. '.repeat(12)}</p></div>`

  it('includes text that the markup hides and that no control opens', async () => {
    const text = `<h1>Title</h1>${`<p>${sentence.repeat(3)}</p>`.repeat(4)}`
    const { fidelity, markdown } = await engine.parse({ body: `<main>${text}${hidden}</main>`, url })
    expect(markdown).not.toContain('Words that the markup hides')
    expect(fidelity).toMatchObject({ visibleWords: 169, hiddenWords: 120, words: 0.585 })
  })

  it.each([
    ['a menu', `<nav hidden>${hidden}</nav>`],
    ['a dialog', `<div role="dialog" hidden><p>${sentence.repeat(9)}</p></div>`],
    ['a copy of visible text', `<div hidden><p>${sentence.repeat(3)}</p></div>`],
    ['a message of a script', '<p hidden>Copied to the clipboard</p>'],
  ])('does not include %s', async (_, part) => {
    const { fidelity } = await engine.parse({ body: `${body}${part}`, url })
    expect(fidelity).not.toHaveProperty('hiddenWords')
  })
})

describe('the warning that most of the text was left out', () => {
  const review = (at: number): string =>
    `<div class="r${at}"><h4>Reader ${at}</h4><p>${`Remark ${at} of a reader who has used it for a while. `.repeat(9)}</p></div>`
  const page = `<main><div id="text"><p>${sentence.repeat(2)}</p></div><div>${[1, 2, 3, 4, 5].map(review).join('')}</div></main>`

  it('has the share and the number of words', () => {
    const {
      tree: { $ },
    } = parseHtml(page)
    const [text, all] = [$('#text')[0], $('body')[0]]
    if (text === undefined || all === undefined) throw new Error('the page has no such elements')
    const choice = { roots: [text], dropped: new Set() }
    expect(warnOfDropped(all, findNeverShown(all), choice, { visibleWords: 0, words: 0.05 })).toMatch(
      /^Only \d% of the page's text is in the content: \d+ words .* were left out\. /,
    )
    expect(
      warnOfDropped(all, findNeverShown(all), { ...choice, roots: [all] }, { visibleWords: 0, words: 0.05 }),
    ).toBeUndefined()
  })

  it('is absent from ordinary pages, from whole pages and where selectors choose the content', async () => {
    expect(await engine.parse({ body, url })).not.toHaveProperty('warning')
    expect(await engine.parse({ body: page, url }, { onlyMainContent: false })).not.toHaveProperty('warning')
    expect(await engine.parse({ body: page, url }, { includeTags: ['#text'] })).not.toHaveProperty('warning')
    expect(await engine.parse({ body: page, url }, { excludeTags: ['#text + div'] })).not.toHaveProperty('warning')
  })
})

describe('the trace of a document', () => {
  it('lists dropped parts with selector, size and reason, only if requested', async () => {
    const { trace } = await engine.parse({ body, url }, { trace: true, excludeTags: ['table'] })
    const reasonOf = (selector: string): string | undefined =>
      trace?.find((block) => block.selector.endsWith(selector))?.reason
    expect(reasonOf('nav')).toMatch(
      /^is not likely enough to be content: \d+% likely, \d+% needed, and \d+% of its text is links \(rule `probability`\)$/,
    )
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
