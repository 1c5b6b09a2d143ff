import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

/** Runs rows of a name, HTML and the expected Markdown. */
const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

describe('code', () => {
  shows([
    ['is unchanged in a code block', '<pre>a\n\tb  <b>*c*</b>\n\n&lt;d&gt;\n</pre>', '```\na\n\tb  *c*\n\n<d>\n```'],
    ['has a longer fence if it contains fences', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
    [
      'is read from a Doxygen listing with an element for each line, unlike verses',
      '<div class="fragment"><div class="line"><span>if (a)</span></div>\n<div class="line">  *b;</div></div><div class="line-block"><div class="line">c</div></div>',
      '```\nif (a)\n  *b;\n```\n\nc',
    ],
    [
      'is read from the lines of CodeMirror 5, without the numbers beside them',
      '<div class="CodeMirror"><div class="CodeMirror-measure"><pre>x</pre></div><div class="CodeMirror-code"><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">1</div></div><pre class=" CodeMirror-line "><span>if (a)</span></pre></div><div><div class="CodeMirror-gutter-wrapper"><div class="CodeMirror-linenumber">2</div></div><pre class=" CodeMirror-line ">\u200B</pre><pre class=" CodeMirror-line ">  b</pre></div></div></div>',
      '```\nif (a)\n\n  b\n```',
    ],
    [
      'is read from those of CodeMirror 6, with its language',
      '<div class="cm-editor"><div class="cm-gutters" aria-hidden="true"><div>1</div><div>2</div></div><div class="cm-content" data-language="css"><div class="cm-line">a {</div><div class="cm-line"><br></div><div class="cm-line">  b</div></div></div>',
      '```css\na {\n\n  b\n```',
    ],
    [
      'is read from those of Monaco',
      '<div class="monaco-editor"><div class="margin"><div class="margin-view-overlays"><div>1</div><div>2</div></div></div><div class="view-lines"><div class="view-line"><span>if&nbsp;(a)</span></div><div class="view-line"><span>&nbsp;&nbsp;b</span></div></div></div>',
      '```\nif (a)\n  b\n```',
    ],
    [
      'is read from those of Ace',
      '<div class="ace_editor"><div class="ace_gutter"><div>1</div><div>2</div></div><div class="ace_layer ace_text-layer"><div class="ace_line">if (a)</div><div class="ace_line">  b</div></div></div>',
      '```\nif (a)\n  b\n```',
    ],
    [
      'is not read from other lines of that name',
      '<div class="view view-lines"><div class="views-row">a</div><div class="views-row">b</div></div>',
      'a\n\nb',
    ],
    ['has the language of its class', '<pre><code class="hljs language-ts">a</code></pre>', '```ts\na\n```'],
    [
      'has the language of its setting in Confluence',
      '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">a</pre>',
      '```java\na\n```',
    ],
    [
      'has the language of its wrapper’s class',
      '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>',
      '```python\na\n```',
    ],
    [
      'has no language from classes with other meanings',
      '<pre class="wrap code-block"><code class="hljs">a</code></pre>',
      '```\na\n```',
    ],
    [
      'has no language from classes that are about its looks, and none from a natural language',
      [
        'code-example',
        'highlight-dark',
        'hljs copyable',
        'prettyprint prettyprinted',
        'code code-sm',
        'lang-en',
        'language-pt-BR',
        'language-switcher',
        'col-md-6',
      ]
        .map((name) => `<pre class="${name}">a</pre>`)
        .join('<p>b</p>'),
      Array.from({ length: 9 }, () => '```\na\n```').join('\n\nb\n\n'),
    ],
    [
      'has the language that one of several classes names',
      '<pre class="sourceCode numberSource python">a</pre><p>b</p><pre class="code code-block code-go">a</pre><p>b</p><pre class="sh_sourceCode sh_java">a</pre><p>b</p><pre class="hljs language-unheard">a</pre>',
      '```python\na\n```\n\nb\n\n```go\na\n```\n\nb\n\n```java\na\n```\n\nb\n\n```unheard\na\n```',
    ],
    [
      'has any language that Sphinx, org-mode, Pandoc and highlight.js name',
      [
        '<div class="highlight-c# notranslate"><div class="highlight"><pre>a</pre></div></div>',
        '<div class="highlight-html+jinja"><div class="highlight"><pre>a</pre></div></div>',
        '<pre class="src src-lean4">a</pre>',
        '<pre class="sourceCode dosini"><code class="sourceCode dosini">a</code></pre>',
        '<pre><code class="hljs peg">a</code></pre>',
        '<pre class="code code-html+jinja">a</pre>',
      ].join('<p>b</p>'),
      ['c#', 'html+jinja', 'lean4', 'dosini', 'peg', 'html+jinja']
        .map((name) => `\`\`\`${name}\na\n\`\`\``)
        .join('\n\nb\n\n'),
    ],
    [
      'has a language with a name of two letters, unless it is the natural language of the page',
      '<html lang=sv-SE><body><pre class="language-nb">a</pre><p>b</p><pre data-lang=hy>a</pre><p>b</p><pre class="lang-sv">a</pre><p>b</p><pre lang=nb class="lang-nb">a</pre>',
      '```nb\na\n```\n\nb\n\n```hy\na\n```\n\nb\n\n```\na\n```\n\nb\n\n```\na\n```',
    ],
    [
      'has no language from the natural language of the page either if it is a table with numbers',
      '<html lang=sv-SE><body><main><table class="lang-sv"><tr><td class="lineno">1<td>a<tr><td class="lineno">2<td>b</table></main>',
      '```\na\nb\n```',
    ],
    [
      'has the language that a label at its beginning or right before it names, without the label',
      '<pre class="shiki"><div class="language-id">ts</div><div><code>a;\nb</code></div></pre><p>b</p><pre><span class=lang>js</span><code>a</code></pre><p>b</p><div><span class="lang">JavaScript</span><pre>a</pre></div><p>b</p><pre>ts\na</pre>',
      '```ts\na;\nb\n```\n\nb\n\n```js\na\n```\n\nb\n\n```javascript\na\n```\n\nb\n\n```\nts\na\n```',
    ],
    [
      'has the language that MediaWiki, `lang` or a block some levels above states, in any letters',
      '<div class="mw-highlight mw-highlight-lang-mysql"><pre>a</pre></div><p>b</p><pre lang=x>a</pre><p>b</p><pre lang=mysql>a</pre><p>b</p><section class="language-hcl"><div><div><pre>a</pre></div></div></section><p>b</p><pre class="language-föö">a</pre>',
      ['mysql', 'x', 'mysql', 'hcl', 'föö'].map((name) => `\`\`\`${name}\na\n\`\`\``).join('\n\nb\n\n'),
    ],
    ['has a line for each block and line break', '<pre><div>a</div><div>b</div>c<br>d</pre>', '```\na\nb\nc\nd\n```'],
    [
      'has no line numbers with a class name',
      '<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>',
      '```\na\nb\n```',
    ],
    [
      'has no line numbers without a class name',
      '<pre><div><i>1</i></div><div>a</div><div><i>2</i></div><div>b</div></pre>',
      '```\na\nb\n```',
    ],
    [
      'keeps numbers that count up within one line',
      '<pre><code><i>[</i><b>1</b>, <b>2</b>, <b>3</b>]\na\nb</code></pre>',
      '```\n[1, 2, 3]\na\nb\n```',
    ],
    [
      'has no tooltips of Doxygen',
      '<div class="fragment"><div class="line">int a;</div><div class="ttc">Definition: b.h</div></div>',
      '```\nint a;\n```',
    ],
    [
      'has the language of a class that is only its name',
      '<pre class="programlisting java">a</pre><pre lang=en>b</pre>',
      '```java\na\n```\n\n```\nb\n```',
    ],
    [
      'keeps empty lines of a listing',
      '<pre><div class=line>a</div><div class=line></div><div class=line>b</div></pre>',
      '```\na\n\nb\n```',
    ],
    [
      'is read from a table with all numbers in one cell',
      '<table><tr><td class=gutter>1 2<td><div>a</div><div>&nbsp;b</div></table>',
      '```\na\n b\n```',
    ],
    [
      'becomes a code block if it is alone in its block and has several lines',
      '<div><code>a<br>b<br>c</code></div>',
      '```\na\nb\nc\n```',
    ],
    [
      'becomes a code block with two lines, with non-breaking spaces as indentation',
      '<p><code>\n  a  b <br>\n  &nbsp;c\n</code></p>',
      '```\na b\n c\n```',
    ],
    [
      'stays inline if it contains a link',
      '<p><code>a <a href="x">b</a><br>c</code></p>',
      '`a` [`b`](https://site.test/dir/x)  \n`c`',
    ],
    ['stays inline if it is one line', '<p><code>a<br></code></p>', '`a`'],
    [
      'keeps the lines of its source if these are more than its line breaks',
      '<p><code>a\n  b\n  c\n  d<br>e</code></p>',
      '```\na\n  b\n  c\n  d\ne\n```',
    ],
    ['keeps numbers that are followed by other code', '<pre><span>1</span>, <span>2</span></pre>', '```\n1, 2\n```'],
    [
      'has a line for each block',
      '<pre><section>a</section><figure>b</figure>c<details>d</details></pre>',
      '```\na\nb\nc\nd\n```',
    ],
    ['has no buttons', '<pre><button>Copy</button>a</pre>', '```\na\n```'],
    [
      'is read from a table with a row for each line',
      '<table><tr><td class="blob-num">1</td><td>a</td></tr><tr><td class="blob-num">2</td><td>  b</td></tr></table>',
      '```\na\n  b\n```',
    ],
    ['has longer delimiters inline if it contains backticks', '<p><code>`a` b</code></p>', '`` `a` b ``'],
    ['is read as text if it contains blocks', '<code><p>a</p><p>b</p></code>', 'a\n\nb'],
  ])
})
