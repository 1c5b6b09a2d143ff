import {
  BLOCK_ELEMENTS,
  type ChildNode,
  type Element,
  isElement,
  isHeading,
  isText,
  type ParentNode,
} from '../../html/tree.js'
import { isNeverShown } from '../../html/never-shown.js'

/** Certainty that a browser finds a text over the place between two words: the least is the surest. */
export const SAME_LINE = 0
/** A line break of the source, which a style sheet may show. */
const NEW_LINE = 1
/** The border of an element in a line, which a style sheet may make a block. */
export const NEW_ELEMENT = 2
/** The border of a block, an image, or a sign that is compared in several ways: nothing is found over it. */
const APART = 3
/** Stands before each word that no browser finds, or perhaps not: a script may show it, so that it counts. */
export const NOT_FOUND = 4

/** A heading of a page. */
export interface PageHeading {
  /** Index of its first word, and the one after its last. */
  readonly from: number
  readonly to: number
  /** Id that leads to it; undefined without one, or if other elements have the same. */
  readonly id: string | undefined
}

/** Stands between two blocks in the text. */
const BORDER = '\uFFFC'
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
/** White space other than that of ASCII, signs that nobody sees, private characters. */
const STRANGE = /[^\S \t\n\r\f]|[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u

/** The words of a text. Each character of Chinese and Japanese is one. */
export class WordReader {
  readonly #numbers = new Map<string, number>()

  /** Reads words without their places. Words that are new get a number. */
  read(text: string): number[] {
    return Array.from(text.matchAll(WORD), ([run]) => splitRun(run)).flatMap((words) =>
      words.map((word) => {
        const folded = foldWord(word)
        const known = this.#numbers.get(folded)
        if (known !== undefined) return known
        this.#numbers.set(folded, this.#numbers.size + 1)
        return this.#numbers.size
      }),
    )
  }

  /** Returns the number of a word; 0 for one that was never read. */
  numberOf(word: string): number {
    return this.#numbers.get(foldWord(word)) ?? 0
  }
}

const splitRun = (run: string): string[] => (IDEOGRAPH.test(run) ? Array.from(run) : [run])

/** Folds a word as browsers compare it: without case and accents. */
const foldWord = (word: string): string =>
  /^[a-z0-9]+$/.test(word)
    ? word
    : word
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()

/**
 * The text of a page as a browser searches it for a text fragment: its words in document order, with what stands between
 * them.
 *
 * @see https://wicg.github.io/scroll-to-text-fragment/#finding-ranges-in-a-document
 */
export class WordsOnPage {
  /** The text, with a border between blocks. */
  readonly text: string
  /** Numbers of the words: see {@link WordReader}. */
  readonly numbers: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Gap before each word. */
  readonly gaps: Uint8Array
  readonly headings: readonly PageHeading[]

  /** Reads the words of a page. @param root the whole page */
  constructor(root: ParentNode, words: WordReader) {
    const source = new PageSource()
    source.add(root)
    this.text = source.text()
    const { starts, ends, gaps } = readPlaces(this.text, source)
    this.starts = Int32Array.from(starts)
    this.ends = Int32Array.from(ends)
    this.gaps = Uint8Array.from(gaps)
    this.numbers = this.starts.map((from, at) => words.numberOf(this.text.slice(from, ends[at])))
    this.headings = source.headings.map(({ from, to, id }) => ({
      from: firstAt(this.starts, from),
      to: firstAt(this.starts, to),
      id: id !== undefined && source.ids.get(id) === 1 ? id : undefined,
    }))
  }
}

/** Returns the index of the first number that is at least `least`, in numbers that rise. */
function firstAt(rising: Int32Array, least: number): number {
  let [from, to] = [0, rising.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((rising[middle] ?? 0) < least) from = middle + 1
    else to = middle
  }
  return from
}

/** Finds the words of a text, and what stands before each. */
function readPlaces(
  text: string,
  { joints, kept, lost }: PageSource,
): { starts: number[]; ends: number[]; gaps: number[] } {
  const starts: number[] = []
  const ends: number[] = []
  const gaps: number[] = []
  const [isKept, isInside] = [insideOf(kept), insideOf(lost)]
  let joint = 0
  let end = 0
  for (const { 0: run, index } of text.matchAll(WORD)) {
    let from = index
    for (const word of splitRun(run)) {
      const to = from + word.length
      let gap = from === end && starts.length > 0 ? SAME_LINE : readGap(text.slice(end, from), isKept(from))
      let isLost = isInside(from)
      for (; (joints[joint] ?? Infinity) < to; joint += 1) {
        gap = Math.max(gap, NEW_ELEMENT)
        // In the word itself, a style sheet may divide it.
        isLost ||= (joints[joint] ?? 0) > from
      }
      if (isLost) gap = NOT_FOUND
      starts.push(from)
      ends.push(to)
      gaps.push(gap)
      end = to
      from = to
    }
  }
  return { starts, ends, gaps }
}

function readGap(between: string, keepsLines: boolean): number {
  if (between === ' ') return SAME_LINE
  if (between.includes(BORDER) || STRANGE.test(between)) return APART
  if (!/[\t\n\r\f]| {2}/.test(between)) return SAME_LINE
  return keepsLines ? APART : NEW_LINE
}

/** Returns a test for positions, which rise from call to call, inside of one of the ranges. */
function insideOf(ranges: readonly (readonly [from: number, to: number])[]): (position: number) => boolean {
  let at = 0
  return (position) => {
    while ((ranges[at]?.[1] ?? Infinity) <= position) at += 1
    return (ranges[at]?.[0] ?? Infinity) <= position
  }
}

/** Elements that are drawn as one thing: a text is not found over them, nor in them. */
const DRAWN: ReadonlySet<string> = new Set(
  'img picture svg canvas video audio object embed iframe input select textarea button meter progress math br wbr'.split(
    ' ',
  ),
)
/** Elements whose white space is shown. */
const KEEPS_LINES: ReadonlySet<string> = new Set(['pre', 'listing', 'xmp', 'plaintext'])
const HIDING_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i
const BLOCK_STYLE = /(?:^|[;\s])display\s*:\s*(?!inline\s*(?:;|$))|float\s*:|position\s*:/i

/** The text of a page, while it is read. */
class PageSource {
  /** Positions between two elements in a line. */
  readonly joints: number[] = []
  /** Ranges in which lines are kept as they are. */
  readonly kept: [from: number, to: number][] = []
  /** Ranges of {@link NOT_FOUND}. */
  readonly lost: [from: number, to: number][] = []
  readonly headings: { readonly from: number; readonly to: number; readonly id: string | undefined }[] = []
  /** Number of elements with each id. */
  readonly ids = new Map<string, number>()
  readonly #parts: string[] = []
  #length = 0

  /** Adds the texts below a node. */
  add(root: ParentNode): void {
    const open: { readonly element: Element; readonly from: number }[] = []
    let node: ChildNode | undefined = root.children[0]
    while (node !== undefined) {
      let below: ChildNode | undefined
      if (isText(node)) this.#append(node.data)
      else if (isElement(node) && !isSkipped(node)) {
        this.#enter(node)
        open.push({ element: node, from: this.#length })
        below = node.children[0]
        if (below === undefined) this.#leave(open.pop())
      }
      let at: ChildNode = node
      node = below ?? at.next ?? undefined
      while (node === undefined && at.parent !== null && at.parent !== root && isElement(at.parent)) {
        at = at.parent
        this.#leave(open.pop())
        node = at.next ?? undefined
      }
    }
  }

  text(): string {
    return this.#parts.join('')
  }

  #append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  #enter(element: Element): void {
    const { id } = element.attribs
    if (id !== undefined) this.#countId(id)
    const name = anchorNameOf(element)
    if (name !== undefined && name !== id) this.#countId(name)
    this.#separate(element)
  }

  #countId(id: string): void {
    this.ids.set(id, (this.ids.get(id) ?? 0) + 1)
  }

  #leave(ended: { readonly element: Element; readonly from: number } | undefined): void {
    if (ended === undefined) return
    const { element, from } = ended
    const to = this.#length
    if (KEEPS_LINES.has(element.name)) addRange(this.kept, from, to)
    if (isLost(element)) addRange(this.lost, from, to)
    if (isHeading(element) || element.attribs['role'] === 'heading')
      this.headings.push({ from, to, id: findId(element) })
    this.#separate(element)
  }

  #separate({ name, attribs }: Element): void {
    const isApart = BLOCK_ELEMENTS.has(name) || DRAWN.has(name) || BLOCK_STYLE.test(attribs['style'] ?? '')
    if (isApart) this.#append(BORDER)
    else this.joints.push(this.#length)
  }
}

/** Adds a range. One that ends later has those inside it. */
function addRange(ranges: [from: number, to: number][], from: number, to: number): void {
  while ((ranges.at(-1)?.[0] ?? -1) >= from) ranges.pop()
  ranges.push([from, to])
}

/** True for an element whose text no browser finds. */
const isSkipped = (element: Element): boolean => isNeverShown(element) || element.name === 'noscript'

/** True for an element in which a text is not found, or perhaps not. */
const isLost = ({ name, attribs }: Element): boolean =>
  DRAWN.has(name) || name === 'template' || attribs['hidden'] !== undefined || HIDING_STYLE.test(attribs['style'] ?? '')

const anchorNameOf = ({ name, attribs }: Element): string | undefined => (name === 'a' ? attribs['name'] : undefined)

const idOf = (element: Element): string | undefined => element.attribs['id'] || anchorNameOf(element) || undefined

/** Elements around a heading that begin with it, at most. */
const MAX_AROUND = 3
/** Elements in a heading that are searched for an id, at most. */
const MAX_INSIDE = 20

/** Finds the id of a heading: its own, that of an element in it, of one that begins with it, or of an anchor before it. */
function findId(heading: Element): string | undefined {
  const own = idOf(heading) ?? findIdInside(heading)
  if (own !== undefined) return own
  let at = heading
  for (let level = 0; level < MAX_AROUND; level += 1) {
    const before = shownBefore(at)
    if (before !== undefined)
      return isElement(before) && before.name === 'a' && before.children.length === 0 ? idOf(before) : undefined
    const { parent } = at
    if (parent === null || !isElement(parent) || parent.name === 'body') return undefined
    const id = idOf(parent)
    if (id !== undefined) return id
    at = parent
  }
  return undefined
}

function findIdInside({ children }: Element): string | undefined {
  const queue = children.filter(isElement)
  for (let at = 0; at < Math.min(queue.length, MAX_INSIDE); at += 1) {
    const element = queue[at]
    const id = element && idOf(element)
    if (id !== undefined) return id
    if (element) queue.push(...element.children.slice(0, MAX_INSIDE).filter(isElement))
  }
  return undefined
}

/** Returns what stands before an element in its parent, but for white space and comments. */
function shownBefore(element: Element): ChildNode | undefined {
  for (let at = element.prev; at !== null; at = at.prev)
    if (isElement(at) || (isText(at) && at.data.trim() !== '')) return at
  return undefined
}
