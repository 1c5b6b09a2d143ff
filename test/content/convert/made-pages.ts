import { array, constant, constantFrom, integer, letrec, oneof, record, tuple } from 'fast-check'

/** A generated page, before it is HTML. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'strong' | 'emphasis' | 'delete'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly href: string; readonly title: string; readonly children: readonly Inline[] }
  | { readonly type: 'image'; readonly href: string; readonly alt: string }
  | { readonly type: 'break' }

export type Block =
  | { readonly type: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly type: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly type: 'list'; readonly start: number | undefined; readonly items: readonly (readonly Block[])[] }
  | { readonly type: 'quote'; readonly children: readonly Block[] }
  | { readonly type: 'code'; readonly language: string; readonly text: string }
  | { readonly type: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly type: 'rule' }

const SIGNS =
  '* ** *** _ __ ` `` ``` ~ ~~ [ ] ( ) ]( ]: < > </ <b> <!-- # ## + - -- --- = === . ! ![ | || \\ \\\\ & &amp; &#35; 1. 2) 12. ^ [^1] [^1]: : ; " \' $ $$ @ [ ] [x] :- |- {}'
const WORDS =
  'a b word Word 中文 「 」 é ß ‐ … 🎉 x_y __init__ 2*3 C# C++ AT&T http://a.test/b_c_d https://a.test/*x*y www.a.test/_b_ me@a.test'

const piece = oneof(
  { weight: 3, arbitrary: constantFrom(...WORDS.split(' ')) },
  { weight: 3, arbitrary: constantFrom(...SIGNS.split(' ')) },
  { weight: 2, arbitrary: constantFrom(' ', '  ', '\n', '\u00A0') },
)
const hostileText = array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''))
const href = array(
  constantFrom(
    'a',
    '/',
    '(',
    ')',
    '%20',
    '*',
    '_',
    '?q=',
    '&amp',
    '&x=1',
    '[',
    ']',
    '"',
    "'",
    '#',
    '~',
    '!',
    '|',
    '\\',
  ),
  {
    maxLength: 6,
  },
).map((pieces) => `https://a.test/${pieces.join('')}`)

const { inline: anyInline } = letrec<{ inline: Inline; inlines: Inline[] }>((tie) => ({
  inline: oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: hostileText.map((text): Inline => ({ type: 'text', text })) },
    { weight: 1, arbitrary: hostileText.map((text): Inline => ({ type: 'code', text })) },
    { weight: 1, arbitrary: constant<Inline>({ type: 'break' }) },
    {
      weight: 1,
      arbitrary: record({ type: constant('image' as const), href, alt: hostileText }),
    },
    {
      weight: 2,
      arbitrary: record({
        type: constantFrom('strong' as const, 'emphasis' as const, 'delete' as const),
        children: tie('inlines'),
      }),
    },
    {
      weight: 1,
      arbitrary: record({
        type: constant('link' as const),
        href,
        title: hostileText,
        // Without any text it would be named by its title.
        children: tie('inlines').map((children): Inline[] => [...children, { type: 'text', text: 'z' }]),
      }),
    },
  ),
  inlines: array(tie('inline'), { minLength: 1, maxLength: 4 }),
}))
const inlines = array(anyInline, { minLength: 1, maxLength: 4 })

const code = record({
  type: constant('code' as const),
  language: constantFrom('', 'js', 'c++'),
  text: array(oneof(hostileText, constantFrom('', '    x', '\ty', '```js', '~~~', '````', '> q', '- i')), {
    maxLength: 5,
  }).map((lines) => lines.join('\n')),
})

const table = tuple(integer({ min: 1, max: 3 }), integer({ min: 1, max: 3 }))
  .chain(([columns, rows]) =>
    array(array(inlines, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
  )
  .map((rows): Block => ({ type: 'table', rows }))

const { block: anyBlock } = letrec<{ block: Block; blocks: Block[] }>((tie) => ({
  block: oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: inlines.map((children): Block => ({ type: 'paragraph', children })) },
    {
      weight: 1,
      arbitrary: tuple(integer({ min: 1, max: 6 }), inlines).map(([level, children]): Block => ({
        type: 'heading',
        level,
        children,
      })),
    },
    { weight: 1, arbitrary: code },
    { weight: 1, arbitrary: table },
    { weight: 1, arbitrary: constant<Block>({ type: 'rule' }) },
    { weight: 1, arbitrary: tie('blocks').map((children): Block => ({ type: 'quote', children })) },
    {
      weight: 2,
      arbitrary: record({
        type: constant('list' as const),
        start: constantFrom(undefined, undefined, 1, 0, 7, 1234),
        items: array(tie('blocks'), { minLength: 1, maxLength: 3 }),
      }),
    },
  ),
  blocks: array(tie('block'), { minLength: 1, maxLength: 3 }),
}))

/** Generates pages of headings, lists, quotes, tables and code, with texts and URLs that look like Markdown. */
export const madePages = array(anyBlock, { minLength: 1, maxLength: 4 })

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const TAGS = { strong: 'b', emphasis: 'i', delete: 'del' } as const

function inlineHtml(inline: Inline, inLink = false): string {
  const inside = (children: readonly Inline[], within = inLink): string =>
    children.map((child) => inlineHtml(child, within)).join('')
  switch (inline.type) {
    case 'text':
      return escapeHtml(inline.text)
    case 'code':
      return `<code>${escapeHtml(inline.text)}</code>`
    case 'break':
      return '<br>'
    case 'image':
      return `<img src="${escapeHtml(inline.href)}" alt="${escapeHtml(inline.alt)}">`
    case 'link':
      // HTML has no nested links.
      if (inLink) return inside(inline.children)
      return `<a href="${escapeHtml(inline.href)}" title="${escapeHtml(inline.title)}">${inside(inline.children, true)}</a>`
    default: {
      const tag = TAGS[inline.type]
      return `<${tag}>${inside(inline.children)}</${tag}>`
    }
  }
}

export function blockHtml(made: Block): string {
  switch (made.type) {
    case 'paragraph':
      return `<p>${made.children.map((child) => inlineHtml(child)).join('')}</p>`
    case 'heading':
      return `<h${made.level}>${made.children.map((child) => inlineHtml(child)).join('')}</h${made.level}>`
    case 'list': {
      const items = made.items.map((item) => `<li>${item.map(blockHtml).join('')}</li>`).join('')
      return made.start === undefined ? `<ul>${items}</ul>` : `<ol start="${made.start}">${items}</ol>`
    }
    case 'quote':
      return `<blockquote>${made.children.map(blockHtml).join('')}</blockquote>`
    case 'code':
      return `<pre><code class="${made.language === '' ? '' : `language-${made.language}`}">${escapeHtml(made.text)}</code></pre>`
    case 'table': {
      const [head = [], ...rows] = made.rows
      const row = (cells: readonly (readonly Inline[])[], tag: string, mark: string): string =>
        `<tr>${cells.map((cell) => `<${tag}>${mark}${cell.map((child) => inlineHtml(child)).join('')}</${tag}>`).join('')}</tr>`
      return `<table>${row(head, 'th', 'H')}${rows.map((cells) => row(cells, 'td', 'D')).join('')}</table>`
    }
    default:
      return '<hr>'
  }
}
