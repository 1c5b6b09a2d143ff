import { escapeText } from '../escape/escape-text.js'
import type { ViewDetails, ViewKind, ViewNode } from '../markdown-view.js'
import { joinLines } from './join-lines.js'
import { writeTable } from './write-table.js'
import type { Writer } from './writer.js'

const block = (markdown: string): string => (markdown === '' ? '' : `\n\n${markdown}\n\n`)

const oneLine = (content: string): string => joinLines(content, ' ')

const between =
  (sign: string, tag: string): Writer =>
  (content, { signsBefore, signsAfter, writing }) => {
    // A hard break inside of a mark stays; white space at its ends would unmake it.
    const text = content.trim()
    if (text === '') return signsBefore + signsAfter
    if (writing === 'plain') return `${signsBefore}${text}${signsAfter}`
    const marked = writing === 'tag' || sign === '' ? `<${tag}>${text}</${tag}>` : `${sign}${text}${sign}`
    return `${signsBefore}${marked}${signsAfter}`
  }

/** One for each kind of node. */
const IN_LABEL = { before: ' ', after: ']', inLink: true }

/** The signs that a text has twice, and backticks, which find their pair outside of it. */
const signsIn = (text: string): ReadonlySet<string> =>
  new Set(Array.from('*_~`').filter((sign) => sign === '`' || text.indexOf(sign) !== text.lastIndexOf(sign)))

export const writers: Readonly<Record<ViewKind, Writer>> = {
  root: (content) => content,
  paragraph: (content, node) => (isTight(node) ? `\n${content.trim()}\n` : block(content.trim())),
  heading: (content, { details }) => {
    // `#` at the end would be read as the heading's closing sequence. A heading that is bold as a whole is bold already.
    const text = oneLine(content)
      .replace(/^(\[?)\*\*([^*]+)\*\*(|\]\([^()\s]*\))$/, '$1$2$3')
      .replace(/(^|\s)(#+)$/, '$1\\$2')
    return text === '' ? '' : block(`${'#'.repeat(details.level ?? 1)} ${text}`)
  },
  quote: (content) => {
    const text = content.trim()
    const lines = text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`))
    return text === '' ? '' : block(lines.join('\n'))
  },
  list: (content, node) =>
    node.parentNode?.kind === 'item' && !mustStandApart(node) ? `\n${content.trim()}\n` : block(trimLines(content)),
  item: writeItem,
  codeBlock: (_, { nodeValue, details }) => {
    let longest = 2
    for (const [, run = ''] of nodeValue.matchAll(/^[ \t]*(`{3,})/gm)) longest = Math.max(longest, run.length)
    const fence = '`'.repeat(longest + 1)
    return block(`${fence}${details.language ?? ''}\n${nodeValue}\n${fence}`)
  },
  table: writeTable,
  cell: (content, node) => {
    node.nodeValue = content
    return ''
  },
  // In an item, bullets and a rule of the same sign would be one rule.
  rule: (_, { parentNode }) => block(parentNode?.kind === 'item' ? '___' : '* * *'),
  blockText: (_, { nodeValue }) => block(nodeValue),
  note: (content, { details }) => {
    const text = trimLines(content)
    return text === '' ? '' : block(`[^${details.label ?? ''}]: ${text.replace(/\n(?!\n)/g, '\n    ')}`)
  },
  strong: between('**', 'strong'),
  emphasis: between('*', 'em'),
  strike: between('~~', 'del'),
  superscript: between('', 'sup'),
  subscript: between('', 'sub'),
  link: (content, { details }) => {
    const text = oneLine(content)
    return text === '' ? '' : `[${text}](${linkTarget(details)})`
  },
  code: (_, { nodeValue, details }) => {
    if (details.isTag === true)
      return `<code>${nodeValue.replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`
    const runs = new Set(Array.from(nodeValue.matchAll(/`+/g), (run) => run[0].length))
    let length = 1
    while (runs.has(length)) length += 1
    const ticks = '`'.repeat(length)
    const space = nodeValue.startsWith('`') || nodeValue.endsWith('`') ? ' ' : ''
    return `${ticks}${space}${nodeValue}${space}${ticks}`
  },
  image: (_, { nodeValue, details }, { removeBase64Images }) => {
    const alt = escapeText(nodeValue, { ...IN_LABEL, pairs: signsIn(nodeValue) })
    const href = details.href ?? ''
    if (href.startsWith('data:') && removeBase64Images) return `![${alt}](<Base64-Image-Removed>)`
    return `![${alt}](${linkTarget(details)})`
  },
  inlineText: (_, { nodeValue }) => nodeValue,
  break: () => '  \n',
  text: (_, { nodeValue }) => nodeValue,
}

/** Whether a paragraph is the only one of its list item, so that no blank line is wanted beside it. */
function isTight({ parentNode }: ViewNode): boolean {
  if (parentNode?.kind !== 'item') return false
  return parentNode.childNodes.every(({ kind }, at) => (kind === 'paragraph' ? at === 0 : kind === 'list'))
}

/** Whether a list needs a blank line before it: one that does not begin with 1 does not end a paragraph. @see CommonMark 5.2 */
function mustStandApart({ childNodes, previousSibling }: ViewNode): boolean {
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
  // Blank lines stay blank: an indented one would be white space at the end of a line.
  return `\n${bullet}${task}${text.replace(/\n(?!\n)/g, `\n${' '.repeat(bullet.length)}`)}\n`
}

const trimLines = (text: string): string => text.replace(/^\n+/, '').trimEnd()

/** Where a link or image leads, and its title, as both stand in Markdown. */
export const linkTarget = ({ href = '', title }: Pick<ViewDetails, 'href' | 'title'>): string =>
  `${destination(href)}${titlePart(title)}`

/** @see CommonMark 6.3, "link destination" */
function destination(address: string): string {
  // Escapes and entities are read in addresses, too.
  const href = address.replace(/\\(?=[!-/:-@[-`{-~]|$)|&(?=#?\w{1,31};)/g, '\\$&')
  const plain = href.replace(/[\s<>]/g, encodeURIComponent)
  return isBalanced(plain) ? plain : plain.replace(/[()]/g, '\\$&')
}

function isBalanced(href: string): boolean {
  let open = 0
  for (const character of href) {
    if (character === '(') open += 1
    else if (character === ')' && --open < 0) return false
  }
  return open === 0
}

const titlePart = (title: string | undefined): string =>
  title === undefined ? '' : ` "${title.replace(/[\\"]/g, '\\$&')}"`
