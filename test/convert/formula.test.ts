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

describe('writes the source of a script-rendered formula once', () => {
  it.each([
    [
      'KaTeX on lines of its own',
      'a<span class="katex-display"><span class="katex"><span class="katex-mathml"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class="katex-html" aria-hidden="true">x1</span></span></span>',
      'a\n\n$$\nx_1\n$$',
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
      'a $x*y*$ for $5 and\n\n$$\nz_1\n$$\n\n$$\n\\begin{align} a \\end{align}\n$$\n\n\\\\(b',
    ],
    [
      'between dollars where the script asks for it',
      '<script>MathJax = { tex: { inlineMath: [["$", "$"]] } }</script><p>a $x*y*$ b</p>',
      'a $x*y*$ b',
    ],
    ['nowhere else', '<p>\\(a*b*\\)</p>', '\\\\(a\\*b\\*\\\\)'],
  ])('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
})
