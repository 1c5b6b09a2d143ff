import { describe, expect, it } from 'vitest'
import { markdown } from '../../src/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

const markdownOf = (html: string): string =>
  markdown.convert(extractHtml(html), { type: 'markdown' }, { removeBase64Images: true }).markdown

/** Runs rows of a name, HTML and the expected Markdown. */
const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

describe('lists', () => {
  shows([
    ['nest', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['mix', '<ol start=9><li>a<ul><li>b</ul><li>c</ol>', '9. a\n   - b\n10. c'],
    ['take up a list put straight into a list', '<ul><li>a</li><ul><li>b</li></ul></ul>', '- a\n  - b'],
    [
      'hold paragraphs and code',
      '<ul><li><p>a</p><p>b</p><pre>c\nd</pre></li></ul>',
      '- a\n\n  b\n\n  ```\n  c\n  d\n  ```',
    ],
    [
      'know tasks',
      '<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['stay two where they follow each other', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
    ['stand apart where they begin with another number', '<ul><li>a<ol start=3><li>b</ol></ul>', '- a\n\n  3. b'],
    ['count as the page says', '<ol reversed><li>a<li>b<li value=9>c</ol>', '3. a\n2. b\n9. c'],
    ['are tasks only where the box comes first', '<ul><li>a <input type=checkbox></ul>', '- a'],
    ['lose empty items', '<ul><li></li><li>a</li></ul>', '- a'],
    [
      'of terms are bold lines and paragraphs',
      '<dl><dt>a<dd>b<dt><code>c</code><dd><p>d</p></dl>',
      '**a**\n\nb\n\n**`c`**\n\nd',
    ],
    ['that open have their summary in bold', '<details><summary>a</summary><p>b</p></details>', '**a**\n\nb'],
    ['are quoted', '<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
  ])
})

describe('code', () => {
  shows([
    ['is verbatim', '<pre>a\n\tb  <b>*c*</b>\n\n&lt;d&gt;\n</pre>', '```\na\n\tb  *c*\n\n<d>\n```'],
    ['has a longer fence around fences', '<pre>```\na\n```</pre>', '````\n```\na\n```\n````'],
    [
      'is code where each line is a block of a listing, and verses are verses',
      '<div class="fragment"><div class="line"><span>if (a)</span></div>\n<div class="line">  *b;</div></div><div class="line-block"><div class="line">c</div></div>',
      '```\nif (a)\n  *b;\n```\n\nc',
    ],
    ['knows its language', '<pre><code class="hljs language-ts">a</code></pre>', '```ts\na\n```'],
    [
      'knows the language of its wrapper',
      '<div class="highlight-python notranslate"><div class="highlight"><pre>a</pre></div></div>',
      '```python\na\n```',
    ],
    [
      'takes no other class for a language',
      '<pre class="wrap code-block"><code class="hljs">a</code></pre>',
      '```\na\n```',
    ],
    ['has a line for each line of the page', '<pre><div>a</div><div>b</div>c<br>d</pre>', '```\na\nb\nc\nd\n```'],
    [
      'loses numbers beside it',
      '<pre><span class="lineno">1</span>a\n<span class="lineno">2</span>b</pre>',
      '```\na\nb\n```',
    ],
    [
      'loses numbers that nothing marks',
      '<pre><div><i>1</i></div><div>a</div><div><i>2</i></div><div>b</div></pre>',
      '```\na\nb\n```',
    ],
    [
      'keeps numbers that count up within a line',
      '<pre><code><i>[</i><b>1</b>, <b>2</b>, <b>3</b>]\na\nb</code></pre>',
      '```\n[1, 2, 3]\na\nb\n```',
    ],
    [
      'is without the tooltips of its names',
      '<div class="fragment"><div class="line">int a;</div><div class="ttc">Definition: b.h</div></div>',
      '```\nint a;\n```',
    ],
    [
      'knows a language by its name alone',
      '<pre class="programlisting java">a</pre><pre lang=en>b</pre>',
      '```java\na\n```\n\n```\nb\n```',
    ],
    [
      'keeps empty lines',
      '<pre><div class=line>a</div><div class=line></div><div class=line>b</div></pre>',
      '```\na\n\nb\n```',
    ],
    [
      'comes out of a table of one row',
      '<table><tr><td class=gutter>1 2<td><div>a</div><div>&nbsp;b</div></table>',
      '```\na\n b\n```',
    ],
    [
      'stands on lines of its own where the page puts it there',
      '<div><code>a<br>b<br>c</code></div>',
      '```\na\nb\nc\n```',
    ],
    ['of two lines does as well', '<p><code>\n  a  b <br>\n  &nbsp;c\n</code></p>', '```\na b\n c\n```'],
    [
      'with a link stays in its lines',
      '<p><code>a <a href="x">b</a><br>c</code></p>',
      '`a` [`b`](https://site.test/dir/x)  \n`c`',
    ],
    ['in one line stays in it', '<p><code>a<br></code></p>', '`a`'],
    [
      'keeps the lines of its source where those are more',
      '<p><code>a\n  b\n  c\n  d<br>e</code></p>',
      '```\na\n  b\n  c\n  d\ne\n```',
    ],
    ['keeps numbers that are code', '<pre><span>1</span>, <span>2</span></pre>', '```\n1, 2\n```'],
    ['loses buttons', '<pre><button>Copy</button>a</pre>', '```\na\n```'],
    [
      'comes out of a table of numbered lines',
      '<table><tr><td class="blob-num">1</td><td>a</td></tr><tr><td class="blob-num">2</td><td>  b</td></tr></table>',
      '```\na\n  b\n```',
    ],
    ['in a line has a fence of its own', '<p><code>`a` b</code></p>', '`` `a` b ``'],
    ['that holds blocks is none', '<code><p>a</p><p>b</p></code>', 'a\n\nb'],
  ])
})

describe('tables', () => {
  shows([
    ['have a header', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    [
      'take their first row for it when it looks like one',
      '<table><tr><td>a<td>b<tr><td>1<td>2</table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'have an empty header when heads stand at the side',
      '<table><tr><th>a<td>1<tr><th>b<td>2</table>',
      '|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |',
    ],
    [
      'have their caption before them',
      '<table><caption>c</caption><tr><th>a<tr><td>1</table>',
      'c\n\n| a |\n| --- |\n| 1 |',
    ],
    [
      'keep columns in place around spans',
      '<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>',
      '| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |',
    ],
    [
      'escape pipes, also in code',
      '<table><tr><th>a|b<tr><td><code>c||d</code></table>',
      '| a\\|b |\n| --- |\n| `c\\|\\|d` |',
    ],
    [
      'break lines inside of cells',
      '<table><tr><th>a<tr><td>b<br>c<p>d</p></table>',
      '| a |\n| --- |\n| b<br>c<br>d |',
    ],
    ['that only arrange are blocks', '<table role=presentation><tr><td><h2>a</h2><td>b</table>', '## a\n\nb'],
    [
      'that hold tables are blocks',
      '<table><tr><td><table><tr><th>a<tr><td>1</table></table>',
      '| a |\n| --- |\n| 1 |',
    ],
    [
      'hold no headings, quotes or blocks of code',
      '<table><tr><th>a<th>b<tr><td><h3>c</h3>d<td><blockquote>e</blockquote><pre>f</pre></table>',
      '| a | b |\n| --- | --- |\n| **c**<br>d | e<br>`f` |',
    ],
    [
      'may have headings for heads',
      '<table><tr><td><h3>a</h3><td><h3>b</h3><tr><td>c<td>d</table>',
      '| **a** | **b** |\n| --- | --- |\n| c | d |',
    ],
    [
      'hold small tables as lines',
      '<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f<td>g</table></table>',
      '| a | b |\n| --- | --- |\n| c | d e<br>f g |',
    ],
    [
      'keep their alignment',
      '<table><tr><th align=right>a<th style="text-align: center">b<th>c<tr><td>d<td>e<td>f</table>',
      '| a | b | c |\n| ---: | :---: | --- |\n| d | e | f |',
    ],
    [
      'are known by their roles, if nothing is lost',
      '<div role=table><div role=row><i role=columnheader>a</i><i role=columnheader>b</i></div><div role=row><i role=cell>c</i><i role=cell>d</i></div></div><div role=table><div role=row><i role=cell>e</i></div>f</div>',
      '| a | b |\n| --- | --- |\n| c | d |\n\n*e*\n\nf',
    ],
    ['of one column are blocks', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
    ['vanish when empty', 'a<table><tr><td></td></tr></table>b', 'a\n\nb'],
  ])
})
