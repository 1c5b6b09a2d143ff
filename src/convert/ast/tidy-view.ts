import { ViewNode } from '../markdown-view.js'
import { isSamePicture } from './same-picture.js'
import { splitTypedLists, stripTypedBullet, takeTypedNumbers } from './typed-lists.js'

/** What holds blocks, one after another. */
const CONTAINERS = new Set<ViewNode['kind']>(['root', 'quote', 'list', 'item', 'note'])

/**
 * Leaves out of a view what a person would not have written: rules that part nothing, a heading or picture that comes twice,
 * headings without words; and brings together what belongs together: a picture and its caption, a list that stands
 * in columns. Recursion is safe: the depth of a view is bounded.
 */
export function tidyView(container: ViewNode): void {
  for (const child of container.childNodes) if (CONTAINERS.has(child.kind)) tidyView(child)
  if (container.kind === 'list') return
  if (container.kind === 'item' && container.details.number === undefined) stripTypedBullet(container)
  const kept: ViewNode[] = []
  for (const block of splitTypedLists(container.childNodes)) {
    const last = kept.at(-1)
    const child =
      block.kind === 'list'
        ? takeTypedNumbers(block)
        : block.kind === 'heading' && isPicture(block)
          ? asParagraph(block)
          : block
    if (child.kind === 'rule' && (last === undefined || last.kind === 'rule')) continue
    if (!hasContent(child) || (last !== undefined && isRepeated(last, child))) continue
    if (last !== undefined && (joinCaption(last, child) || joinList(last, child))) continue
    kept.push(child)
  }
  if (kept.at(-1)?.kind === 'rule') kept.pop()
  const isSame =
    kept.length === container.childNodes.length && kept.every((node, at) => node === container.childNodes[at])
  if (!isSame) container.replaceChildren(kept)
}

/** Whether a block is written at all. */
export function hasContent(node: ViewNode): boolean {
  if (node.kind === 'text') return node.nodeValue.trim() !== ''
  const holdsBlocks = node.kind === 'heading' || node.kind === 'paragraph' || MARKS.has(node.kind)
  return !(holdsBlocks || CONTAINERS.has(node.kind)) || node.childNodes.some(hasContent)
}

const MARKS = new Set<ViewNode['kind']>(['strong', 'emphasis', 'strike', 'link', 'superscript', 'subscript'])

/** Whether a line consists of pictures and nothing else. */
function isPicture(line: ViewNode): boolean {
  let pictures = 0
  const isOnly = (node: ViewNode): boolean => {
    if (node.kind === 'image') pictures += 1
    if (node.kind === 'text') return node.nodeValue.trim() === ''
    const isAround = MARKS.has(node.kind) || node.kind === 'paragraph'
    return node.kind === 'image' || node.kind === 'break' || (isAround && node.childNodes.every(isOnly))
  }
  return line.childNodes.every(isOnly) && pictures > 0
}

function asParagraph({ childNodes }: ViewNode): ViewNode {
  const paragraph = new ViewNode('paragraph')
  paragraph.replaceChildren(childNodes.flatMap((line) => line.childNodes))
  return paragraph
}

/** Whether a heading or a picture is the one before it: pages carry them twice, for wide and for narrow screens. */
function isRepeated(before: ViewNode, block: ViewNode): boolean {
  if (block.kind !== before.kind || !isEqual(before, block)) return false
  return block.kind === 'heading' || (block.kind === 'paragraph' && isPicture(block))
}

function isEqual(one: ViewNode, other: ViewNode): boolean {
  if (one.kind === 'image' && other.kind === 'image')
    return one.nodeValue === other.nodeValue && isSamePicture(one, other)
  return (
    one.kind === other.kind &&
    one.nodeValue === other.nodeValue &&
    one.details.href === other.details.href &&
    one.details.level === other.details.level &&
    one.childNodes.length === other.childNodes.length &&
    one.childNodes.every((child, at) => isEqual(child, other.childNodes[at] ?? one))
  )
}

/** Puts a caption on the line below its picture. */
function joinCaption(picture: ViewNode, caption: ViewNode): boolean {
  if (caption.details.isCaption !== true || picture.kind !== 'paragraph' || !isPicture(picture)) return false
  picture.append(new ViewNode('break'))
  for (const child of caption.childNodes) picture.append(child)
  return true
}

/** Goes on with a list where the next one stands beside it only: as a column of the same list, or in a box of its own. */
function joinList(list: ViewNode, next: ViewNode): boolean {
  if (list.kind !== 'list' || next.kind !== 'list') return false
  const { isOrdered, source } = list.details
  if (isOrdered !== false || next.details.isOrdered !== false) return false
  if (source === undefined || source.parent === next.details.source?.parent) return false
  for (const item of next.childNodes) list.append(item)
  return true
}
