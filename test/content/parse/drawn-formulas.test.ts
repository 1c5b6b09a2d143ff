import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'

interface DrawnFormula {
  readonly tex: string
  readonly written: string
  readonly drawings: Readonly<Record<string, string>>
}

const fixture = new URL('../../fixtures/formulas/drawn.json', import.meta.url)
const formulas = JSON.parse(readFileSync(fixture, 'utf8')) as readonly DrawnFormula[]

const engine = createEngine({ threads: 0 })
afterAll(() => engine.close())

const sentence = 'The keeper counts the boats each evening and writes the number into his book. '

async function read(html: string): Promise<string> {
  const body = `<main><h1>Lamps</h1><p>${sentence.repeat(3)}</p>${html}<p>${sentence.repeat(3)}</p></main>`
  const { markdown } = await engine.parse({ url: 'https://site.test/', body })
  return markdown.slice('# Lamps\n\n'.length).replaceAll(sentence.repeat(3).trim(), '').trim()
}

describe.each(formulas)('the formula $tex', ({ written, drawings }) => {
  it.each(Object.entries(drawings))('is read as drawn by %s', async (_, drawing) => {
    const markdown = await read(`<p>The width is ${drawing} in all weathers.</p>`)
    expect(markdown.replaceAll(' ', '')).toBe(`The width is $${written}$ in all weathers.`.replaceAll(' ', ''))
  })
})

const drawn = (program: string): string => formulas[1]?.drawings[program] ?? ''

describe('a drawn formula', () => {
  it('on lines of its own stays on them, and in the content', async () => {
    const half = '$$\n\\frac{1}{2}\n$$'
    const html = drawn('MathJax 3 in HTML').replace('<mjx-container', '<mjx-container display="true"')
    expect(await read(`<p>${html}</p>`)).toBe(half)
    expect(await read(`<div class="MathJax_SVG_Display">${drawn('MathJax 2 in SVG')}</div>`)).toBe(half)
    expect(await read(`<span class="katex-display">${drawn('KaTeX')}</span>`)).toBe(half)
  })

  it('gives way to its source', async () => {
    const svg = drawn('MathJax 2 in SVG')
    expect(await read(`<p>a ${svg}<script type="math/tex">x_1</script> b</p>`)).toBe('a $x_1$ b')
    const mathml = '&lt;math&gt;&lt;mi&gt;y&lt;/mi&gt;&lt;/math&gt;'
    expect(await read(`<p>a ${svg.replace('"MathJax_SVG"', `"MathJax_SVG" data-mathml="${mathml}"`)} b</p>`)).toBe(
      'a $y$ b',
    )
  })

  it('of MathJax 2 is read by the places of its parts', async () => {
    const at = (top: number, html: string): string =>
      `<span style="position: absolute; clip: rect(1em 9em 2em -9em); top: ${top}em;">${html}</span>`
    const html = `<span class="MathJax"><nobr><span class="math"><span class="mrow"><span class="msubsup"><span style="position:relative">${at(-4, '<span class="mi">x</span>')}${at(-4.4, '<span class="mn">2</span>')}</span></span><span class="mo">+</span><span class="mfrac"><span>${at(-4.6, '<span class="mn">1</span>')}${at(-3.3, '<span class="mi">n</span>')}<span style="border-left: 1em solid"></span></span></span></span></span></nobr></span>`
    expect(await read(`<p>a ${html} b</p>`)).toBe('a $x^2 + \\frac{1}{n}$ b')
  })

  it.each([
    [
      'its label',
      '<mjx-container jax="SVG"><svg aria-label="x squared"><g></g></svg></mjx-container>',
      '\\text{x squared}',
    ],
    ['a mark', '<mjx-container jax="SVG"><svg><g></g></svg></mjx-container>', '\\text{formula}'],
  ])('that cannot be read is %s', async (_, html, tex) => {
    expect(await read(`<p>a ${html} b</p>`)).toBe(`a $${tex}$ b`)
  })

  it('may be hostile', async () => {
    const deep = `<mjx-container>${'<mjx-mfrac>'.repeat(300)}`
    expect(await read(`<p>a ${deep}${'</mjx-mfrac>'.repeat(300)}</mjx-container> b</p>`)).toBe('a $\\text{formula}$ b')
    const many = `<span class="katex-html">${'<span class="mord"><span class="mfrac">1'.repeat(30)}</span>`.repeat(300)
    expect((await read(`<p>a ${many} b</p>`)).length).toBeGreaterThan(0)
  })
})
