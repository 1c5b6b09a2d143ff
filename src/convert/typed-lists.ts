import { ViewNode } from './markdown-view.js'

/** What somebody typed before a line to make it an item. */
interface TypedMark {
  /** Lines with the same sign, or with the numbers that follow, are one list. */
  readonly sign: string
  readonly number?: number
  readonly length: number
}

// Signs that are typed for bullets and hardly for anything else.
const BULLET = /^[\s\u00A0]*[•▪●◦‣■∙⁃▸][\s\u00A0]*(?=[^\s\u00A0])/
// What follows must not begin another block. Texts are escaped already.
const DASH = /^\s*\\?([-*])\s+(?=[^\s\d#>+*\\-]|$)/
const NUMBER = /^\s*(\d{1,4})\\?([.)])\s+(?=[^\s\d#>+*\\-]|$)/
/** In an item, which begins with it, a number needs no space behind it. */
const ITEM_NUMBER = /^\s*(\d{1,4})\\?[.)]\s*(?=[^\s\d#>+*\\-]|$)/
/** A number that stands by itself, e.g. in a ranking. */
const LONE_NUMBER = /^\s*\\?#?(\d{1,4})(?:\\?[.)])?\s*$/

function markOf(text: string): TypedMark | undefined {
  const bullet = BULLET.exec(text) ?? DASH.exec(text)
  if (bullet) return { sign: bullet[1] ?? '•', length: bullet[0].length }
  const [length, number, sign = ''] = NUMBER.exec(text) ?? []
  return length === undefined ? undefined : { sign, number: Number(number), length: length.length }
}

/** Takes the bullet away that is typed before the text of an item, which has one already. */
export function stripTypedBullet({ childNodes: [line] }: ViewNode): void {
  const [first] = line?.kind === 'paragraph' ? line.childNodes : []
  if (first?.kind === 'text') first.nodeValue = first.nodeValue.replace(BULLET, '')
}

/** The list, with the numbers that are typed before its items as its own: when they count up, and are no other ones than it has. */
export function takeTypedNumbers(list: ViewNode): ViewNode {
  const items = list.childNodes
  const numbers = items.map(numberTyped)
  const [start = NaN] = numbers
  const isCounting = items.length > 1 && numbers.every((number, at) => number === start + at)
  if (!isCounting || items.some(({ details }, at) => (details.number ?? numbers[at]) !== numbers[at])) return list
  const numbered = new ViewNode('list', '', { ...list.details, isOrdered: true })
  for (const [at, { details, childNodes }] of items.entries()) {
    const item = new ViewNode('item', '', { ...details, number: start + at })
    const [line, ...others] = childNodes
    const [text, ...rest] = line?.childNodes ?? []
    if (text && (rest.length > 0 || others.length === 0)) text.nodeValue = text.nodeValue.replace(ITEM_NUMBER, '')
    item.replaceChildren(text && LONE_NUMBER.test(text.nodeValue) && rest.length === 0 ? others : childNodes)
    numbered.append(item)
  }
  return numbered
}

/** The number with which an item begins: before its text, or on a line of its own above it. */
function numberTyped({ kind, childNodes: [line, ...others] }: ViewNode): number | undefined {
  const [text, ...rest] = kind === 'item' && line?.kind === 'paragraph' ? line.childNodes : []
  if (text?.kind !== 'text') return undefined
  const isAlone = rest.length === 0 && others.length > 0
  const number = (isAlone && LONE_NUMBER.exec(text.nodeValue)) || ITEM_NUMBER.exec(text.nodeValue)
  return number && (rest.length + others.length > 0 || number[0].length < text.nodeValue.length)
    ? Number(number[1])
    : undefined
}

/** A line of a paragraph, with the break that it stands after. */
interface Line {
  readonly paragraph: ViewNode
  readonly nodes: ViewNode[]
  readonly lineBreak?: ViewNode
  readonly mark: TypedMark | undefined
}

/** The same blocks, with lines that begin with a typed mark, two or more of them, as a list. */
export function splitTypedLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  if (!blocks.some(holdsMark)) return blocks
  const lines = blocks.flatMap((block): (Line | ViewNode)[] => (holdsMark(block) ? splitLines(block) : [block]))
  const made: ViewNode[] = []
  let plain: Line[] = []
  const endPlain = (): void => {
    if (plain.length > 0) made.push(paragraphOf(plain))
    plain = []
  }
  for (let at = 0; at < lines.length; at++) {
    const run = takeRun(lines, at)
    const line = lines[at]
    if (run.length > 1 || line === undefined || line instanceof ViewNode) {
      endPlain()
      if (line instanceof ViewNode) made.push(line)
      else made.push(listOf(run))
      at += Math.max(1, run.length) - 1
    } else {
      if (plain[0]?.paragraph !== line.paragraph) endPlain()
      plain.push(line)
    }
  }
  endPlain()
  return made
}

/** The lines from one on that make a list with it, or that one alone. */
function takeRun(lines: readonly (Line | ViewNode)[], begin: number): Line[] {
  const run: Line[] = []
  for (let at = begin; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || line instanceof ViewNode) break
    const last = run.at(-1)
    if (last && !isNext(line.mark, last.mark)) break
    run.push(line)
  }
  return run
}

const isNext = (mark: TypedMark | undefined, before: TypedMark | undefined): boolean =>
  mark !== undefined &&
  before !== undefined &&
  mark.sign === before.sign &&
  (mark.number === undefined || mark.number === (before.number ?? NaN) + 1)

const isLineStart = (paragraph: ViewNode, at: number): boolean =>
  at === 0 || paragraph.childNodes[at - 1]?.kind === 'break'

/** Whether a paragraph has a line that begins with a mark: its first, or one after a line break. */
function holdsMark(block: ViewNode): boolean {
  if (block.kind !== 'paragraph') return false
  return block.childNodes.some(
    (node, at) => node.kind === 'text' && isLineStart(block, at) && markOf(node.nodeValue) !== undefined,
  )
}

/** A paragraph's lines with a mark, each by itself, and what is between them as it was. */
function splitLines(paragraph: ViewNode): Line[] {
  const lines: Line[] = []
  const { childNodes } = paragraph
  for (const [at, node] of childNodes.entries()) {
    const start = childNodes[node.kind === 'break' ? at + 1 : at]
    const begins = at === 0 || (node.kind === 'break' && start?.kind === 'text')
    const mark = begins && start?.kind === 'text' ? markOf(start.nodeValue) : undefined
    if (at === 0) lines.push({ paragraph, nodes: [node], mark })
    else if (mark) lines.push({ paragraph, nodes: [], lineBreak: node, mark })
    else lines.at(-1)?.nodes.push(node)
  }
  return lines
}

/** The lines that are no list, as the paragraph that they were. */
function paragraphOf(lines: readonly Line[]): ViewNode {
  const paragraph = new ViewNode('paragraph')
  paragraph.replaceChildren(
    lines.flatMap(({ nodes, lineBreak }, at) => [...(lineBreak && at > 0 ? [lineBreak] : []), ...nodes]),
  )
  return paragraph
}

function listOf(lines: readonly Line[]): ViewNode {
  const isOrdered = lines[0]?.mark?.number !== undefined
  const list = new ViewNode('list', '', { isOrdered })
  for (const line of lines) {
    const { number, length = 0 } = line.mark ?? {}
    const item = new ViewNode('item', '', number === undefined ? {} : { number })
    const [first] = line.nodes
    if (first) first.nodeValue = first.nodeValue.slice(length)
    item.append(paragraphOf([line]))
    list.append(item)
  }
  return list
}
