import { escapeText } from '../escape/escape-text.js'
import type { ViewDetails, ViewKind, ViewNode } from '../markdown-view.js'
import { joinLines, writeTable } from './write-table.js'
import type { Writer } from './writer.js'

const oneLine = (content: string): string => joinLines(content, ' ')

const delimited =
  (sign: string, tag: string): Writer =>
  (content, { signsBefore, signsAfter, syntax }) => {
    // A hard break inside of a mark stays. White space at its ends would keep it from being parsed.
    const text = content.trim()
    if (text === '') return signsBefore + signsAfter
    if (syntax === 'plain') return `${signsBefore}${text}${signsAfter}`
    const marked = syntax === 'tag' || sign === '' ? `<${tag}>${text}</${tag}>` : `${sign}${text}${sign}`
    return `${signsBefore}${marked}${signsAfter}`
  }

const IN_LABEL = { before: ' ', after: ']', inLink: true }

/** Returns the signs that occur twice in a text, and the backtick, which can form a pair with one outside of it. */
const signsIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from('*_~`').filter((sign) => sign === '`' || text.indexOf(sign) !== text.lastIndexOf(sign)))

/**
 * Returns the minimum number of line feeds before and after a block: two of them make a blank line.
 *
 * @see https://spec.commonmark.org/0.31.2/#tight
 */
export function breaksAround(block: ViewNode): 1 | 2 {
  if (
    block.kind === 'item' ||
    (block.kind === 'paragraph' && block.parentNode?.kind === 'item' && isTight(block.parentNode))
  )
    return 1
  return block.kind === 'list' && block.parentNode?.kind === 'item' && !needsBlankLine(block) ? 1 : 2
}

/** Writers of Markdown, one for each kind of view node. Blocks are written without the line feeds around them. */
export const writers: Readonly<Record<ViewKind, Writer>> = {
  root: (content) => content,
  paragraph: (content) => content.trim(),
  heading: (content, { details }) => {
    // `#` at the end would be parsed as the heading's closing sequence. A heading that is all bold needs no marks.
    const text = oneLine(content)
      .replace(/^(\[?)\*\*([^*]+)\*\*(|\]\([^()\s]*\))$/, '$1$2$3')
      .replace(/(^|\s)(#+)$/, '$1\\$2')
    return text === '' ? '' : `${'#'.repeat(details.level ?? 1)} ${text}`
  },
  quote: (content) => {
    const text = content.trim()
    return text === '' ? '' : `> ${text.replace(/\n(?!\n)/g, '\n> ').replace(/\n(?=\n)/g, '\n>')}`
  },
  list: trimLines,
  item: writeItem,
  codeBlock: (_, { nodeValue, details }) => {
    let longest = 2
    for (const [, run = ''] of nodeValue.matchAll(/^[ \t]*(`{3,})/gm)) longest = Math.max(longest, run.length)
    const fence = '`'.repeat(longest + 1)
    return `${fence}${details.language ?? ''}\n${nodeValue}\n${fence}`
  },
  table: writeTable,
  cell: (content, node) => {
    node.nodeValue = content
    return ''
  },
  // In an item, a bullet and a rule of the same sign would be parsed as one rule.
  rule: (_, { parentNode }) => (parentNode?.kind === 'item' ? '___' : '* * *'),
  blockText: (_, { nodeValue }) => nodeValue,
  note: (content, { details }) => {
    const text = trimLines(content)
    return text === '' ? '' : `[^${details.label ?? ''}]: ${text.replace(/\n(?!\n)/g, '\n    ')}`
  },
  strong: delimited('**', 'strong'),
  emphasis: delimited('*', 'em'),
  strike: delimited('~~', 'del'),
  superscript: delimited('', 'sup'),
  subscript: delimited('', 'sub'),
  link: (content, { details }, { links }) => {
    const text = oneLine(content)
    if (links === 'text') return text
    return text === '' ? '' : `[${text}](${linkTarget(details)})`
  },
  code: (_, { nodeValue, details }) => {
    if (details.isTag === true)
      return `<code>${nodeValue.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
    if (!nodeValue.includes('`')) return `\`${nodeValue}\``
    const runs = new Set(Array.from(nodeValue.matchAll(/`+/g), (run) => run[0].length))
    let length = 1
    while (runs.has(length)) length += 1
    const ticks = '`'.repeat(length)
    const space = nodeValue.startsWith('`') || nodeValue.endsWith('`') ? ' ' : ''
    return `${ticks}${space}${nodeValue}${space}${ticks}`
  },
  image: (_, { nodeValue, details }, { removeBase64Images, images }) => {
    const alt = escapeText(nodeValue, { ...IN_LABEL, pairs: signsIn(nodeValue) })
    if (images === 'alt') return alt === '' ? '' : `![${alt}]`
    const href = details.href ?? ''
    if (href.startsWith('data:') && removeBase64Images) return `![${alt}](<Base64-Image-Removed>)`
    return `![${alt}](${linkTarget(details)})`
  },
  inlineText: (_, { nodeValue }) => nodeValue,
  break: () => '  \n',
  text: (_, { nodeValue }) => nodeValue,
}

/** True for a list item with one paragraph, so that no blank line is needed beside it. */
function isTight(item: ViewNode): boolean {
  return item.childNodes.every(({ kind }, at) => (kind === 'paragraph' ? at === 0 : kind === 'list'))
}

/**
 * True for a list that needs a blank line before it: one that does not start with 1 cannot interrupt a paragraph.
 *
 * @see https://spec.commonmark.org/0.31.2/#list-items
 */
function needsBlankLine({ childNodes, previousSibling }: ViewNode): boolean {
  if (previousSibling === null) return false
  if (previousSibling.kind === 'list') return true
  // Items without content are not written.
  const next = (nodes: readonly ViewNode[]): ViewNode | undefined =>
    nodes.find(({ kind, childNodes: inside }) => kind !== 'item' || inside.length > 0)
  let first = next(childNodes)
  while (first !== undefined && (first.details.number ?? 1) === 1) first = next(first.childNodes)
  return first?.details.number !== undefined
}

function writeItem(content: string, { details, parentNode }: ViewNode): string {
  const text = trimLines(content)
  if (text === '') return ''
  const isOther = parentNode?.hasOtherBullets === true
  const bullet = details.number === undefined ? (isOther ? '* ' : '- ') : `${details.number}${isOther ? ')' : '.'} `
  const task = details.checked === undefined ? '' : details.checked ? '[x] ' : '[ ] '
  // Blank lines stay empty: with indentation they would be trailing white space.
  const lines = text.includes('\n') ? text.replace(/\n(?!\n)/g, `\n${' '.repeat(bullet.length)}`) : text
  return `${bullet}${task}${lines}`
}

function trimLines(text: string): string {
  return (text.startsWith('\n') ? text.replace(/^\n+/, '') : text).trimEnd()
}

/** Writes the URL and title of a link or image. */
export const linkTarget = ({ href = '', title }: ViewDetails): string => `${destination(href)}${titlePart(title)}`

/** Writes a URL. @see https://spec.commonmark.org/0.31.2/#link-destination */
function destination(address: string): string {
  if (isPlain(address)) return address
  // Escapes and entities are also parsed in URLs.
  const href = address.replace(PARSED_IN_URL, '\\$&')
  const plain = href.replace(ENDS_URL, encodeURIComponent)
  return isBalanced(plain) ? plain : plain.replace(/[()]/g, '\\$&')
}

/** True for a URL of letters, digits and signs that are not parsed, with its parentheses in pairs. */
const isPlain = (address: string): boolean => !PARSED.test(address) && isBalanced(address)

const PARSED = /[^\w!#$%'()*+,./:;=?@^|~-]/
const PARENTHESIS = /[()]/

const PARSED_IN_URL = /\\(?=[!-/:-@[-`{-~]|$)|&(?=#?\w{1,31};)/g
const ENDS_URL = /[\s<>]/g
const OPENING = 40
const CLOSING = 41

/** True for a URL with its parentheses in pairs. */
function isBalanced(href: string): boolean {
  let open = 0
  const first = href.search(PARENTHESIS)
  for (let at = first; at !== -1 && at < href.length; at++) {
    const code = href.charCodeAt(at)
    if (code === OPENING) open += 1
    else if (code === CLOSING && --open < 0) return false
  }
  return open === 0
}

const titlePart = (title: string | undefined): string =>
  title === undefined ? '' : ` "${title.replace(/[\\"<]/g, '\\$&')}"`
