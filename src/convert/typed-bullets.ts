import { ViewNode } from './markdown-view.js'

// Signs that are typed for bullets and hardly for anything else.
const BULLET = /^[\s\u00A0]*[•▪●◦‣■∙⁃▸][\s\u00A0]*(?=[^\s\u00A0])/

/** Takes the bullet away that is typed before the text of an item, which has one already. */
export function stripTypedBullet(item: ViewNode): void {
  const [line] = item.childNodes
  if (line?.kind === 'paragraph') strip(line)
}

function strip({ childNodes: [first] }: ViewNode): void {
  if (first?.kind === 'text') first.nodeValue = first.nodeValue.replace(BULLET, '')
}

/** The same blocks, with lines that begin with a typed bullet, two or more of them, as a list. */
export function splitTypedLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  if (!blocks.some(holdsBullet)) return blocks
  const made: ViewNode[] = []
  let lines: ViewNode[] = []
  const end = (): void => {
    if (lines.length > 1) made.push(listOf(lines))
    else made.push(...lines)
    lines = []
  }
  for (const block of blocks) {
    for (const line of holdsBullet(block) ? splitLines(block) : [block]) {
      if (beginsWithBullet(line)) lines.push(line)
      else {
        end()
        made.push(line)
      }
    }
  }
  end()
  return made
}

const beginsWithBullet = ({ kind, childNodes: [first] }: ViewNode): boolean =>
  kind === 'paragraph' && first?.kind === 'text' && BULLET.test(first.nodeValue)

/** Whether a paragraph has a line that begins with a bullet: its first, or one after a line break. */
function holdsBullet(block: ViewNode): boolean {
  if (block.kind !== 'paragraph') return false
  return block.childNodes.some(
    (node, at) =>
      node.kind === 'text' && (at === 0 || block.childNodes[at - 1]?.kind === 'break') && BULLET.test(node.nodeValue),
  )
}

/** A paragraph's lines with a bullet, each by itself, and what is between them as it was. */
function splitLines(paragraph: ViewNode): ViewNode[] {
  const lines: ViewNode[][] = [[]]
  const { childNodes } = paragraph
  for (const [at, node] of childNodes.entries()) {
    const next = childNodes[at + 1]
    const isEnd = node.kind === 'break' && next?.kind === 'text'
    const begins = isEnd && BULLET.test(next.nodeValue)
    if (begins) lines.push([])
    else lines.at(-1)?.push(node)
  }
  return lines
    .filter((line) => line.length > 0)
    .map((line) => {
      const node = new ViewNode('paragraph')
      node.replaceChildren(line)
      return node
    })
}

function listOf(lines: readonly ViewNode[]): ViewNode {
  const list = new ViewNode('list', '', { isOrdered: false })
  for (const line of lines) {
    const item = new ViewNode('item')
    strip(line)
    item.append(line)
    list.append(item)
  }
  return list
}
