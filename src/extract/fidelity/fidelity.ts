import { type ChildNode, type Element, isElement, isText, type ParentNode, textOf, walk } from '../../html/tree.js'
import { isNeverShown } from '../visibility/visibility.js'

/**
 * Shares of the page's visible parts that are in the content, 0 to 1. A share is absent if the page has no such part.
 * {@link Fidelity.visibleWords} distinguishes a short page from a bad extraction.
 */
export interface Fidelity {
  /** Visible words of the whole page, including menus. */
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

/** Counts hidden parts of the page as missing in the shares. @param hidden elements, none inside another @internal */
export function withHiddenWords(fidelity: Fidelity, hidden: readonly Element[]): Fidelity {
  const counts = hidden.map((element) => countWords(textWithin(element))).filter((words) => words >= MIN_HIDDEN_WORDS)
  const hiddenWords = counts.reduce((sum, words) => sum + words, 0)
  if (hiddenWords === 0) return fidelity
  const { words = 0, visibleWords, ...others } = fidelity
  const share = (words * visibleWords) / (visibleWords + hiddenWords)
  return { visibleWords, hiddenWords, words: roundShare(share), ...others }
}

const allWords = ({ visibleWords, hiddenWords = 0 }: Fidelity): number => visibleWords + hiddenWords

function textWithin(root: Element): string {
  let text = ''
  walk(root, (node) => {
    if (isText(node)) text += node.data
    return !isElement(node) || !isNeverShown(node)
  })
  return text
}

const roundShare = (share: number): number => Math.round(1000 * share) / 1000

type Amounts = Record<'words' | 'links' | 'tableCells' | 'codeLines', number>

const nothing = (): Amounts => ({ words: 0, links: 0, tableCells: 0, codeLines: 0 })

/**
 * Measures a choice of content against the whole page, in one walk.
 *
 * @param isCleared true for elements that are not visible
 * @internal
 */
export function measureFidelity(
  body: Element,
  isCleared: (element: Element) => boolean,
  choice: { readonly roots: readonly Element[]; readonly isDropped: (node: ChildNode) => boolean },
): Fidelity {
  const seen = nothing()
  const kept = nothing()
  visitVisible(body, isCleared, choice, (node, isKept, isInCode) => {
    if (isText(node)) {
      const words = countWords(node.data)
      const lines = isInCode ? countLines(node.data) : 0
      seen.words += words
      seen.codeLines += lines
      if (!isKept) return
      kept.words += words
      kept.codeLines += lines
    } else if (isElement(node)) {
      const part = partOf(node)
      if (part === undefined) return
      seen[part] += 1
      if (isKept) kept[part] += 1
    }
  })
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

/** Returns the amount that an element itself adds one to. */
function partOf({ name, attribs }: Element): keyof Amounts | undefined {
  if (name === 'a') return attribs['href'] === undefined ? undefined : 'links'
  if (name === 'td' || name === 'th') return 'tableCells'
  return name === 'pre' ? 'codeLines' : undefined
}

/**
 * Visits all visible nodes, and tells for each whether the content includes it.
 *
 * @param visit returns `false` to skip the node's children
 * @internal
 */
export function visitVisible(
  body: Element,
  isCleared: (element: Element) => boolean,
  { roots, isDropped }: { readonly roots: readonly Element[]; readonly isDropped: (node: ChildNode) => boolean },
  visit: (node: ChildNode, isKept: boolean, isInCode: boolean) => boolean | void,
): void {
  const begins = new Set<ParentNode>(roots)
  let root: ParentNode | undefined = begins.has(body) ? body : undefined
  let dropped: Element | undefined
  let listing: Element | undefined
  walk(
    body,
    (node) => {
      if (isText(node))
        return visit(node, root !== undefined && dropped === undefined && !isDropped(node), listing !== undefined)
      if (!isElement(node) || isCleared(node)) return false
      if (root === undefined && begins.has(node)) root = node
      if (root !== undefined && dropped === undefined && isDropped(node)) dropped = node
      const answer = visit(node, root !== undefined && dropped === undefined, listing !== undefined)
      if (answer !== false && node.name === 'pre') listing ??= node
      return answer
    },
    (element) => {
      if (root === element) root = undefined
      if (dropped === element) dropped = undefined
      if (listing === element) listing = undefined
    },
  )
}

function countWords(text: string): number {
  let words = 0
  let isInWord = false
  for (let at = 0; at < text.length; at += 1) {
    const isSpace = isSpaceCode(text.charCodeAt(at))
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
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
