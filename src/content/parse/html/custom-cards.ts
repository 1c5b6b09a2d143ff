import {
  type ChildNode,
  type Document,
  type Element,
  isBlockElement,
  isElement,
  isText,
  markAsBlock,
  walk,
} from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/** The end of a custom element right before another of its name; templates write comments between them. */
const MARK = /<\/([a-z][a-z\d]{0,40}-[a-z\d_-]{0,60})>\s{0,200}(?:<!--[^<>]{0,100}-->\s{0,200}){0,3}<\1[\s>]/i

/**
 * Marks the custom elements that are the cards, rows or posts of a series as blocks. Browsers show elements of unknown names in the line,
 * and the style sheet of a component sets its own apart, mostly in a script that is not run here. Without it, a grid of
 * `<product-card><span>Lamp</span><span>$9</span></product-card>` is one line of text.
 *
 * @see https://drafts.csswg.org/css-scoping/#host-selector
 */
export const customCards: TreeRepair = { mark: MARK, sign: /<\/\w{1,40}-/, apply: markCards }

/** Minimum members of a series, and minimum parts with text of a member that holds no blocks. */
const MIN_MEMBERS = 3
const MIN_PARTS = 2
/** Maximum elements around the parts of a member, such as a link. */
const MAX_WRAPPERS = 4
/** Minimum share of the members that are cards. */
const MIN_SHARE = 0.7

/** Elements that hold phrases, in which a series of custom elements is a row of words. */
const PHRASES: ReadonlySet<string> = new Set(
  'a b button code em h1 h2 h3 h4 h5 h6 i label math option p pre small span strong summary svg'.split(' '),
)
/** Elements whose text is none of the page. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style', 'template'])

function markCards(document: Document): void {
  walk(document, (node) => {
    if (!isElement(node)) return undefined
    if (PHRASES.has(node.name)) return false
    for (const members of groupsIn(node)) {
      const parts = members.map(partsOf)
      const cards = parts.filter((own) => own.length >= MIN_PARTS || own.some(isBlockElement))
      if (cards.length < MIN_SHARE * members.length) continue
      for (const member of members) markAsBlock(member)
      for (const part of parts.flat()) if (isCustom(part)) markAsBlock(part)
    }
    return true
  })
}

const isCustom = ({ name }: Element): boolean => name.includes('-')

/** Groups the custom elements of one name that an element holds, unless it holds text beside them. */
function groupsIn({ children }: Element): readonly (readonly Element[])[] {
  if (children.length < MIN_MEMBERS) return []
  const groups = new Map<string, Element[]>()
  for (const child of children) {
    // A text, a sign or a word in an element beside them makes a sentence of them.
    if (isText(child) && child.data.trim() !== '') return []
    if (!isElement(child)) continue
    if (!isCustom(child)) {
      if (!isBlockElement(child) && hasWords(child)) return []
      continue
    }
    const group = groups.get(child.name)
    if (group === undefined) groups.set(child.name, [child])
    else group.push(child)
  }
  return [...groups.values()].filter(({ length }) => length >= MIN_MEMBERS)
}

const isWord = (node: ChildNode): boolean => isText(node) && /[\p{L}\p{N}]/u.test(node.data)

/** Returns the elements with text in a member, or in the only one that holds all of them; none if there is text beside them. */
function partsOf(member: Element): readonly Element[] {
  let at = member
  for (let left = MAX_WRAPPERS; left > 0; left -= 1) {
    if (at.children.some((child) => isText(child) && child.data.trim() !== '')) return []
    const parts = at.children.filter(isElement).filter(hasWords)
    const [part] = parts
    if (parts.length !== 1 || part === undefined || isBlockElement(part)) return parts
    at = part
  }
  return []
}

function hasWords(element: Element): boolean {
  let has = false
  walk(element, (node) => {
    if (isElement(node)) return !UNREAD.has(node.name)
    has = isWord(node)
    return has ? 'stop' : true
  })
  return has
}
