import { describe, expect, it } from 'vitest'
import { markdown } from '../../../src/content/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

const markdownOf = (html: string, removeBase64Images = true): string =>
  markdown.convert(extractHtml(html), { type: 'markdown' }, { removeBase64Images }).markdown

/** Runs rows of a name, HTML and the expected Markdown. */
const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

describe('text', () => {
  shows([
    ['puts a blank line between blocks', '<p>a</p><div>b</div>c<section>d</section>', 'a\n\nb\n\nc\n\nd'],
    ['collapses white space, also around inline marks', '<p> a  <b> b </b>\n<i>c</i> </p>', 'a **b** *c*'],
    ['keeps no-break spaces', '<p>a&nbsp;b</p>', 'a\u00a0b'],
    ['drops soft hyphens and zero-width spaces', '<p>ex&shy;am&#8203;ple</p>', 'example'],
    ['has the line breaks of the page', '<p>a<br>b<br/>\n c<br></p>', 'a  \nb  \nc'],
    [
      'has the line breaks of its source where the style of an element shows them',
      '<p style="color: red; white-space: pre-wrap">a\nb <b>c\nd</b>\n\ne</p><ul><li style="white-space-collapse:preserve">f\ng</li></ul><div style="white-space:pre-line">h\ni<p style="white-space:normal">j\nk</p></div><p style="white-space:nowrap">l\nm</p>',
      'a  \nb **c  \nd**\n\ne\n\n- f  \n  g\n\nh  \ni\n\nj k\n\nl m',
    ],
    [
      'has these line breaks by the last declaration that browsers know, or else by the elements around',
      '<p style="white-space:-moz-pre-wrap;white-space:normal;white-space:pre-line;white-space:-o-pre-wrap">a\nb</p><p style="white-space:pre;white-space:normal">c\nd</p><div style="white-space:pre-line"><p style="white-space:inherit">e\nf</p><p style="white-space:var(--x)">g\nh</p></div>',
      'a  \nb\n\nc d\n\ne  \nf\n\ng  \nh',
    ],
    [
      'has these line breaks in lists and tables whose style shows them',
      '<ul style="white-space:pre-line"><li>a\nb</li></ul><dl style="white-space:pre-line"><dd>c\nd</dl><table style="white-space:pre-line"><tr><th>e<td>f\ng</table><p>h\ni</p>',
      '- a  \n  b\n\nc  \nd\n\n|  |  |\n| --- | --- |\n| e | f<br>g |\n\nh i',
    ],
    [
      'has these line breaks in cells, and none of them in headings',
      '<table><tr><th>a<td style="white-space:pre">b\nc</table><h2 style="white-space:pre-wrap">d\ne</h2>',
      '|  |  |\n| --- | --- |\n| a | b<br>c |\n\n## d e',
    ],
    ['starts a paragraph at two line breaks', '<p>a<br><br>b</p>', 'a\n\nb'],
    ['ends inline marks at a block, and repeats them in the next line', '<b>a<p>b</p>c</b>', '**a**\n\n**b**\n\n**c**'],
    ['draws a rule', 'a<hr>b', 'a\n\n* * *\n\nb'],
    ['puts quotation marks around a q', '<p><q>a</q>', '“a”'],
  ])
})

describe('headings', () => {
  shows([
    ['keep their level', '<h1>a</h1><h3>b</h3>', '# a\n\n### b'],
    ['are one line', '<h2>a<br>b<div>c</div></h2>', '## a b c'],
    ['are left out if they are empty', '<h2> </h2>a', 'a'],
    ['have no link to themselves', '<h2>a <a href="#a">¶</a></h2><h2><a href="#b">b</a></h2>', '## a\n\n## b'],
    ['keep a link to another page', '<h2><a href="/x#y">a</a></h2>', '## [a](https://site.test/x#y)'],
    ['may start with a number', '<h2>4. a</h2>', '## 4. a'],
    ['have no bold mark around the whole text', '<h2><b>a</b></h2><h2>a <b>b</b></h2>', '## a\n\n## a **b**'],
    ['are recognized by their ARIA role', '<div role=heading aria-level=3>a</div>', '### a'],
    [
      'are not made of a part of the page that has their role',
      '<div role=heading><h1>a</h1><h2>b</h2></div><div role=heading><ul><li>c</ul></div>',
      '# a\n\n## b\n\n- c',
    ],
    ['may end in #', '<h2>C #</h2><h2>C#</h2>', '## C \\#\n\n## C#'],
  ])
})

describe('inline marks', () => {
  shows([
    [
      'have the Markdown syntax of each element',
      '<p><strong>a</strong> <em>b</em> <del>c</del> <code>d</code> <kbd>e</kbd></p>',
      '**a** *b* ~~c~~ `d` `e`',
    ],
    [
      'are HTML tags for superscript and subscript',
      '<p>x<sup>2</sup> H<sub>2</sub>O</p>',
      'x<sup>2</sup> H<sub>2</sub>O',
    ],
    ['are joined if they are adjacent and equal', '<p><b>a</b><b>b</b></p>', '**ab**'],
    ['are none if styles undo them', '<b style="font-weight:400">a</b> <i style="font-style:normal">b</i>', 'a b'],
    ['count by their last style', '<b style="font-weight:400;font-weight:700">a</b>', '**a**'],
    ['do not nest in themselves', '<p><b>a<strong>b</strong></b></p>', '**ab**'],
    [
      'exclude punctuation at their ends that would prevent parsing',
      '<p><b>Note:</b>x a<b>(b)</b>c</p>',
      '**Note**:x a(**b**)c',
    ],
    [
      'are HTML tags if Markdown signs would not be parsed',
      '<p>これは<b><code>x</code></b>です</p>',
      'これは<strong>`x`</strong>です',
    ],
    [
      'are dropped around an icon or a comma',
      '<p>a<b>,</b> <i><img src=/i.png></i></p>',
      'a, ![](https://site.test/i.png)',
    ],
    ['have a space between adjacent code spans', '<p><kbd>a</kbd><kbd>b</kbd></p>', '`a` `b`'],
    ['are dropped around white space', '<p>a<b> </b>b<i></i></p>', 'a b'],
  ])
})

describe('escaping', () => {
  shows([
    [
      'is not applied to characters that are not markup',
      '<p>a_b 2 * 3 a < b [1] & c-d "x" 1.5 #tag</p>',
      'a_b 2 * 3 a < b [1] & c-d "x" 1.5 #tag',
    ],
    ['is not applied to an unpaired sign', '<p>5* for ~9 or a`b, x_ 2. c</p>', '5* for ~9 or a`b, x_ 2. c'],
    [
      'is not applied to URLs',
      '<p>http://a.test/b_c_ and http://a.test/*b*c</p>',
      'http://a.test/b_c_ and <http://a.test/*b*c>',
    ],
    [
      'ends bare URLs at quotation marks and at punctuation of East Asia',
      '<p>„http://a.test/b“ “www.a.test” http://a.test/c。中 http://a.test/d/文',
      '„<http://a.test/b>“ “www.a.test” <http://a.test/c>。中 http://a.test/d/文',
    ],
    [
      'leaves parentheses in bare URLs that open in them',
      '<p>http://a.test/(b)<b> c</b> (http://a.test/d<i>)</i> http://a.test/(e)<sub>f</sub>',
      'http://a.test/(b) **c** (<http://a.test/d>*)* <http://a.test/(e)><sub>f</sub>',
    ],
    ['escapes text that would be a task item', '<ul><li>[x] a</li></ul>', '- \\[x] a'],
    ['escapes text that would be a task item before a line break', '<ul><li>[x]<br>a</li></ul>', '- \\[x]  \n  a'],
    ['escapes emphasis', '<p>*a* _b_ `c` ~~d~~</p>', '\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~'],
    ['escapes links and images', '<p>[a](b) ![c](d)</p>', '[a\\](b) ![c\\](d)'],
    ['escapes a ! before a link', '<p>a!<a href=/x>b</a></p>', 'a\\![b](https://site.test/x)'],
    ['escapes a sign that starts a line because its mark is not written', '<p><b>&gt;*</b>a</p>', '\\>\\*a'],
    [
      'escapes a ! before a link when its mark is not written',
      '<p>D<b>!</b><a href=/x>b</a></p>',
      'D\\![b](https://site.test/x)',
    ],
    ['escapes pairs of which one has a space in its mark', '<p><b>~ </b>a~z</p>', '**\\~** a\\~z'],
    [
      'escapes pairs around a line break in a cell',
      '<table><tr><th>a</th><th>b</th></tr><tr><td>~<br>~</td><td>c</td></tr></table>',
      '| a | b |\n| --- | --- |\n| \\~<br>\\~ | c |',
    ],
    ['escapes tags and entities', '<p>&lt;b&gt; &amp;amp;</p>', '\\<b> \\&amp;'],
    ['escapes backslashes before punctuation', '<p>C:\\temp\\*x*</p>', 'C:\\temp\\\\\\*x\\*'],
    [
      'escapes the start of a block at the start of a line only',
      '<p># a - b<br>- c</p><p>1. d 2. e</p>',
      '\\# a - b  \n\\- c\n\n1\\. d 2. e',
    ],
    ['escapes rules and underlines of headings', '<p>a<br>---<br>===</p>', 'a  \n\\---  \n\\==='],
    ['escapes nothing in code', '<p><code>*a* &amp; [b]</code></p>', '`*a* & [b]`'],
  ])
})

describe('links', () => {
  shows([
    [
      'are absolute, with their title',
      '<a href="x" title="A &quot;t&quot;">a</a>',
      '[a](https://site.test/dir/x "A \\"t\\"")',
    ],
    ['do not repeat their text as title', '<a href=/x title=a>a</a>', '[a](https://site.test/x)'],
    ['are one line', '<a href=/x>\n a<br>b \n</a>c', '[a b](https://site.test/x) c'],
    ['have escaped brackets in their text', '<a href=/x>[a]</a>', '[\\[a\\]](https://site.test/x)'],
    [
      'keep brackets in their URL',
      '<a href="/a_(b)">c</a><a href="/a)b">d</a>',
      '[c](https://site.test/a_(b)) [d](https://site.test/a\\)b)',
    ],
    [
      'around a card are put on its heading',
      '<a href=/x><div><h3>T</h3><p>d</p></div></a>',
      '### [T](https://site.test/x)\n\nd',
    ],
    [
      'around a card without a heading are put on its first line',
      '<a href=/x><div>a</div><div>b</div></a>',
      '[a](https://site.test/x)\n\nb',
    ],
    [
      'without text have their accessible label as text',
      '<a href=/x aria-label="Feed"><svg></svg></a> <a href=/y><i></i></a>',
      '[Feed](https://site.test/x)',
    ],
    [
      'without text beside that of a heading lead to its source and are left out',
      '<h2>a <a href=/edit title="Fix it!"><i></i></a></h2><h2><a href=/x title="b"><i></i></a></h2>',
      '## a\n\n## [b](https://site.test/x "b")',
    ],
    [
      'without text beside one with the same words are left out',
      '<div><a href=/x title="a b"><i></i></a><h3><a href=/x>a <b>b</b></a></h3></div><div><a href=/y title="c"></a><h3>c</h3></div>',
      '### [a **b**](https://site.test/x)\n\n[c](https://site.test/y "c")\n\n### c',
    ],
    ['with a space alone separate the words around them', '<p>a<a href=/x> </a>b<a href=/x></a>c</p>', 'a bc'],
    ['that cannot be followed become text', '<a href="javascript:x">a</a> <a>b</a>', 'a b'],
    ['hold images', '<a href=/x><img src=/i.png alt=i></a>', '[![i](https://site.test/i.png)](https://site.test/x)'],
    ['hold code', '<code>a <a href=/x>b</a>()</code>', '`a` [`b`](https://site.test/x)`()`'],
  ])
})

describe('images and media', () => {
  shows([
    ['keep their alternative text', '<img src="/a b.png" alt="x [y]">', '![x \\[y\\]](https://site.test/a%20b.png)'],
    ['are left out if they have no URL or one pixel', '<img alt=a><img src=/p.gif width=1 height=1>b', 'b'],
    [
      'have their caption on the next line',
      '<figure><img src=/a.png alt=a><figcaption>c</figcaption></figure>',
      '![a](https://site.test/a.png)  \nc',
    ],
    [
      'become links if they are audio or video',
      '<video src=/v.mp4></video><audio><source src=/a.mp3></audio>',
      '[Video](https://site.test/v.mp4)\n\n[Audio](https://site.test/a.mp3)',
    ],
    [
      'become links if they are titled frames of another site',
      '<iframe src="https://v.test/1" title="Talk"></iframe><iframe src="/ad"></iframe>',
      '[Talk](https://v.test/1)',
    ],
    [
      'become links if they are frames of an embeddable player',
      '<iframe src="//www.video.test/embed/x"></iframe><iframe src="about:blank" data-src="https://player.test/y"></iframe>',
      '[video.test](https://www.video.test/embed/x)\n\n[player.test](https://player.test/y)',
    ],
    ['do not include inline SVG and canvas elements', 'a<svg><text>b</text></svg>c<canvas>d</canvas>', 'ac'],
  ])

  it('replaces inline image data by a placeholder if requested', () => {
    const html = '<img src="data:image/png;base64,AAAA" alt="a">'
    expect(markdownOf(html)).toBe('![a](<Base64-Image-Removed>)')
    expect(markdownOf(html, false)).toBe('![a](data:image/png;base64,AAAA)')
  })
})

describe('maths and ruby', () => {
  shows([
    ['writes the TeX source of a formula', '<p>a <math alttext="x^2"><mi>x</mi></math>', 'a $x^2$'],
    [
      'writes a formula once if it is also rendered',
      '<span class=katex><span><math><semantics><mrow><mi>x</mi></mrow><annotation encoding="application/x-tex">x_1</annotation></semantics></math></span><span class=katex-html aria-hidden=true>x1</span></span>',
      '$x_1$',
    ],
    [
      'writes a displayed formula on lines of its own',
      'a<math display=block alttext="y"></math>b',
      'a\n\n$$\ny\n$$\n\nb',
    ],
    ['writes ruby annotations in parentheses', '<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>字', '漢(kan)字'],
  ])
})

describe('footnotes', () => {
  shows([
    [
      'have a mark and a note, without the page’s number and back link',
      '<p>a<sup id=r><a href="#n">1</a></sup></p><ol><li id=n><p><a href="#r">^</a> b</p><p>c</p></ol>',
      'a[^1]\n\n[^1]: b\n\n    c',
    ],
    [
      'with equal labels get different labels',
      '<p>a<sup><a href="#m">*</a></sup> b<sup><a href="#n">*</a></sup></p><p id=m>c</p><p id=n>d</p>',
      'a[^*] b[^*-2]\n\n[^*]: c\n\n[^*-2]: d',
    ],
    [
      'leave other links to the section of their mark unchanged',
      '<section id=s><h2><a href="#s"><code>json</code></a> does</h2><p>a<sup><a href="#n">1</a></sup> <a href="#s">json</a></p></section><p id=n>b</p>',
      '## `json` does\n\na[^1] [json](https://site.test/dir/page.html#s)\n\n[^1]: b',
    ],
    [
      'may have their back link in an element beside the note',
      '<p>a<sup id=r><a href="#n">1</a></sup></p><dl><dt><a href="#r">1</a></dt><dd id=n>b</dd></dl>',
      'a[^1]\n\n[^1]: b',
    ],
    [
      'become links if the note is not in the content',
      '<p>a<sup><a href="#n">1</a></sup></p>',
      'a<sup>[1](https://site.test/dir/page.html#n)</sup>',
    ],
    [
      'are not made from ordinary links within the page',
      '<p><a href="#n">1</a></p><div id=n>b</div>',
      '[1](https://site.test/dir/page.html#n)\n\nb',
    ],
  ])
})

it('returns Markdown files unchanged', () => {
  const content = extractHtml('<p>x')
  expect(
    markdown.convert(
      { ...content, page: { ...content.page, markdown: '*as it is* ' } },
      { type: 'markdown' },
      { removeBase64Images: true },
    ),
  ).toEqual({ markdown: '*as it is* ' })
})
