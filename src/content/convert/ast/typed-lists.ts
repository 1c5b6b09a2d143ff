import { ViewNode } from '../markdown-view.js'
import { isLetterOrDigit } from './spaces.js'

// Signs that are typed as bullets, and hardly ever for anything else.
const BULLET = /^[\s\u00A0]*([•▪●◦‣■∙⁃▸])[\s\u00A0]*(?=[^\s\u00A0])/
// Signs that are also typed for other purposes. Texts are already escaped, and the rest of the line must not start
// another block.
const DASH = /^\s*\\?([-*·])\s+(?=[^\s\d#>+*\\-]|$)/
const NUMBER = /^\s*(\d{1,4})\\?[.)]\s*(?=[^\s\d#>+*\\-]|$)/

/** A list marker typed as text at the start of a line. */
interface TypedMark {
  /** Lines with the same sign form one list. */
  readonly sign: string
  readonly length: number
}

/** The first sign that is no letter of ASCII, nor punctuation that begins no mark. */
const MAY_BE_MARK = /^[\s\u00A0]*[^\s\u00A0\w"'(),.:;<=>?@[\]]/

function markOf(text: string): TypedMark | undefined {
  // Nearly all texts begin so, and the patterns are not tried.
  if (isLetterOrDigit(text.charCodeAt(0)) || !MAY_BE_MARK.test(text)) return undefined
  const dash = DASH.exec(text)
  const found = dash ?? BULLET.exec(text)
  return found ? { sign: dash?.[1] ?? '•', length: found[0].length } : undefined
}

/** A bullet that is all of a line. Not a dash, which may stand for a value that is missing. */
const ONLY_BULLET = /^[\s\u00A0]*[•▪●◦‣■∙⁃▸][\s\u00A0]*$/

/** Removes a bullet typed at the start of an item, or on a line before its contents. The item has one already. */
export function stripTypedBullet(item: ViewNode): void {
  const { childNodes } = item
  const text = firstText(childNodes)
  if (text && childNodes.length > 1 && text.parentNode?.childNodes.length === 1 && ONLY_BULLET.test(text.nodeValue))
    return item.replaceChildren(childNodes.slice(1))
  if (text && markOf(text.nodeValue) !== undefined) text.nodeValue = text.nodeValue.replace(BULLET, '')
}

/**
 * Returns the list with the numbers typed before its items as item numbers, if they count up and the items have no
 * others.
 */
export function useTypedNumbers(list: ViewNode): ViewNode {
  const items = list.childNodes
  // Hardly any list has typed numbers.
  if (items[0] === undefined || numberTyped(items[0]) === undefined) return list
  const numbers = items.map(numberTyped)
  const [start = NaN] = numbers
  const isCounting = items.length > 1 && numbers.every((number, at) => number === start + at)
  if (!isCounting || items.some(({ details }, at) => (details.number ?? numbers[at]) !== numbers[at])) return list
  const numbered = new ViewNode('list', '', { ...list.details, isOrdered: true })
  for (const [at, { details, childNodes }] of items.entries()) {
    const item = new ViewNode('item', '', { ...details, number: start + at })
    const text = firstText(childNodes)
    if (text) text.nodeValue = text.nodeValue.replace(NUMBER, '')
    item.replaceChildren(childNodes)
    numbered.append(item)
  }
  return numbered
}

/** Returns the number typed before the text of an item. */
function numberTyped({ kind, childNodes }: ViewNode): number | undefined {
  const text = kind === 'item' ? firstText(childNodes) : undefined
  const found = text && NUMBER.exec(text.nodeValue)
  if (!found) return undefined
  const [length, number] = found
  const isAlone = text.parentNode?.childNodes.length === 1 && length.length === text.nodeValue.length
  return number === undefined || isAlone ? undefined : Number(number)
}

function firstText(blocks: readonly ViewNode[]): ViewNode | undefined {
  const line = blocks[0]
  const first = line?.kind === 'paragraph' ? line.childNodes[0] : undefined
  return first?.kind === 'text' ? first : undefined
}

/** A line of a paragraph, with the line break before it. */
interface Line {
  readonly paragraph: ViewNode
  readonly nodes: ViewNode[]
  readonly lineBreak?: ViewNode
  readonly mark: TypedMark | undefined
}

/** Converts runs of two or more lines that start with a typed marker to lists. */
export function splitTypedLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  let isMarked = false
  for (const block of blocks) isMarked ||= hasTypedMark(block)
  if (!isMarked) return blocks
  const lines = blocks.flatMap((block): (Line | ViewNode)[] => (hasTypedMark(block) ? splitLines(block) : [block]))
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

/** Returns the lines from `begin` on that form a list, or that line alone. */
function takeRun(lines: readonly (Line | ViewNode)[], begin: number): Line[] {
  const run: Line[] = []
  for (let at = begin; at < lines.length; at++) {
    const line = lines[at]
    if (line === undefined || line instanceof ViewNode) break
    const last = run.at(-1)
    if (last && (line.mark === undefined || line.mark.sign !== last.mark?.sign)) break
    run.push(line)
  }
  return run
}

/** True for a paragraph with a line that starts with a marker. */
function hasTypedMark(block: ViewNode): boolean {
  if (block.kind !== 'paragraph') return false
  let isStart = true
  for (const { kind, nodeValue } of block.childNodes) {
    if (isStart && kind === 'text' && markOf(nodeValue) !== undefined) return true
    isStart = kind === 'break'
  }
  return false
}

/** Splits a paragraph at its lines with a marker. The other lines stay together. */
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

/** Rejoins lines that form no list to a paragraph. */
function paragraphOf(lines: readonly Line[]): ViewNode {
  const paragraph = new ViewNode('paragraph')
  paragraph.replaceChildren(
    lines.flatMap(({ nodes, lineBreak }, at) => [...(lineBreak && at > 0 ? [lineBreak] : []), ...nodes]),
  )
  return paragraph
}

function listOf(lines: readonly Line[]): ViewNode {
  const list = new ViewNode('list', '', { isOrdered: false })
  for (const line of lines) {
    const item = new ViewNode('item')
    const [first] = line.nodes
    if (first) first.nodeValue = first.nodeValue.slice(line.mark?.length)
    item.append(paragraphOf([line]))
    list.append(item)
  }
  return list
}
