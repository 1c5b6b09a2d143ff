import { ViewNode } from '../markdown-view.js'
import { isSameImage } from './same-image.js'
import { isBlank } from './spaces.js'
import { splitTypedLists, stripTypedBullet, useTypedNumbers } from './typed-lists.js'

/** Nodes that contain blocks. */
const CONTAINERS = new Set<ViewNode['kind']>(['root', 'quote', 'list', 'item', 'note'])

/**
 * Removes what a person would not write: rules that separate nothing, repeated headings and images, headings without
 * text. Joins what belongs together: an image and its caption, a list in columns. Recursion is safe, because the depth
 * of a view is bounded.
 */
export function tidyView(container: ViewNode): void {
  for (const child of container.childNodes) if (CONTAINERS.has(child.kind)) tidyView(child)
  if (container.kind === 'list') return
  if (container.kind === 'item' && container.details.number === undefined) stripTypedBullet(container)
  const kept: ViewNode[] = []
  for (const block of splitTypedLists(openLayoutLists(container.childNodes))) {
    const last = kept.at(-1)
    const child =
      block.kind === 'list'
        ? useTypedNumbers(block)
        : block.kind === 'heading' && isImageLine(block)
          ? asParagraph(block)
          : block
    if (child.kind === 'rule' && (last === undefined || last.kind === 'rule')) continue
    if (!hasContent(child) || (last !== undefined && isRepeated(last, child))) continue
    // Renderers put the notes below a rule of their own.
    if (child.kind === 'note' && last?.kind === 'rule') kept.pop()
    if (last !== undefined && child.details.isCaption === true && joinCaption(last, child)) continue
    if (last?.kind === 'list' && child.kind === 'list' && joinList(last, child)) continue
    kept.push(child)
  }
  if (kept.at(-1)?.kind === 'rule') kept.pop()
  const { childNodes } = container
  const isChanged = kept.length !== childNodes.length || kept.some((node, at) => node !== childNodes[at])
  if (isChanged) container.replaceChildren(kept)
}

/** True for a block that is written at all. */
export function hasContent({ kind, nodeValue, childNodes }: ViewNode): boolean {
  if (kind === 'text') return !isBlank(nodeValue)
  if (!WRITTEN_BY_CONTENT.has(kind)) return true
  for (const child of childNodes) if (hasContent(child)) return true
  return false
}

const MARKS = new Set<ViewNode['kind']>(['strong', 'emphasis', 'strike', 'link', 'superscript', 'subscript'])

/** Nodes that are written if anything inside of them is. */
const WRITTEN_BY_CONTENT = new Set<ViewNode['kind']>(['heading', 'paragraph', ...MARKS, ...CONTAINERS])

/** True for a line of nothing but images. */
const isImageLine = (line: ViewNode): boolean => line.childNodes.every(isImageOrSpace) && line.childNodes.some(hasImage)

function isImageOrSpace(node: ViewNode): boolean {
  if (node.kind === 'text') return isBlank(node.nodeValue)
  const isAround = MARKS.has(node.kind) || node.kind === 'paragraph'
  return node.kind === 'image' || node.kind === 'break' || (isAround && node.childNodes.every(isImageOrSpace))
}

const hasImage = (node: ViewNode): boolean => node.kind === 'image' || node.childNodes.some(hasImage)

function asParagraph({ childNodes }: ViewNode): ViewNode {
  const paragraph = new ViewNode('paragraph')
  paragraph.replaceChildren(childNodes.flatMap((line) => line.childNodes))
  return paragraph
}

/**
 * True for a heading or image that repeats the one before it: pages have them twice, for wide and for narrow screens.
 */
function isRepeated(before: ViewNode, block: ViewNode): boolean {
  if (block.kind !== before.kind || (block.kind !== 'heading' && block.kind !== 'paragraph')) return false
  return (block.kind === 'heading' || isImageLine(block)) && isEqual(before, block)
}

function isEqual(one: ViewNode, other: ViewNode): boolean {
  if (one.kind === 'image' && other.kind === 'image')
    return one.nodeValue === other.nodeValue && isSameImage(one, other)
  const isAlike =
    one.kind === other.kind &&
    one.nodeValue === other.nodeValue &&
    one.details.href === other.details.href &&
    one.details.level === other.details.level &&
    one.childNodes.length === other.childNodes.length
  if (!isAlike) return false
  for (let at = 0; at < one.childNodes.length; at += 1) {
    const child = one.childNodes[at]
    if (child !== undefined && !isEqual(child, other.childNodes[at] ?? one)) return false
  }
  return true
}

/** Puts a caption on the line below its image. */
function joinCaption(image: ViewNode, caption: ViewNode): boolean {
  if (image.kind !== 'paragraph' || !isImageLine(image)) return false
  image.append(new ViewNode('break'))
  for (const child of caption.childNodes) image.append(child)
  return true
}

/**
 * Continues a list with the next one if that is only laid out apart, as a column of the same list or in a box of its
 * own.
 */
function joinList(list: ViewNode, next: ViewNode): boolean {
  const { isOrdered, source } = list.details
  if (isOrdered !== false || next.details.isOrdered !== false) return false
  if (source === undefined || source.parent === next.details.source?.parent) return false
  for (const item of next.childNodes) list.append(item)
  return true
}

/**
 * Replaces lists that only lay out parts of a page with these parts. Pages of Javadoc consist of such lists. A heading
 * inside an item would be no heading of the document's outline, and a table inside one is hard to read.
 */
function openLayoutLists(blocks: readonly ViewNode[]): readonly ViewNode[] {
  if (!blocks.some((block) => block.kind === 'list' && isLayoutList(block))) return blocks
  const opened: ViewNode[] = []
  for (const block of blocks) {
    if (!isLayoutList(block)) opened.push(block)
    else
      for (const { childNodes } of block.childNodes) for (const part of openLayoutLists(childNodes)) opened.push(part)
  }
  return opened
}

function isLayoutList({ kind, details, childNodes }: ViewNode): boolean {
  if (kind !== 'list' || details.isOrdered !== false) return false
  let hasPart = false
  for (const item of childNodes) {
    if (isPart(item)) hasPart = true
    else if (item.childNodes[0]?.kind !== 'table') return false
  }
  return hasPart
}

/**
 * True for an item that is a part of the page: a section, blocks with a rule between them, or a heading with more than
 * the text of a card below it.
 */
function isPart({ details, childNodes }: ViewNode): boolean {
  let isNoCard = false
  for (let at = 0; at < childNodes.length; at += 1) {
    const kind = childNodes[at]?.kind
    if (kind === 'rule') return true
    isNoCard ||= at > 0 && kind !== undefined && NO_CARD.has(kind)
  }
  const first = childNodes[0]
  if (first?.kind === 'heading') return details.isSection === true || isNoCard
  return first?.details.isCaption === true && childNodes[1]?.kind === 'table'
}

const NO_CARD: ReadonlySet<ViewNode['kind']> = new Set(['heading', 'table', 'codeBlock'])
