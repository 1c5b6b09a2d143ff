import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import { html } from './dom.js'

/** The page as it was received, harmless. */
export interface Original {
  readonly element: HTMLElement
  /** Elements of the blocks that were left out, in the order of the list; undefined for one that was not found. */
  readonly marked: readonly (HTMLElement | undefined)[]
}

/** Maximum elements that are copied. */
const MAX_ELEMENTS = 20_000
/** Characters of text that are compared with the blocks. The blocks that are not found by then are not marked. */
const MAX_COMPARED = 50_000_000
/** Maximum depth. Deeper elements are left out. */
const MAX_DEPTH = 200

/** Elements that are left out with all that is in them. */
const UNSHOWN = new Set(
  'script style style\u2060 template noscript iframe frame object embed applet svg math canvas audio video head link meta base title'.split(
    ' ',
  ),
)
/** Elements that are shown as blocks. All others are shown in the line. */
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 header hr legend li main menu nav ol p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
)
/** Elements whose style says what they are. */
const STYLED = new Set(
  'h1 h2 h3 h4 h5 h6 p pre code li ul ol table tr td th b strong em i a img button blockquote br hr'.split(' '),
)

/**
 * Copies the text and structure of a hostile page into new elements without attributes, and marks the blocks that were left
 * out of its Markdown. The page is parsed as a document of its own, in which nothing is loaded or run.
 *
 * @param trace blocks that were left out; undefined when they are not known
 */
export function copyOriginal(source: string, trace: readonly DroppedBlock[] | undefined): Original {
  const parsed = new DOMParser().parseFromString(withoutStyles(source), 'text/html')
  const found = findBlocks(parsed, trace ?? [])
  const dropped = new Map<Element, { readonly reason: string; readonly at: number }>()
  for (const [at, element] of found.entries()) {
    if (element && !dropped.has(element)) dropped.set(element, { reason: trace?.[at]?.reason ?? '', at })
  }
  const marked: (HTMLElement | undefined)[] = found.map(() => undefined)
  let left = MAX_ELEMENTS
  const copy = (from: Node, to: HTMLElement, depth: number): void => {
    for (const node of from.childNodes) {
      if (node instanceof Text) to.append(node.data)
      if (!(node instanceof Element) || UNSHOWN.has(node.localName) || left <= 0 || depth > MAX_DEPTH) continue
      left -= 1
      const made = toPlain(node)
      const mark = dropped.get(node)
      if (mark) {
        made.classList.add('dropped')
        made.title = `Left out: ${mark.reason}`
        marked[mark.at] = made
      }
      to.append(made)
      copy(node, made, depth + 1)
    }
  }
  const element = html('div', { class: trace ? 'original traced' : 'original' })
  copy(parsed.body, element, 0)
  if (left <= 0)
    element.append(html('p', { class: 'note' }, 'The rest of the page is not shown: it has too many elements.'))
  return { element, marked }
}

/**
 * Renames style elements and attributes by a character that is not shown. The policy of the report would refuse each of them
 * with a message, although the parsed page is not drawn.
 */
const withoutStyles = (source: string): string =>
  source.replace(/(<\/?style)/gi, '$1\u2060').replace(/\bstyle(\s*=)/gi, 'style\u2060$1')

/** Creates an element of the same look, without attributes. */
function toPlain(node: Element): HTMLElement {
  const { localName: name } = node
  const made = html(BLOCKS.has(name) ? 'div' : 'span', { class: STYLED.has(name) ? `o-${name}` : undefined })
  if (name === 'img') made.append(node.getAttribute('alt')?.trim() || 'picture')
  if (name === 'br') made.append('\n')
  const control = node.getAttribute('value') ?? node.getAttribute('placeholder') ?? ''
  if (name === 'input' && node.getAttribute('type') !== 'hidden') made.append(control)
  return made
}

/**
 * Finds the elements that were left out: by selector, and by text where several have the selector. The elements of a selector
 * are read once for all of its blocks, because elements that stand in each other repeat their text.
 */
function findBlocks(parsed: Document, blocks: readonly DroppedBlock[]): (Element | undefined)[] {
  const found: (Element | undefined)[] = blocks.map(() => undefined)
  let left = MAX_COMPARED
  for (const [selector, numbers] of groupBySelector(blocks)) {
    for (const element of selectAll(parsed, selector)) {
      if (left <= 0) return found
      const { textContent } = element
      left -= textContent.length
      const line = textContent.replace(/\s+/g, ' ').trim()
      for (const number of numbers) {
        const { text = '', characters } = blocks[number] ?? {}
        if (line.length === characters && line.startsWith(text.replace(/…$/, ''))) found[number] ??= element
      }
    }
  }
  return found
}

/** Groups blocks, by their numbers. */
function groupBySelector(blocks: readonly DroppedBlock[]): ReadonlyMap<string, readonly number[]> {
  const groups = new Map<string, number[]>()
  for (const [number, { selector }] of blocks.entries()) {
    const group = groups.get(selector)
    if (group) group.push(number)
    else groups.set(selector, [number])
  }
  return groups
}

function selectAll(parsed: Document, selector: string): Iterable<Element> {
  try {
    return parsed.querySelectorAll(selector)
  } catch {
    // A selector that is none: the part of a file, such as the header of a PDF page.
    return []
  }
}
