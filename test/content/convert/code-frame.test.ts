import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

const LISTING = '```js\nlet a = 1\nlet b = 2\n```'
const PRE = '<pre class="language-js"><code>let a = 1\nlet b = 2</code></pre>'

describe('what a page puts beside a listing', () => {
  it.each([
    [
      'the language before and numbers after it, as VitePress writes them',
      `<div class="language-js line-numbers-mode"><button title="Copy Code" class="copy"></button><span class="lang">js</span>${PRE}<div class="line-numbers-wrapper" aria-hidden="true"><span class="line-number">1</span><br><span class="line-number">2</span><br></div></div>`,
    ],
    [
      'numbers in a block before it',
      `<div class="code"><div class="line-numbers"><span>1</span><span>2</span></div>${PRE}</div>`,
    ],
    [
      'the language in a header, as on MDN',
      `<div class="code-example"><div class="example-header"><span class="language-name">js</span></div>${PRE}</div>`,
    ],
    [
      'the name of the language in the toolbar of Prism',
      `<div class="code-toolbar">${PRE}<div class="toolbar"><div class="toolbar-item"><span>JavaScript</span></div><div class="toolbar-item"><button>Copy</button></div></div></div>`,
    ],
    [
      'a title for screen readers, as Expressive Code writes it',
      `<figure class="frame"><figcaption class="header"><span class="title"></span><span class="sr-only">Terminal window</span></figcaption>${PRE}</figure>`,
    ],
  ])('is left out of the Markdown: %s', (_, html) => {
    expect(markdownOf(`<p>a</p>${html}<p>b</p>`)).toBe(`a\n\n${LISTING}\n\nb`)
  })

  it.each([
    ['the name of a file', `<div class="highlight"><span class="filename">a.js</span>${PRE}</div>`, 'a.js'],
    ['a remark', `<div class="code"><div class="lang">In the browser</div>${PRE}</div>`, 'In the browser'],
    ['numbers that are data', `<div><p class="line-number">1984</p><p>b</p></div>${PRE}`, '1984\n\nb'],
  ])('is kept if it says something: %s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(`${expected}\n\n${LISTING}`)
  })

  it('is left out only beside a listing', () => {
    expect(markdownOf('<p>Spoken: <span class="lang">Latin</span>, <span class="lang">C</span></p>')).toBe(
      'Spoken: Latin, C',
    )
  })
})

describe('a listing in a table beside its numbers', () => {
  const table = (title: string): string =>
    `<div class="highlight"><table class="highlighttable">${title}<tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><div>${PRE}</div></td></tr></table></div>`

  it('has the title of the table above it', () => {
    expect(markdownOf(table('<tr><th colspan="2" class="filename"><span class="filename">a.js</span></th></tr>'))).toBe(
      `a.js\n\n${LISTING}`,
    )
  })

  it('has the language of the wrapper', () => {
    const listing =
      '<tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><div><pre>a = 1\nb = 2</pre></div></td></tr>'
    const wrapped = `<div class="highlight-python notranslate"><table class="highlighttable">${listing}</table></div>`
    expect(markdownOf(wrapped)).toBe('```python\na = 1\nb = 2\n```')
  })

  it('may have no title', () => {
    expect(markdownOf(table(''))).toBe(LISTING)
  })

  const unnamed = (numbers: string, code: string): string =>
    markdownOf(`<table><tr><td> <pre>${numbers}</pre> </td><td><pre class="code">${code}</pre></td></tr></table>`)

  it.each([
    ['from 1', '1\n2', 'a\nb'],
    ['from a line of the file', '  9\n 10\n 11\n', 'a\n\nb'],
    ['below a title', '\n\n\n22', '# file, line 22\n\na'],
  ])('may name neither of them: %s', (_, numbers, code) => {
    expect(unnamed(numbers, code)).toBe(`\`\`\`\n${code}\n\`\`\``)
  })

  it.each([
    ['one number', '1', 'a\nb'],
    ['fewer than the lines', '1\n2', 'a\nb\nc'],
    ['that do not count', '1\n3', 'a\nb'],
    ['beside words', '1\nx', 'a\nb'],
  ])('keeps numbers of another meaning: %s', (_, numbers, code) => {
    expect(unnamed(numbers, code)).toBe(`\`\`\`\n${numbers}\n\`\`\`\n\n\`\`\`\n${code}\n\`\`\``)
  })
})

describe('a diff', () => {
  const line = (names: string, text: string): string =>
    `<div class="ec-line ${names}"><div class="code">${text}</div></div>`

  it('gets the signs that a style sheet shows', () => {
    const lines = line('', 'a: 1') + line('highlight del', 'b: 3') + line('highlight ins', 'b: 5')
    expect(markdownOf(`<pre data-language="diff"><code>${lines}</code></pre>`)).toBe(
      '```diff\n a: 1\n-b: 3\n+b: 5\n```',
    )
  })

  it('keeps the signs that it has', () => {
    const lines = line('del', '- b: 3') + line('ins', '+ b: 5')
    expect(markdownOf(`<pre data-language="diff"><code>${lines}</code></pre>`)).toBe('```diff\n- b: 3\n+ b: 5\n```')
  })

  it('has no signs in another language', () => {
    expect(markdownOf(`<pre data-language="yaml"><code>${line('ins', 'b: 5')}</code></pre>`)).toBe('```yaml\nb: 5\n```')
  })
})

describe('a link right after a heading that leads to it', () => {
  it('is left out, whatever its words', () => {
    const link = '<a class="anchor" href="#ebb"><span class="sr-only">Section titled “Ebb”</span></a>'
    expect(markdownOf(`<div><h2 id="ebb">Ebb</h2>${link}</div><p>b`)).toBe('## Ebb\n\nb')
  })

  it('is kept if it leads elsewhere', () => {
    expect(markdownOf('<h2 id="ebb">Ebb</h2><a href="#flow">Flow</a>')).toMatch(/^## Ebb\n\n\[Flow\]\(\S+#flow\)$/)
  })
})

describe('code that is drawn with other elements', () => {
  it('is JSON if nested lists draw it, whose branches open and close', () => {
    const tree =
      '<code><button></button>[<ul><li><div>{<ul><li><div>"time": <span>"04:12"</span>,</div></li><li>"height": 3.4</li></ul>}</div></li></ul>]</code>'
    expect(markdownOf(`<div>${tree}</div>`)).toBe(
      '```json\n[\n  {\n    "time": "04:12",\n    "height": 3.4\n  }\n]\n```',
    )
  })

  it('is read once, whatever its depth', () => {
    const depth = 200
    const html = `${'<code>[<div>'.repeat(depth)}<ul><li>${'1,'.repeat(20)}1</li></ul>${'</div>]</code>'.repeat(depth)}`
    expect(markdownOf(html)).toMatch(/^```json/)
    expect(markdownOf(`<code>no</code>${html.replace('[', '')}`)).not.toContain('```')
  })

  it('stays a list if its text is no JSON', () => {
    expect(markdownOf('<code>{<ul><li>time</li></ul></code>')).toBe('{\n\n- time')
  })

  it('is inline code in a heading, which is one line', () => {
    expect(markdownOf('<h1>Harbour<small><pre> 1.2 </pre></small></h1>')).toBe('# Harbour `1.2`')
  })
})

it.each([
  ['a header', '<div class="code-header"><span>python</span><button>Copy code</button></div>'],
  ['a title', '<p class="code-title">Python</p>'],
])('%s above a listing that is the name of its language is the language of the listing', (_, header) => {
  expect(markdownOf(`<div class="code-block">${header}<pre><code>x = 1</code></pre></div>`)).toBe(
    '```python\nx = 1\n```',
  )
})

it('a blank line at the beginning of code that a converter has written is kept, and none that formats the source', () => {
  expect(markdownOf('<pre><code class="language-sh">\nmake\n</code></pre>')).toBe('```sh\n\nmake\n```')
  expect(markdownOf('<pre>\n  \n  make\n</pre>')).toBe('```\n  make\n```')
})
