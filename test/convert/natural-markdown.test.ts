import { describe, expect, it } from 'vitest'
import { markdown } from '../../src/convert/formats/markdown.js'
import { extractHtml } from '../extract/contents.js'

const markdownOf = (html: string): string =>
  markdown.convert(extractHtml(html), { type: 'markdown' }, { removeBase64Images: true }).markdown

const shows = (rows: readonly (readonly [what: string, html: string, markdown: string])[]): void => {
  it.each(rows)('%s', (_, html, expected) => {
    expect(markdownOf(html)).toBe(expected)
  })
}

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const BLANK = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E%3C/svg%3E"

describe('pictures', () => {
  shows([
    [
      'have their caption on the next line, in a box of any name',
      '<div><a href=/b><img src=/a.png alt=a></a><p class="wp-caption-text">Tide at noon</p></div><p>b',
      '[![a](https://site.test/a.png)](https://site.test/b)  \nTide at noon\n\nb',
    ],
    [
      'are left out where they keep the place of others',
      `<p>a<p><img class=lazy src="${PIXEL}"><p><img src="${BLANK}"><p><img src="/img/grey-placeholder.png" alt="">b`,
      'a\n\nb',
    ],
    [
      'keep their words where only those are to be had',
      `<p>a <img class=smilies src="${PIXEL}" alt=":-)"> b`,
      'a :-) b',
    ],
    ['stay where a pixel is all that there is', `<img src="${PIXEL}" alt="dot">`, '![dot](<Base64-Image-Removed>)'],
    [
      'come once, in whatever sizes they are carried',
      '<figure><img src="/f-300x200.jpg" alt=f><img src="/f.jpg?w=900" alt=f></figure>',
      '![f](https://site.test/f-300x200.jpg)',
    ],
    [
      'are no signs beside the words of a link',
      '<a href=/x><img src="/icons/arrow.svg" alt=""> Read on</a>',
      '[Read on](https://site.test/x)',
    ],
    ['are the emoji that they show', '<p>Well done <img src=/emoji/1f389.png alt="🎉">', 'Well done 🎉'],
    [
      'stand apart from the words beside them',
      '<p><img src=/p.jpg alt=p>Her harbour',
      '![p](https://site.test/p.jpg) Her harbour',
    ],
    ['make no heading', '<h2><img src=/p.jpg alt=p></h2><p>a', '![p](https://site.test/p.jpg)\n\na'],
  ])
})

describe('words that only styles separate', () => {
  shows([
    ['in spans', '<p><span>Ada Byron</span><span>May 7</span>', 'Ada Byron May 7'],
    [
      'in a row of a kind',
      '<p><i class=t>tide</i><i class=t>harbour</i><i class=t>ledger</i>',
      '*tide* *harbour* *ledger*',
    ],
    ['in a row by its mark-up', '<div class="flex gap-2"><span>tide</span><span>harbour</span></div>', 'tide harbour'],
    ['on a line of their own', '<p><span style="display:block">tide</span><span>harbour</span>', 'tide\n\nharbour'],
    [
      'are not those of one word',
      '<p><b>Java</b><i>Script</i> <span>un</span><span>bound</span>',
      '**Java***Script* unbound',
    ],
  ])
})

describe('texts for screen readers', () => {
  shows([
    [
      'are left out of a link that has words',
      '<a href=/x>Rates<span class="sr-only"> of the harbour</span></a>',
      '[Rates](https://site.test/x)',
    ],
    [
      'are left out where they are shown beside',
      '<p><span class="visually-hidden">12.50 euros</span><span aria-hidden=true>12.50</span>',
      '12.50',
    ],
    [
      'stay where they name what is drawn',
      '<a href=/x><svg></svg><span class="sr-only">Feed</span></a>',
      '[Feed](https://site.test/x)',
    ],
    ['stay where they say what a value is', '<p><span class="sr-only">Now</span> 9.90', 'Now 9.90'],
    [
      'are no remarks on windows, and no ways past',
      '<a href="#main">Skip to main content</a><p><a href=/x title="Opens in a new window">Rates (opens in a new tab)</a>',
      '[Rates](https://site.test/x)',
    ],
  ])
})

describe('separators and lists', () => {
  shows([
    ['rules stand between things, once', '<hr><p>a<hr><hr><p>b<ul><li><hr><p>c</ul><hr>', 'a\n\n* * *\n\nb\n\n- c'],
    ['a heading comes once', '<h3>Tides</h3><h3>Tides</h3><p>a', '### Tides\n\na'],
    ['columns are one list', '<div><ul><li>a</ul></div><div><ul><li>b</ul></div>', '- a\n- b'],
    ['two lists side by side stay two', '<ul><li>a</ul><ul><li>b</ul>', '- a\n\n* b'],
    ['an item has one bullet', '<ul><li>• a<li>▪ b</ul>', '- a\n- b'],
    ['lines with typed bullets are a list', '<p>Bring:<br>• rope<br>• tar', 'Bring:\n\n- rope\n- tar'],
    ['so are those with typed dashes', '<p>Bring:<br>- rope<br>- tar', 'Bring:\n\n- rope\n- tar'],
    ['one alone is not', '<p>Bring<br>- rope', 'Bring  \n\\- rope'],
    ['numbers typed in items are theirs', '<ul><li><b></b>1.Xie, Wu<li>2. Li</ul>', '1. Xie, Wu\n2. Li'],
    ['and stand there once', '<ol><li>1. rope<li>2. tar</ol>', '1. rope\n2. tar'],
    ['other numbers stay', '<ul><li>2. rope<li>7. tar</ul>', '- 2\\. rope\n- 7\\. tar'],
    ['amounts too', '<ol><li>1.5 cups<li>2.5 cups</ol>', '1. 1.5 cups\n2. 2.5 cups'],
  ])
})
