import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isElement, type NodeSet, type ParentNode, type Text } from '../../../src/content/html/tree.js'
import { predictContent } from '../../../src/content/extract/main-content/predict-content.js'
import type { Verdicts } from '../../../src/content/extract/selection/content-rule.js'
import { createEngine } from '../../../src/index.js'
import { judgePage, PROSE } from './recorded-page.js'

const P = `<p>${PROSE}</p>`
const TEXT = P.repeat(6)

describe('the reason why a part is dropped', () => {
  it('is that of the rule that dropped it, not its probability: a heading with nothing below it', () => {
    const html = `<article>${TEXT}<h2 id="share">Share</h2><p id="post">Post it</p><h2>Ebb</h2>${TEXT}</article>`
    const { reasonOf } = judgePage(html, { Share: 0.81, Ebb: 0.95 })
    expect(reasonOf('#share')).toBe(
      'is a heading or an introduction with nothing below it in the content (rule `orphan-lead`)',
    )
    expect(reasonOf('#post')).toMatch(
      /^is not likely enough to be content: 20% likely, \d\d% needed \(rule `probability`\)$/,
    )
  })

  it('has the share of links of a part that is not likely enough', () => {
    const { reasonOf } = judgePage(`<ul><li><a href="/1">Home</a><li><a href="/2">About</a></ul><main>${TEXT}</main>`)
    expect(reasonOf('ul')).toMatch(/: 20% likely, \d\d% needed, and 100% of its text is links \(rule `probability`\)$/)
  })

  it('is that of the line around an inline element', () => {
    const { reasonOf } = judgePage(`<a href="#it" id="skip">Skip to the text</a>${TEXT}`)
    expect(reasonOf('#skip')).toMatch(/^is not likely enough to be content: 20% likely/)
  })

  it('names each rule that dropped a block of it, that with the most words first', () => {
    const html = `${TEXT}<div id="end"><p>Menu</p><footer><p>All about us and others</p></footer></div>`
    const { reasonOf } = judgePage(html, { 'All about us and others': 0.9 })
    expect(reasonOf('#end')).toBe(
      'is in the footer of the page, and not surely content: 90% likely, 95% needed (rule `footer`); in part, ' +
        'is not likely enough to be content: 20% likely, 90% needed (rule `probability`)',
    )
  })

  it('is that of the last rule that changed its fate', () => {
    const html = `<article>${TEXT}<p>You need:</p><ul id="list"><li><a href="/a">Nails</a><li>Wire<li>Long, long planks of wood</ul></article>`
    const { verdicts, blocks } = judgePage(html, { 'You need:': 0.95 })
    const nails = blocks.find(({ text }) => text === 'Nails')
    expect(nails && verdicts.of(nails)).toMatchObject({ rule: { name: 'introduced-list' }, isKept: true })
  })

  it('tells a copy, and a button in a text that is kept', () => {
    const copy = 'Harbour lights in fog and rain at night'
    const html = `<main>${TEXT}<div class="desktop"><p>${copy}</p></div><div class="mobile" id="it"><p>${copy}</p></div></main>`
    expect(judgePage(html, { [copy]: 0.99 }).reasonOf('#it')).toBe(
      'repeats a text that is in the content already (rule `copy`)',
    )
    const button = `<main>${TEXT}<p>${PROSE} <button id="it">Share</button></p></main>`
    expect(judgePage(button).reasonOf('#it')).toMatch(/\(rule `form-control`\)$/)
  })

  it('is that of the dialog of a program for consent, however long, unless the page is nothing else', async () => {
    const engine = createEngine({ threads: 0 })
    const reasons = async (body: string): Promise<string[]> => {
      const { trace = [] } = await engine.parse(
        { body, url: 'https://a.test/' },
        { formats: ['markdown'], trace: true },
      )
      return trace.map(({ reason }) => reason)
    }
    const dialog = `<div id="CybotCookiebotDialog">${`<p>${PROSE}</p>`.repeat(20)}</div>`
    const reason = 'is the dialog of a program that asks for consent to cookies (rule `consent-dialog`)'
    expect(await reasons(`${dialog}<main><h1>Tide</h1>${TEXT}</main>`)).toContain(reason)
    expect(await reasons(`<h1>Cookies</h1>${dialog}`)).not.toContain(reason)
  })

  it('is not recorded for a page without a trace', async () => {
    const engine = createEngine({ threads: 0 })
    const url = 'https://wiki.test/Tide'
    const body = `<body class="mediawiki"><main><h1>Tide</h1><h2>Ebb <span class="mw-editsection">[edit]</span></h2>${TEXT}</main></body>`
    const { trace, markdown } = await engine.parse({ body, url }, { formats: ['markdown'], trace: true })
    expect(trace?.map(({ reason }) => reason)).toContain(
      'is a control of the wiki, such as a link that edits a section (rule `wiki-control`)',
    )
    const plain = await engine.parse({ body, url }, { formats: ['markdown'] })
    expect(plain.markdown).toBe(markdown)
    expect(plain).not.toHaveProperty('trace')
  })
})

const FIXTURES = ['article', 'documentation', 'forum', 'listing', 'product', 'question', 'reference', 'service']

describe('the verdicts on the blocks of a page', () => {
  it.each(FIXTURES)('agree with their fate: %s', (name) => {
    const html = readFileSync(new URL(`../../fixtures/content/${name}/page.html`, import.meta.url), 'utf8')
    const { blocks, verdicts, dropped, whyDropped } = judgePage(html, predictContent)
    expect(blocks.length).toBeGreaterThan(10)
    for (const block of blocks) {
      const { text, nodes } = block
      const verdict = verdicts.of(block)
      const fates = new Set(
        nodes.filter((node) => !isInControl(node, verdicts)).map((node) => !isDropped(node, dropped)),
      )
      // A block may be in form controls alone.
      if (fates.size > 0) expect({ text, fates }).toEqual({ text, fates: new Set([verdict?.isKept]) })
      const [first] = nodes
      if (first !== undefined && verdict?.isKept === false)
        expect(whyDropped(first)).toContain(`(rule \`${verdict.rule.name}\`)`)
    }
  })
})

const isAround = (node: Text, passes: (around: ParentNode) => boolean): boolean => {
  for (let at: ParentNode | null = node.parent; at !== null; at = at.parent) if (passes(at)) return true
  return false
}

const isDropped = (node: Text, dropped: NodeSet): boolean =>
  dropped.has(node) || isAround(node, (around) => isElement(around) && dropped.has(around))

const isInControl = (node: Text, verdicts: Verdicts): boolean =>
  isAround(node, (around) => isElement(around) && verdicts.ofElement(around) !== undefined)
