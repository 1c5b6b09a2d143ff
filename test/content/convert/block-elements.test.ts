import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

/** Runs rows of a name, HTML and the expected Markdown. */
const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

describe('lists', () => {
  shows([
    ['are nested as in the page', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['may be nested in lists of another kind', '<ol start=9><li>a<ul><li>b</ul><li>c</ol>', '9. a\n   - b\n10. c'],
    [
      'include a list directly inside a list in the item before',
      '<ul><li>a</li><ul><li>b</li></ul></ul>',
      '- a\n  - b',
    ],
    [
      'have text beside an item below it, and not at its last word',
      '<ul><li>a</li><b>b</b><li><p>c</p></li>d<li>e</li>, <li>f</li></ul>',
      '- a  \n  **b**\n- c\n\n  d\n- e,\n- f',
    ],
    [
      'contain paragraphs and code',
      '<ul><li><p>a</p><p>b</p><pre>c\nd</pre></li></ul>',
      '- a\n\n  b\n\n  ```\n  c\n  d\n  ```',
    ],
    [
      'have task items for checkboxes',
      '<ul><li><input type=checkbox checked> a<li><label><input type=checkbox> b</label></ul>',
      '- [x] a\n- [ ] b',
    ],
    ['stay separate if they are adjacent', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
    [
      'have a blank line before a nested list that does not start with 1',
      '<ul><li>a<ol start=3><li>b</ol></ul>',
      '- a\n\n  3. b',
    ],
    ['have the numbers that the page states', '<ol reversed><li>a<li>b<li value=9>c</ol>', '3. a\n2. b\n9. c'],
    [
      'have task items for boxes that a style draws, with their state in classes and attributes',
      '<ul><li><div class="checkbox checkbox-on"></div> a<li><div class="checkbox checkbox-off"></div> b<li><span role=checkbox aria-checked=true></span> c<li data-list=unchecked>d<li data-checked=true>e</ul>',
      '- [x] a\n- [ ] b\n- [x] c\n- [ ] d\n- [x] e',
    ],
    [
      'have task items for items of that class, done or not',
      '<ul><li class="task-list-item is-checked">a<li class="task-list-item" data-checked=false>b<li data-inline-task-id=1 class=checked>c<li class="checked">d<li data-inline-task-id=2>e</ul>',
      '- [x] a\n- [ ] b\n- [x] c\n- d\n- [ ] e',
    ],
    [
      'have task items for all marks of a done task',
      '<ul><li class="task-list-item"><span class="task-list-item-checkbox" aria-checked=true></span>a<li data-checked=1>b<li data-checked>c<li class="task-list-item task-list-item-complete">d</ul>',
      '- [x] a\n- [x] b\n- [x] c\n- [x] d',
    ],
    [
      'have no task items where the state is unknown',
      '<ul><li class="task-list-item"><i class="fa fa-check-square"></i> a<li><span role=checkbox aria-checked=mixed></span> b<li class="task-list-item">c</ul>',
      '- a\n- b\n- c',
    ],
    ['have task items only if the checkbox comes first', '<ul><li>a <input type=checkbox></ul>', '- a'],
    [
      'hold the items of their columns',
      '<ol><div class=col><li>a</li><li>b</li></div><div><div><li>c</li></div></div><li>d</li></ol>',
      '1. a\n2. b\n3. c\n4. d',
    ],
    [
      'in columns with titles are one for each column',
      '<ul><div><h4>T</h4><li>a</li><li>b</li></div><div><h4>U</h4><li>c</li><li>d</li></div></ul>',
      '#### T\n\n- a\n- b\n\n#### U\n\n- c\n- d',
    ],
    [
      'are made of several items outside of a list, and not of one',
      '<div><li>a</li> <li>b<ul><li>c</ul></li></div><p>d</p><div><li>e</li></div><p>f</p><a href=/x><li>g</li><li>h</li></a>',
      '- a\n- b\n  - c\n\nd\n\ne\n\nf\n\n[g](https://site.test/x)\n\nh',
    ],
    ['have no empty items', '<ul><li></li><li>a</li></ul>', '- a'],
    [
      'of definitions become bold lines and paragraphs',
      '<dl><dt>a<dd>b<dt><code>c</code><dd><p>d</p></dl>',
      '**a**\n\nb\n\n**`c`**\n\nd',
    ],
    [
      'are not made from a details element, whose summary becomes bold',
      '<details><summary>a</summary><p>b</p></details>',
      '**a**\n\nb',
    ],
    ['may be inside of a quote', '<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
  ])
})

describe('a quote', () => {
  shows([
    [
      'names who is quoted on a line of its own',
      '<blockquote><div><cite><a href="/ada">Ada</a> wrote:</cite>Hello</div></blockquote>',
      '> [Ada](https://site.test/ada) wrote:\n>\n> Hello',
    ],
    [
      'names who is quoted above a text that begins in small letters',
      '<blockquote><cite>Ada wrote: <a href="/1">↑</a></cite>hello</blockquote>',
      '> Ada wrote: [↑](https://site.test/1)\n>\n> hello',
    ],
    ['may begin with a title that is inflected', '<blockquote><cite>Emma</cite>s Vater</blockquote>', '> Emmas Vater'],
    ['may be in a script without spaces', '<blockquote><cite>红楼梦</cite>是小说</blockquote>', '> 红楼梦是小说'],
    ['may begin with the title of a work', '<blockquote><cite>Emma</cite> is long.</blockquote>', '> Emma is long.'],
    ['may end with its source', '<blockquote>Hello. <cite>Ada</cite></blockquote>', '> Hello. Ada'],
  ])
})

describe('an object', () => {
  shows([
    [
      'becomes a link if it is the element of AMP or of a script for a video',
      '<lite-youtube videoid="a-1" playlabel="Play: Lamps"></lite-youtube><amp-youtube data-videoid="b_2"></amp-youtube><amp-vimeo data-videoid="3"></amp-vimeo><lite-youtube videoid="?"></lite-youtube>',
      '[Play: Lamps](https://youtube.com/watch?v=a-1)\n\n[youtube.com](https://youtube.com/watch?v=b_2)\n\n[vimeo.com](https://vimeo.com/3)',
    ],
    [
      'is named by the link or button in the element for a video, whose contents count without a video',
      '<lite-youtube videoid="a-1"><a href="/b"><span>Play: Lamps</span></a></lite-youtube><lite-youtube playlistid="c"><a href="/c">All films</a></lite-youtube><amp-youtube data-live-channelid="d"><p fallback>e</p></amp-youtube>',
      '[Play: Lamps](https://youtube.com/watch?v=a-1)\n\n[All films](https://site.test/c)\n\ne',
    ],
    ['names a drawing by its contents', '<object data="/a.png">Depths</object>', '![Depths](https://site.test/a.png)'],
    ['shows its contents if it has no data', '<object>a <p>b</p></object>', 'a\n\nb'],
    [
      'shows the elements in it instead of data that has no name',
      '<object data="x.swf">You need a player <p>b</p></object>',
      'b',
    ],
    [
      'is a link to the page that it shows, but for a counter',
      '<object data="https://charts.test/c/7" type="text/html"></object><object data="https://count.test/" type="text/html" width="1"></object>',
      '[charts.test](https://charts.test/c/7)',
    ],
    [
      'is a link if it has a name',
      '<object data="/x.pdf" title="Tides">a</object>',
      '[Tides](https://site.test/x.pdf)',
    ],
  ])
})

describe('buttons', () => {
  shows([
    ['are words of their own', '<p>a<button>b</button><button>c</button>d</p>', 'a b c d'],
    [
      'have no space before punctuation, in brackets and beside Chinese',
      '<p>a <button>b</button>, (<button>c</button>) 教授<button>马龙</button>是</p>',
      'a b, (c) 教授马龙是',
    ],
  ])
})

describe('tables', () => {
  shows([
    [
      'have the line breaks of cells if the style of their row, or of a group of rows, preserves them',
      '<table><tr><th>a<th>b<tbody style="white-space:pre"><tr><td>c\nd<td style="white-space:normal">e\nf<tr style="white-space:nowrap"><td>g\nh<td>i</table>',
      '| a | b |\n| --- | --- |\n| c<br>d | e f |\n| g h | i |',
    ],
    ['have a header row', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
    [
      'use their first row as the header if it looks like one',
      '<table><tr><td>a<td>b<tr><td>1<td>2</table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
    [
      'have an empty header if only their first column has header cells',
      '<table><tr><th>a<td>1<tr><th>b<td>2</table>',
      '|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |',
    ],
    [
      'have the rows of their foot last, as browsers show them',
      '<table><thead><tr><th>a<tfoot><tr><td>3<tbody><tr><td>1<tr><td>2</table>',
      '| a |\n| --- |\n| 1 |\n| 2 |\n| 3 |',
    ],
    [
      'have their caption above them',
      '<table><caption>c</caption><tr><th>a<tr><td>1</table>',
      'c\n\n| a |\n| --- |\n| 1 |',
    ],
    [
      'keep columns aligned around cells that span several',
      '<table><tr><th>a<th colspan=2>b<tr><td rowspan=2>1<td>2<td>3<tr><td>4<td>5</table>',
      '| a | b |  |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n| 1 | 4 | 5 |',
    ],
    [
      'end cells that span rows with their head, body or foot',
      '<table><tfoot><tr><td>s<td>t<tbody><tr><th>a<th>b<tr><td rowspan=5>1<td>2<tr><td>3<tbody><tr><td>4<td>5</table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n| 4 | 5 |\n| s | t |',
    ],
    [
      'have escaped pipes, also in code',
      '<table><tr><th>a|b<tr><td><code>c||d</code></table>',
      '| a\\|b |\n| --- |\n| `c\\|\\|d` |',
    ],
    [
      'have br elements for line breaks in cells',
      '<table><tr><th>a<tr><td>b<br>c<p>d</p></table>',
      '| a |\n| --- |\n| b<br>c<br>d |',
    ],
    [
      'have the lines of short code in a cell of a named column',
      '<table><tr><th>a<th>b<tr><td>c<td><pre>if d:\n  e\n\nf</pre><tr><td>g<td><pre><code>h</code></pre></table>',
      '| a | b |\n| --- | --- |\n| c | `if d:`<br>`  e`<br>`f` |\n| g | `h` |',
    ],
    [
      'become blocks for long code',
      `<table><tr><th>a<th>b<tr><td>c<td><pre>${'d\n'.repeat(13)}</pre></table>`,
      `a\n\nb\n\nc\n\n\`\`\`\n${'d\n'.repeat(13)}\`\`\``,
    ],
    ['for layout become blocks', '<table role=presentation><tr><td><h2>a</h2><td>b</table>', '## a\n\nb'],
    [
      'that contain data tables become blocks',
      '<table><tr><td><table><tr><th>a<tr><td>1</table></table>',
      '| a |\n| --- |\n| 1 |',
    ],
    [
      'have bold text, plain text and inline code for headings, quotes and code blocks in cells',
      '<table><tr><th>a<th>b<tr><td><h3>c</h3>d<td><blockquote>e</blockquote><pre>f</pre></table>',
      '| a | b |\n| --- | --- |\n| **c**<br>d | e<br>`f` |',
    ],
    [
      'may have headings as header cells',
      '<table><tr><td><h3>a</h3><td><h3>b</h3><tr><td>c<td>d</table>',
      '| **a** | **b** |\n| --- | --- |\n| c | d |',
    ],
    [
      'have small nested tables as lines',
      '<table><tr><th>a<th>b<tr><td>c<td><table><tr><td>d<td>e<tr><td>f<td>g</table></table>',
      '| a | b |\n| --- | --- |\n| c | d e<br>f g |',
    ],
    [
      'keep the alignment of columns',
      '<table><tr><th align=right>a<th style="text-align: center">b<th>c<tr><td>d<td>e<td>f</table>',
      '| a | b | c |\n| ---: | :---: | --- |\n| d | e | f |',
    ],
    [
      'are recognized by their ARIA roles, if the roles cover all text',
      '<div role=table><div role=row><i role=columnheader>a</i><i role=columnheader>b</i></div><div role=row><i role=cell>c</i><i role=cell>d</i></div></div><div role=table><div role=row><i role=cell>e</i></div>f</div>',
      '| a | b |\n| --- | --- |\n| c | d |\n\n*e*\n\nf',
    ],
    ['of one column become blocks', '<table><tr><td>a<tr><td>b</table>', 'a\n\nb'],
    ['are left out if they are empty', 'a<table><tr><td></td></tr></table>b', 'a\n\nb'],
  ])
})

describe('objects and embedded files', () => {
  shows([
    [
      'that are drawings are images',
      '<object type="image/svg+xml" data="/fig/tides.svg" title="Tides"></object>',
      '![Tides](https://site.test/fig/tides.svg)',
    ],
    [
      'have the words of the image that stands for them',
      '<object data="a.svg"><img src=b.png alt="Tides"></object>',
      '![Tides](https://site.test/dir/a.svg)',
    ],
    [
      'are links with the name of the file',
      '<p>Plan:</p><embed src="plan.pdf?a=1#p" type="application/pdf">',
      'Plan:\n\n[plan.pdf](https://site.test/dir/plan.pdf?a=1#p)',
    ],
    [
      'have their title before the name of the file',
      '<object data="/plan.pdf" title="The plan">x</object>',
      '[The plan](https://site.test/plan.pdf)',
    ],
    ['are read where no browser runs them', '<object data="m.swf"><p>Old film</p></object>', 'Old film'],
  ])
})

it('the words on a button, or of a name in code, are no note', () => {
  for (const name of ['button', 'code', 'summary'])
    expect(markdownOf(`<p>Press <${name}>Copy<span role=tooltip>Copied</span></${name}> to go.</p>`)).not.toContain(
      '[^',
    )
})

describe('notes below a heading', () => {
  const mark = (at: number): string => `<sup><a id=r${at} href="#n${at}">${at}</a></sup>`
  const notes = (...texts: string[]): string =>
    `<ol>${texts.map((text, at) => `<li id=n${at + 1}>${text} <a href="#r${at + 1}">↩</a></li>`).join('')}</ol>`
  shows([
    [
      'have the numbers of their marks, and not those typed before them as well',
      `<p>a${mark(1)} b${mark(2)}</p>${notes('1. One', '<p>[2] Two</p>')}`,
      'a[^1] b[^2]\n\n[^1]: One\n\n[^2]: Two',
    ],
    ['keep a number that is another one', `<p>a${mark(1)}</p>${notes('2. Two')}`, 'a[^1]\n\n[^1]: 2\\. Two'],
    [
      'need no heading',
      `<p>a${mark(1)}</p><section><h2>References</h2>${notes('One')}</section>`,
      'a[^1]\n\n[^1]: One',
    ],
    [
      'leave a heading with other text',
      `<p>a${mark(1)}</p><section><h2>Notes</h2><p>All mine.</p>${notes('One')}</section>`,
      'a[^1]\n\n## Notes\n\nAll mine.\n\n[^1]: One',
    ],
  ])
})

describe('a note in the midst of a sentence', () => {
  const note = 'The lens[^1] weighs two tons.\n\n[^1]: Ground *by hand*.'
  shows([
    ['has a mark there', '<p>The lens<d-footnote>Ground <em>by hand</em>.</d-footnote> weighs two tons.</p>', note],
    [
      'is one by its class',
      '<p>The lens<span class="sidenote">Ground <em>by hand</em>.</span> weighs two tons.</p>',
      note,
    ],
    [
      'is one by its role',
      '<p>The <span>lens<span role=tooltip>Ground <em>by hand</em>.</span></span> weighs two tons.</p>',
      note,
    ],
    [
      'has a number that no other has',
      '<p>a<sup><a href="#n">1</a></sup> b<d-footnote>two</d-footnote></p><p id=n>one</p>',
      'a[^1] b[^2]\n\n[^1]: one\n\n[^2]: two',
    ],
    ...['footnote', 'inline-note', 'fn', 'inline-footnote'].map((name): [string, string, string] => [
      `is one by its class ${name}`,
      `<p>The lens<span class="${name}">Ground <em>by hand</em>.</span> weighs two tons.</p>`,
      note,
    ]),
    ['is one by an older element', '<p>The lens<dt-fn>Ground <em>by hand</em>.</dt-fn> weighs two tons.</p>', note],
    [
      'is none if it is a number',
      '<p>Ten<span class="fn">2</span> boats <d-footnote>x</d-footnote></p>',
      'Ten2 boats [^1]\n\n[^1]: x',
    ],
    ['is text where it stands alone', '<div><span class=sidenote>Alone</span></div>', 'Alone'],
  ])
})
