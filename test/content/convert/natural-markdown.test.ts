import { describe, expect, it } from 'vitest'
import { markdownOf } from './markdown-of.js'

const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3C/svg%3E"

describe('images', () => {
  shows([
    [
      'have their caption on the next line, whatever element it is in',
      '<div><a href=/b><img src=/a.png alt=a></a><p class="wp-caption-text">Tide at noon</p></div><p>b',
      '[![a](https://site.test/a.png)](https://site.test/b)  \nTide at noon\n\nb',
    ],
    [
      'have a caption in an inline element on the next line as well, unless it is within a sentence',
      '<div><img src=/a.png alt=a><span class=caption>Tide</span></div><p>See <span class=caption>figure 2</span> for it',
      '![a](https://site.test/a.png)  \nTide\n\nSee figure 2 for it',
    ],
    [
      'are left out if they are placeholders',
      `<p>a<p><img class=lazy src="${PIXEL}"><p><img src="${PIXEL}" alt=""><p><img src="data:image/gif;base64,R0lGODlhAwACAIAAAP///wAAACH5BAEAAAAALAAAAAADAAIAAAICjF8AOw==" alt=""><p><img src="${BLANK}"><p><img src="/img/grey-placeholder.png" alt="">b`,
      'a\n\nb',
    ],
    [
      'become their alternative text if they are placeholders of symbols',
      `<p>a <img class=smilies src="${PIXEL}" alt=":-)"> b`,
      'a :-) b',
    ],
    [
      'may be elements of AMP, once with what stands for them',
      '<p>a</p><div><amp-img src=/b.png alt=b></amp-img><amp-img src=/c.png alt=c><div placeholder>x</div><noscript><img src=/c.png alt=c></noscript></amp-img>',
      'a\n\n![b](https://site.test/b.png)![c](https://site.test/c.png)',
    ],
    [
      'of one pixel are kept if they have no further attributes',
      `<img src="${PIXEL}" alt="dot">`,
      '![dot](<Base64-Image-Removed>)',
    ],
    [
      'are written once if they are repeated in several sizes',
      '<figure><img src="/f-300x200.jpg" alt=f><img src="/f.jpg?w=900" alt=f></figure>',
      '![f](https://site.test/f-300x200.jpg)',
    ],
    [
      'are left out if they are icons beside the text of a link',
      '<a href=/x><img src="/icons/arrow.svg" alt=""> Read on</a>',
      '[Read on](https://site.test/x)',
    ],
    ['of emoji become the emoji', '<p>Well done <img src=/emoji/1f389.png alt="🎉">', 'Well done 🎉'],
    [
      'have a space between them and the next word',
      '<p><img src=/p.jpg alt=p>Her harbour',
      '![p](https://site.test/p.jpg) Her harbour',
    ],
    [
      'alone in a heading become a paragraph',
      '<h2><img src=/p.jpg alt=p></h2><p>a',
      '![p](https://site.test/p.jpg)\n\na',
    ],
  ])
})

describe('words that only styles separate get a space or line break', () => {
  shows([
    [
      'around fields of a form, which are not text',
      '<p><label>User<input name=u></label><label>Pass<input type=password></label>of<select><option>a</select>it<input type=hidden>s',
      'User Pass of its',
    ],
    [
      'in items of a list that no style separates',
      '<p><span role=list><span role=listitem>tide</span><span role=listitem>ebb</span></span>',
      'tide ebb',
    ],
    ['in spans', '<p><span>Ada Byron</span><span>May 7</span>', 'Ada Byron May 7'],
    [
      'in a row of similar elements',
      '<p><i class=t>tide</i><i class=t>harbour</i><i class=t>ledger</i>',
      '*tide* *harbour* *ledger*',
    ],
    [
      'in a row by the class of its parent',
      '<div class="flex gap-2"><span>tide</span><span>harbour</span></div>',
      'tide harbour',
    ],
    [
      'on lines of their own by their style',
      '<p><span style="display:block">tide</span><span>harbour</span>',
      'tide\n\nharbour',
    ],
    [
      'beside an empty separator that their style draws',
      '<h1><a href=/g>Gtk</a><span class="sep"></span>Window</h1>',
      '# [Gtk](https://site.test/g) Window',
    ],
    [
      'so are fields and items of one class without a space between them',
      '<p><span class=item>2021</span><span class=item>1h 10m</span><span class=item>PG</span><p><span class=label>Price</span><span class=value>30</span><p><span class=qty>2</span><span class=unit>tbsp</span><span class=name>oil</span>',
      '2021 1h 10m PG\n\nPrice 30\n\n2 tbsp oil',
    ],
    [
      'so are the fields of rows that hold nothing else, and no syllables of a word alone',
      '<p><span class=k>Built</span><span class=v>1702</span><p><span class=k>Stones</span><span class=v>Four</span><div><b>Java</b><i>Script</i></div>',
      'Built 1702\n\nStones Four\n\n**Java***Script*',
    ],
    [
      'so are numbers and words, and an amount and what it is of',
      '<p><time>2 hours ago</time><span>3 min read</span><p><strong>120 g</strong><span>butter</span><p><b>12</b><span>comments</span><p><span>$19.95</span><span>was $29.95</span><p><span>Lamp</span><span>$30</span>',
      '2 hours ago 3 min read\n\n**120 g** butter\n\n**12** comments\n\n$19.95 was $29.95\n\nLamp $30',
    ],
    [
      'so are the day and the month of a date, and no number of a name',
      '<p><span class=d>3</span><span class=m>Mar</span><p><span class=m>Okt</span><b>14</b><p><b>out</b><i>1</i> <b>7</b><i>zip</i>',
      '3 Mar\n\nOkt **14**\n\n**out***1* **7***zip*',
    ],
    [
      'so is a label, also one for screen readers',
      '<p><b>Condition:</b><span>used</span><p><b class=sr-only>Price</b><span>$19.95</span><p><i>Used</i><b class=sr-only>as seen</b>',
      '**Condition:** used\n\n**Price** $19.95\n\n*Used* **as seen**',
    ],
    [
      'an empty element named as a break ends a line',
      '<p>a<span class=br></span>b<i class="line-break"></i>c',
      'a  \nb  \nc',
    ],
    [
      'but parts of a number or a word that is divided by its style are not',
      '<p><span>$</span><span>19</span><sup>95</sup><p><b>1</b><span>st</span> <b>120</b><span>g</span><p><span class=char>Ja</span><span class=char>Va</span> <span class=s1>The har</span><span class=s1>bour</span> <span class=x>Le</span><span class=x>arn</span><p><span class=x>港口</span><span class=x>码头</span> <span class=x>12</span><span class=x>条</span>',
      '$19<sup>95</sup>\n\n**1**st **120**g\n\nJaVa The harbour Learn\n\n港口码头 12条',
    ],
    [
      'but not within one word',
      '<p><b>Java</b><i>Script</i> <span>un</span><span>bound</span>',
      '**Java***Script* unbound',
    ],
  ])
})

describe('a footnote that LaTeXML writes inside its sentence', () => {
  const note = (text: string): string =>
    `<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ltx_tag_note">1</span>${text}</span></span></span>`
  shows([
    ['follows at the end', `<p>a${note('b')} c.<p>d`, 'a[^1] c.\n\nd\n\n[^1]: b'],
    ['is text if its mark is none', `<p>a${note('b').replaceAll('>1<', '>x y<')}`, 'a<sup>x yx y</sup>x yb'],
    ['so does one in such a note', `<p>a${note(`b${note('c')}`)}`, 'a[^1]\n\n[^1]: b[^1-2]\n\n[^1-2]: c'],
    ['and one in a cell', `<table><tr><th>a<tr><td>b${note('c')}</table>`, '| a |\n| --- |\n| b[^1] |\n\n[^1]: c'],
  ])
})

describe('texts only for screen readers', () => {
  shows([
    [
      'are left out of a link with visible text',
      '<a href=/x>Rates<span class="sr-only"> of the harbour</span></a>',
      '[Rates](https://site.test/x)',
    ],
    [
      'are left out if a visible sibling has the same words',
      '<p><span class="visually-hidden">12.50 euros</span><span aria-hidden=true>12.50</span>',
      '12.50',
    ],
    [
      'are kept if they name an icon',
      '<a href=/x><svg></svg><span class="sr-only">Feed</span></a>',
      '[Feed](https://site.test/x)',
    ],
    [
      'are left out if the visible neighbour has the same words, under each usual class name',
      '<p><i>Used</i><b class="clipped">Used</b> <i>New</i><b class="u-sr-only">New</b> Old<b class="offscreen">Old</b> <b class="visuallyHidden">Sold</b><i>Sold</i> <span><i>Lent</i></span><span><b class="a11y-hidden">Lent</b></span>',
      '*Used* *New* Old *Sold* *Lent*',
    ],
    [
      'are left out if the visible neighbour begins or shortens them',
      '<a href=/x><i>See all details</i> <b class="clipped">See all details on coverage</b></a> <i>12 Mar</i><b class="vh">12 March 2024</b>',
      '[*See all details*](https://site.test/x) *12 Mar*',
    ],
    [
      'are left out if they say in words what is hidden from screen readers',
      '<p><i aria-hidden=true>$19.95</i><b class="sr-only">19 dollars 95</b> <b class="sr-only">one half cup</b><i aria-hidden=true>1/2 cup</i>',
      '*$19.95* *1/2 cup*',
    ],
    [
      'are kept if they are the only name of a link, or say something else',
      '<div aria-hidden=true>Rates</div><a href=/x><div class="sr-only">Rates</div></a><p><b class="sr-only">Rating</b> <i aria-hidden=true>4.5</i> <i>Used</i> <b class="clipped">as seen</b>',
      'Rates\n\n[Rates](https://site.test/x)\n\n**Rating** *4.5* *Used* **as seen**',
    ],
    ['are kept if they label a value', '<p><span class="sr-only">Now</span> 9.90', 'Now 9.90'],
    [
      'are left out if they are skip links or remarks on new windows',
      '<a href="#main">Skip to main content</a><p><a href=/x title="Opens in a new window">Rates (opens in a new tab)</a>',
      '[Rates](https://site.test/x)',
    ],
  ])
})

describe('separators and lists', () => {
  shows([
    [
      'a rule is written once, and only between blocks',
      '<hr><p>a<hr><hr><p>b<ul><li><hr><p>c</ul><hr>',
      'a\n\n* * *\n\nb\n\n- c',
    ],
    [
      'elements of a component in a row are words of their own',
      '<p><x-tag>Steel</x-tag><x-tag>Teak</x-tag><x-tag>Brass</x-tag></p>',
      'Steel Teak Brass',
    ],
    [
      'elements of a component within a text are parts of it',
      '<p>a <x-l>Steel</x-l><x-l>yard</x-l></p>',
      'a Steelyard',
    ],
    [
      'no rule stands before footnotes',
      '<p>a<sup><a href="#fn1" id="r1">1</a></sup></p><section class="footnotes"><hr><ol><li id="fn1">b <a href="#r1">↩</a></li></ol></section>',
      'a[^1]\n\n[^1]: b',
    ],
    ['a repeated heading is written once', '<h3>Tides</h3><h3>Tides</h3><p>a', '### Tides\n\na'],
    ['a list in columns becomes one list', '<div><ul><li>a</ul></div><div><ul><li>b</ul></div>', '- a\n- b'],
    ['two adjacent lists stay separate', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
    ['a bullet typed in an item is dropped', '<ul><li>• a<li>▪ b</ul>', '- a\n- b'],
    [
      'so is a bullet on a line before the contents of an item, unlike a dash, which may be a value',
      '<ul><li><span>•</span> <div><p>a</p></div><li><div>–</div><div>b</div></ul>',
      '- a\n- –\n\n  b',
    ],
    ['lines with typed bullets become a list', '<p>Bring:<br>• rope<br>• tar', 'Bring:\n\n- rope\n- tar'],
    ['lines with typed dots become a list', '<p>· rope</p><p>· tar</p>', '- rope\n- tar'],
    ['lines with typed dashes become a list', '<p>Bring:<br>- rope<br>- tar', 'Bring:\n\n- rope\n- tar'],
    ['a single line with a typed dash does not become a list', '<p>Bring<br>- rope', 'Bring  \n\\- rope'],
    [
      'numbers typed in items become item numbers if they count up',
      '<ul><li><b></b>1.Xie, Wu<li>2. Li</ul>',
      '1. Xie, Wu\n2. Li',
    ],
    ['numbers typed in items of an ordered list are dropped', '<ol><li>1. rope<li>2. tar</ol>', '1. rope\n2. tar'],
    [
      'numbers typed in items are kept if they do not count up',
      '<ul><li>2. rope<li>7. tar</ul>',
      '- 2\\. rope\n- 7\\. tar',
    ],
    [
      'numbers of items may have nine digits',
      '<ol start=999999998><li>a<li>b<li>c</ol>',
      '999999998. a\n999999999. b\n999999999. c',
    ],
    ['amounts at the start of items are kept', '<ol><li>1.5 cups<li>2.5 cups</ol>', '1. 1.5 cups\n2. 2.5 cups'],
  ])
})

describe('players and pictures that a script or a plug-in of a browser shows', () => {
  shows([
    [
      'are linked: a video with a late source',
      '<p>a<video><source data-src="/v/wheel.webm"></video>',
      'a\n\n[Video](https://site.test/v/wheel.webm)',
    ],
    [
      'are linked: a film in a plug-in',
      '<p>a<object><embed src="https://www.youtube.com/v/ab12"></object>',
      'a\n\n[youtube.com](https://www.youtube.com/v/ab12)',
    ],
    [
      'are written once: a pixel before its image',
      '<p><img alt="The axle" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><span><img alt="The axle" src="/axle.jpg"></span>',
      '![The axle](https://site.test/axle.jpg)',
    ],
  ])
})
