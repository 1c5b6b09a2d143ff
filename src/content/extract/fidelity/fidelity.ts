import { CELL, CODE_BLOCK, ELEMENT, LINK, type PageNodes, TEXT } from '../../html/page-nodes.js'
import { type ChildNode, type Element, isElement, isText, type NodeSet, textOf, walk } from '../../html/tree.js'
import { isWordCode } from '../../html/text-weight.js'
import { isNeverShown } from '../../html/never-shown.js'

/**
 * Shares of the page's visible parts that are in the content, 0 to 1. A share is absent if the page has no such part.
 * {@link Fidelity.visibleWords} distinguishes a short page from a bad extraction.
 */
export interface Fidelity {
  /** Visible words of the whole page, including menus. Each character of Chinese and Japanese counts as one. */
  readonly visibleWords: number
  /**
   * Words that the markup hides and that no control opens, outside of menus, dialogs and forms, without copies of
   * visible text and parts of fewer than eight words. They count as missing in `words`. Absent if there are none.
   */
  readonly hiddenWords?: number
  /** Share of words, visible and hidden. */
  readonly words?: number
  /** Share of links. */
  readonly links?: number
  /** Share of table cells. */
  readonly tableCells?: number
  /** Share of lines in code blocks. */
  readonly codeLines?: number
}

/** Text of a page that no reader sees, left out of the content. */
export interface HiddenText {
  /** Start of the text, at most 200 characters, in which characters that are not shown are read. */
  readonly text: string
  /** Way in which it is hidden, as a predicate: `is transparent`. */
  readonly why: string
  /** CSS selector of its element. In a file, the marker of its page. */
  readonly selector: string
}

/** Adjusts the shares for blocks that were dropped because they repeat on other pages. @internal */
export function withoutWords(fidelity: Fidelity, dropped: readonly { readonly element: Element }[]): Fidelity {
  const { words } = fidelity
  if (words === undefined) return fidelity
  const lost = dropped.reduce((sum, { element }) => sum + countWords(textOf(element)), 0)
  return { ...fidelity, words: roundShare(Math.max(0, words - lost / allWords(fidelity))) }
}

/** Adjusts the shares for words that the parser of a file dropped. */
export function withDroppedWords(fidelity: Fidelity, dropped: number): Fidelity {
  if (dropped === 0) return fidelity
  const { words = 0, visibleWords } = fidelity
  const all = allWords(fidelity)
  return { ...fidelity, visibleWords: visibleWords + dropped, words: roundShare((words * all) / (all + dropped)) }
}

/** Minimum words of a hidden part that counts. Shorter ones are messages of scripts, such as "Copied". */
const MIN_HIDDEN_WORDS = 8

/**
 * Counts hidden parts of the page as missing in the shares.
 *
 * @param hidden elements, none inside another
 * @param further hidden words that a file's parser has left out
 * @internal
 */
export function withHiddenWords(fidelity: Fidelity, hidden: readonly Element[], further = 0): Fidelity {
  const counts = hidden.map((element) => countWords(textWithin(element))).filter((words) => words >= MIN_HIDDEN_WORDS)
  const hiddenWords = counts.reduce((sum, words) => sum + words, further)
  if (hiddenWords === 0) return fidelity
  const { words = 0, visibleWords, ...others } = fidelity
  const share = (words * visibleWords) / (visibleWords + hiddenWords)
  return { visibleWords, hiddenWords, words: roundShare(share), ...others }
}

const allWords = ({ visibleWords, hiddenWords = 0 }: Fidelity): number => visibleWords + hiddenWords

function textWithin(root: Element): string {
  const read = { text: '' }
  walk(root, addShownText, undefined, read)
  return read.text
}

function addShownText(node: ChildNode, read: { text: string }): boolean {
  if (isText(node)) read.text += node.data
  return !isElement(node) || !isNeverShown(node)
}

const roundShare = (share: number): number => Math.round(1000 * share) / 1000

type Amounts = Record<'words' | 'links' | 'tableCells' | 'codeLines', number>

const NOTHING: Amounts = { words: 0, links: 0, tableCells: 0, codeLines: 0 }

/**
 * Measures a choice of content against the whole page, in one loop.
 *
 * @param cleared elements that are not visible
 * @param list nodes of the page
 * @internal
 */
export function measureFidelity(
  body: Element,
  cleared: ReadonlySet<Element>,
  choice: VisibleChoice,
  list: PageNodes,
): Fidelity {
  const { seen, kept } = readAmounts(body, cleared, choice, list)
  const share = (name: keyof Amounts): Partial<Amounts> =>
    seen[name] === 0 ? {} : { [name]: roundShare(kept[name] / seen[name]) }
  return {
    visibleWords: seen.words,
    ...share('words'),
    ...share('links'),
    ...share('tableCells'),
    ...share('codeLines'),
  }
}

interface ComparedAmounts {
  readonly seen: Amounts
  readonly kept: Amounts
}

function readAmounts(
  body: Element,
  cleared: ReadonlySet<Element>,
  { roots, dropped }: VisibleChoice,
  list: PageNodes,
): ComparedAmounts {
  const { nodes, kinds, ends, words } = list
  const isCleared = list.mark(cleared)
  const isRoot = list.mark(roots)
  const seen = { ...NOTHING }
  const kept = { ...NOTHING }
  const end = list.endOf(body)
  // Ends of the open elements that begin the content, a part left out of it, and a listing.
  let rootEnd = roots.includes(body) ? end : 0
  let leftEnd = 0
  let listingEnd = 0
  for (let at = list.indexOf(body) + 1; at < end; at += 1) {
    const kind = kinds[at] ?? 0
    const node = nodes[at]
    if (node === undefined) continue
    if ((kind & TEXT) !== 0) {
      const lines = at < listingEnd && isText(node) ? countLines(node.data) : 0
      const count = words[at] ?? 0
      seen.words += count
      seen.codeLines += lines
      if (at >= rootEnd || at < leftEnd || dropped.has(node)) continue
      kept.words += count
      kept.codeLines += lines
      continue
    }
    if ((kind & ELEMENT) === 0) continue
    if (isCleared[at] === 1) {
      at = (ends[at] ?? end) - 1
      continue
    }
    if (at >= rootEnd && isRoot[at] === 1) rootEnd = ends[at] ?? end
    if (at < rootEnd && at >= leftEnd && dropped.has(node)) leftEnd = ends[at] ?? end
    if ((kind & (LINK | CELL | CODE_BLOCK)) === 0) continue
    const isKept = at < rootEnd && at >= leftEnd
    const part = (kind & LINK) !== 0 ? 'links' : (kind & CELL) !== 0 ? 'tableCells' : 'codeLines'
    seen[part] += 1
    if (isKept) kept[part] += 1
    if ((kind & CODE_BLOCK) !== 0 && at >= listingEnd) listingEnd = ends[at] ?? end
  }
  return { seen, kept }
}

/** A choice of content, compared with what the page shows. @internal */
export interface VisibleChoice {
  readonly roots: readonly Element[]
  readonly dropped: NodeSet
}

/** Receives the visible nodes of a page. @internal */
interface VisibleVisitor<State> {
  /** Returns `false` to skip the node's children. */
  readonly visit: (node: ChildNode, isKept: boolean, isInCode: boolean, state: State) => boolean | void
  readonly state: State
}

/** Visits all visible nodes, and tells for each whether the content includes it. @internal */
export function visitVisible<State>(
  body: Element,
  cleared: NodeSet,
  choice: VisibleChoice,
  visitor: VisibleVisitor<State>,
): void {
  walk(body, enterNode, leaveElement, new VisibleWalk(body, cleared, choice, visitor))
}

const enterNode = <State>(node: ChildNode, visible: VisibleWalk<State>): boolean | void => visible.enter(node)
const leaveElement = <State>(element: Element, visible: VisibleWalk<State>): void => visible.leave(element)

/** State of a walk over the visible nodes of a page. */
class VisibleWalk<State> {
  readonly #cleared: NodeSet
  readonly #dropped: NodeSet
  readonly #visitor: VisibleVisitor<State>
  readonly #roots: ReadonlySet<ChildNode>
  // The open elements that begin the content, a part left out of it, and a listing.
  #root: ChildNode | undefined
  #left: Element | undefined
  #listing: Element | undefined

  constructor(body: Element, cleared: NodeSet, { roots, dropped }: VisibleChoice, visitor: VisibleVisitor<State>) {
    this.#cleared = cleared
    this.#dropped = dropped
    this.#visitor = visitor
    this.#roots = new Set(roots)
    this.#root = this.#roots.has(body) ? body : undefined
  }

  enter(node: ChildNode): boolean | void {
    const { visit, state } = this.#visitor
    if (isText(node)) return visit(node, this.#isKept && !this.#dropped.has(node), this.#listing !== undefined, state)
    if (!isElement(node) || this.#cleared.has(node)) return false
    if (this.#root === undefined && this.#roots.has(node)) this.#root = node
    if (this.#isKept && this.#dropped.has(node)) this.#left = node
    const answer = visit(node, this.#isKept, this.#listing !== undefined, state)
    if (answer !== false && node.name === 'pre') this.#listing ??= node
    return answer
  }

  leave(element: Element): void {
    if (this.#root === element) this.#root = undefined
    if (this.#left === element) this.#left = undefined
    if (this.#listing === element) this.#listing = undefined
  }

  get #isKept(): boolean {
    return this.#root !== undefined && this.#left === undefined
  }
}

/** Counts words; each character of Chinese and Japanese is one. @internal */
export function countWords(text: string): number {
  let words = 0
  let isInWord = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isSpace = isSpaceCode(code)
    const isWhole = isWordCode(code)
    if (isWhole || (!isSpace && !isInWord)) words += 1
    isInWord = !isSpace && !isWhole
  }
  return words
}

const isSpaceCode = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 160

/** Counts line breaks between lines. The last line is counted with the block itself. */
function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) if (at < text.length - 1) lines += 1
  return lines
}
