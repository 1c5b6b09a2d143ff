import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

describe('converts a formula in MathML to LaTeX', () => {
  it.each([
    ['<mfrac><mn>1</mn><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></mfrac>', '\\frac{1}{a + b}'],
    ['<msup><mi>x</mi><mn>2</mn></msup><msub><mi>a</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>', 'x^2a_{ij}'],
    ['<msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>10</mn></msup>', '{(a)}^{10}'],
    ['<msubsup><mo>∫</mo><mn>0</mn><mn>1</mn></msubsup><mi>f</mi>', '\\int_0^1 f'],
    [
      '<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>',
      '\\sum_{i = 1}^n i',
    ],
    ['<munder><mi>lim</mi><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>', '\\lim_{x \\rightarrow \\infty}'],
    ['<msqrt><mi>x</mi><mi>y</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>', '\\sqrt{xy}\\sqrt[3]{x}'],
    [
      '<mover><mi>x</mi><mo>¯</mo></mover><mover><mrow><mi>a</mi><mi>b</mi></mrow><mo>¯</mo></mover>',
      '\\bar{x}\\overline{ab}',
    ],
    ['<munder><munder><mi>x</mi><mo>⏟</mo></munder><mtext>n</mtext></munder>', '\\underbrace{x}_{\\text{n}}'],
    ['<mi>α</mi><mi>b</mi><mo>∈</mo><mi>ℝ</mi>', '\\alpha b \\in \\mathbb{R}'],
    [
      '<mi>sin</mi><mo>\u2061</mo><mi>x</mi><mi mathvariant="bold">v</mi><mi>𝐱</mi><mi>𝑦</mi>',
      '\\sin x\\mathbf{v}\\mathbf{x}y',
    ],
    ['<mn>50</mn><mo>%</mo><mspace width="1em"/><mtext>of x_1</mtext>', '50\\%\\quad \\text{of x\\_1}'],
    ['<mfenced open="[" separators=";"><mi>a</mi><mi>b</mi></mfenced>', '[a;b)'],
    ['<mrow><mo>(</mo><mfrac><mi>a</mi><mi>b</mi></mfrac><mo>)</mo></mrow>', '\\left( \\frac{a}{b} \\right)'],
    ['<mo>-</mo><mn>1</mn><mo>-</mo><mn>2</mn><mo>=</mo><mo>-</mo><mn>3</mn>', '-1 - 2 = -3'],
    [
      '<mo>[</mo><mtable><mtr><mtd><mi>a</mi></mtd><mtd><mi>b</mi></mtd></mtr><mtr><mtd><mi>c</mi></mtd></mtr></mtable><mo>]</mo>',
      '\\begin{bmatrix} a & b \\\\ c \\end{bmatrix}',
    ],
    [
      '<mrow><mo>{</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mtext>else</mtext></mtd></mtr></mtable></mrow>',
      '\\begin{cases} 1 & \\text{else} \\end{cases}',
    ],
    ['<mmultiscripts><mi>C</mi><mi>k</mi><none/><mprescripts/><mi>n</mi><none/></mmultiscripts>', '{}_nC_k'],
  ])('%s', (mathml, tex) => {
    expect(markdownOf(`<math>${mathml}</math>`)).toBe(`$${tex}$`)
  })

  it('converts a MathML formula that is also described in words', () => {
    expect(markdownOf('<math alttext="x plus one over two"><mi>x</mi></math>')).toBe('$x$')
  })
})

describe('a table that lays out formulas', () => {
  const math = (tex: string): string => `<math alttext="${tex}"><mi>x</mi></math>`

  it('is one formula for each row, with its number', () => {
    const rows = `<tr><td></td><td>${math('\\displaystyle a')}</td><td>${math('\\displaystyle=b')}.</td><td></td><td>(1.2)</td></tr><tr><td></td><td></td><td>${math('=c')}</td><td></td><td></td></tr>`
    expect(markdownOf(`<table class="ltx_equationgroup ltx_eqn_align">${rows}</table>`)).toBe(
      '$$\na =b . \\tag{1.2}\n$$\n\n$$\n=c\n$$',
    )
  })

  it('separates the formulas that stand beside each other, and keeps a number that a formula states', () => {
    const right = (tex: string): string => `<td class="ltx_td ltx_align_right">${math(tex)}</td>`
    const left = (tex: string): string => `<td class="ltx_td ltx_align_left">${math(tex)}</td>`
    const row = `<tr>${right('a')}${left('=b')}${right('c')}${left('=d')}<td>(S3)</td></tr>`
    const whole = `<tr><td>${math('a=b')}</td><td>${math('c=d \\tag{7}')}</td><td>(7)</td></tr>`
    expect(markdownOf(`<table class="equation">${row}${whole}</table>`)).toBe(
      '$$\na =b \\qquad c =d \\tag{S3}\n$$\n\n$$\na=b \\qquad c=d \\tag{7}\n$$',
    )
  })

  it('may have formulas that MathJax 4 draws', () => {
    const drawn = '<mjx-container><mjx-math data-latex="y"></mjx-math></mjx-container>'
    expect(markdownOf(`<table class="equation"><tr><td>${math('x')}</td><td>${drawn}</td></tr></table>`)).toBe(
      '$$\nx y\n$$',
    )
  })

  it.each([
    ['without such a name', '', math('a')],
    ['with words', 'ltx_equation', `if ${math('a')}`],
    ['with an image', 'equation', `${math('a')}<img src="a.png" alt="graph">`],
    ['with a value beside the number', 'equation', `1</td><td>${math('a')}`],
  ])('is a table %s', (_, name, cell) => {
    expect(markdownOf(`<table class="${name}"><tr><td>${cell}</td><td>(1)</td></tr></table>`)).toMatch(/^\|/)
  })
})

describe('writes the source of a script-rendered formula once', () => {
  it.each([
    [
      'KaTeX on lines of its own',
      'a<span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></span>',
      'a\n\n$$\nx_1\n$$',
    ],
    [
      'MathJax 4, which draws no MathML',
      'a <mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="x^2"><mjx-mi data-latex="x"><mjx-c>x</mjx-c></mjx-mi></mjx-math></mjx-container> b<mjx-container class="MathJax" jax="SVG" display="true"><svg><g data-mml-node="math" data-latex="y^2"><g data-latex="y"></g></g></svg></mjx-container>',
      'a $x^2$ b\n\n$$\ny^2\n$$',
    ],
    [
      'MathJax 3',
      'a <mjx-container class="MathJax"><mjx-math aria-hidden="true">x2</mjx-math><mjx-assistive-mml><math><mi>x</mi></math></mjx-assistive-mml></mjx-container> b',
      'a $x$ b',
    ],
    [
      'MathJax 2',
      'a <span class="MathJax_Preview">x2</span><span class="MathJax"><i>x2</i></span><script type="math/tex">x^2</script> b <script type="math/tex; mode=display">y</script>',
      'a $x^2$ b\n\n$$\ny\n$$',
    ],
    ['in an attribute', 'a <span class="ql-formula" data-value="e=mc^2">e</span>', 'a $e=mc^2$'],
    ['as an image', '<img src="https://latex.codecogs.com/gif.latex?x" alt="x_1">', '$x_1$'],
    ['in the text of its element', '<span class="math inline">\\(a_1*b*\\)</span>', '$a_1*b*$'],
    [
      'in the text of a page with such a script',
      '<script src="/mathjax.js"></script><p>a \\(x*y*\\) for $5 and \\[z_1\\]</p><p>\\begin{align} a \\end{align} \\(b</p>',
      'a $x*y*$ for \\$5 and\n\n$$\nz_1\n$$\n\n$$\n\\begin{align} a \\end{align}\n$$\n\n\\\\(b',
    ],
    [
      'between dollars where the script asks for it',
      '<script>MathJax = { tex: { inlineMath: [["$", "$"]] } }</script><p>a $x*y*$ b</p>',
      'a $x*y*$ b',
    ],
    [
      'and not the dollars of a text beside one',
      '<p>$5 and $6 for <math><mi>x</mi></math>, see https://a.test/$1 and <b>$7</b></p><p>only $8</p><p>$HOME, $PATH</p>',
      '\\$5 and \\$6 for $x$, see https://a.test/$1 and **\\$7**\n\nonly $8\n\n\\$HOME, \\$PATH',
    ],
    ['and no dollar of a page without formulas', '<p>$5 and $6</p>', '$5 and $6'],
    [
      'in AsciiMath as code, where a script reads it',
      '<script src="/MathJax.js?config=TeX-MML-AM_CHTML"></script><p>a `sqrt(x_1*y*)` b</p>',
      'a `sqrt(x_1*y*)` b',
    ],
    ['in AsciiMath nowhere else', '<p>a `sqrt(x)` b</p>', 'a \\`sqrt(x)\\` b'],
    ['in AsciiMath of a script', '<p>a <script type="math/asciimath">x_1*y*</script> b</p>', 'a `x_1*y*` b'],
    [
      'once, if AsciiMath is drawn before its script',
      '<p>a <span class="MathJax" data-mathml="&lt;math>&lt;mi>x&lt;/mi>&lt;/math>"></span><script type="math/asciimath">x</script> b</p>',
      'a $x$ b',
    ],
    [
      'in MathML whose annotation is AsciiMath',
      '<math><semantics><msqrt><mi>x</mi></msqrt><annotation encoding="text/x-asciimath">sqrt x</annotation></semantics></math>',
      '$\\sqrt{x}$',
    ],
    ['nowhere else', '<p>\\(a*b*\\)</p>', '\\\\(a\\*b\\*\\\\)'],
  ])('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
})

describe('keeps the text of a formula within its delimiters', () => {
  const kindsIn = (text: string): string[] => {
    const kinds: string[] = []
    const walk = (node: { readonly type: string; readonly children?: readonly object[] }): void => {
      kinds.push(node.type)
      for (const child of node.children ?? []) walk(child as typeof node)
    }
    walk(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))
    return kinds
  }
  const EVIL = [
    'a$ <img src=x onerror=alert(1)> $b',
    'a<script>alert(1)</script>',
    'a<!-- b',
    'a<javascript:alert(1)>',
    '[x](javascript:alert(1))',
    '![x](javascript:alert(1))',
    'a ` b',
    '# x',
    '~~~',
    'a\\',
    '\\\\$ <b>',
  ]
  const escaped = (tex: string): string =>
    tex.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const after = '<p>and <code>&lt;b onclick=x&gt;</code></p>'
  const places: readonly (readonly [string, (tex: string) => string])[] = [
    ['alttext', (tex) => `<p>a <math alttext="${escaped(tex)}"><mi>x</mi></math> b</p>`],
    ['a block', (tex) => `<math display="block" alttext="${escaped(tex)}"><mi>x</mi></math>`],
    ['an attribute', (tex) => `<p>a <span data-tex="${escaped(tex)}">x</span> b</p>`],
    [
      'an image',
      (tex) => `<p>a <img class="latex" src="https://latex.codecogs.com/gif.latex?x" alt="${escaped(tex)}"></p>`,
    ],
    ['text', (tex) => `<script src="/mathjax.js"></script><p>a \\(${escaped(tex)}\\) b</p>`],
  ]
  it.each(places)('in %s', (_, write) => {
    for (const tex of EVIL) {
      const written = markdownOf(write(tex) + after)
      const kinds = kindsIn(written)
      expect([written, ...kinds.filter((kind) => ['html', 'link', 'image', 'heading', 'code'].includes(kind))]).toEqual(
        [written],
      )
      expect([written, kinds.filter((kind) => kind === 'inlineCode').length]).toEqual([written, 1])
      expect([written, written.replace(/\\./gs, '').match(/\$+/g)?.length]).toEqual([written, 2])
    }
  })

  it('and leaves other formulas as they are', () => {
    for (const tex of ['a < b', 'a<1', '\\sqrt[3]{x}', '\\text{5 \\$}', 'x_1^{2}\\\\ y'])
      expect(markdownOf(`<math alttext="${escaped(tex)}"><mi>x</mi></math>`)).toBe(`$${tex}$`)
    expect(markdownOf('<math alttext="a&lt;b"><mi>x</mi></math>')).toBe('$a< b$')
  })

  it('and writes formulas in its text with delimiters that do not end it', () => {
    for (const [tex, written] of [
      ['\\text{if $x_{0}>0$, or $y$}', '\\text{if \\(x_{0}>0\\), or \\(y\\)}'],
      ['\\mbox{for $x$} + \\text{5 $}', '\\mbox{for \\(x\\)} + \\text{5 \\$}'],
      ['\\text{5 \\$ or $x$}', '\\text{5 \\$ or \\(x\\)}'],
      ['a \\\\text{$x$}', 'a \\\\text{\\$x\\$}'],
    ] as const)
      expect(markdownOf(`<math alttext="${escaped(tex)}"><mi>x</mi></math>`)).toBe(`$${written}$`)
  })
})
