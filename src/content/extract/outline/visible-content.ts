import type { Element, Text } from '../../html/tree.js'
import { weighText } from '../../html/text-weight.js'
import { isApartFromContent, WITHOUT_TEXT } from '../visibility/find-disclosed.js'
import { isNeverShown } from '../../html/never-shown.js'
import { isHidden } from '../visibility/visibility.js'

/** Writes text; see `TextWriter` of the parser. */
export interface TextSink {
  open(name: string): void
  close(name: string): void
  addText(data: string): void
}

/**
 * Collects the links, and the text if it is wanted, of what a page shows: of the elements that `findVisibility` finds
 * visible. Nodes must come in document order.
 */
export class VisibleContent {
  readonly #text: TextSink | undefined
  /** The `href` of every visible link, as written, each once. */
  readonly hrefs = new Set<string>()
  /** Outermost open element that is never content, such as a script or the elements of the head. */
  #skipped: Element | undefined
  /** Outermost open element that is hidden by its markup, or a `noscript`. */
  #hidden: Element | undefined
  /** Weight of the text in it. */
  #hiddenText = 0
  /** True if it has text that no count has, which only some readers of it count. */
  #hasOtherText = false
  #seen = 0
  /** Weight of all text that is not shown. */
  #withheld = 0
  /** False if only the whole tree shows what is visible, as a control may open a hidden element with text. */
  isCertain = true

  constructor(text?: TextSink) {
    this.#text = text
  }

  /** True in an element that is not shown. */
  get isWithin(): boolean {
    return this.#skipped !== undefined || this.#hidden !== undefined
  }

  enter(element: Element): void {
    if (this.#skipped !== undefined) return
    const { name, parent } = element
    if (isNeverShown(element) || (parent !== null && 'name' in parent && parent.name === 'head')) {
      this.#skipped = element
      if (this.#hidden === undefined) noteReplaced(element, this.#text)
      return
    }
    if (this.#hidden !== undefined) return
    if (name === 'noscript' || isHidden(element)) {
      this.#hidden = element
      noteReplaced(element, this.#text)
      return
    }
    this.#text?.open(nameInContent(element))
    const { href } = element.attribs
    if (name === 'a' && href !== undefined) this.hrefs.add(href)
  }

  leave(element: Element): void {
    if (element === this.#skipped) this.#skipped = undefined
    else if (element === this.#hidden) this.#endHidden(element)
    else if (!this.isWithin) this.#text?.close(nameInContent(element))
  }

  addText({ data }: Text): void {
    if (this.#skipped !== undefined) {
      if (this.#hidden !== undefined && !WITHOUT_TEXT.has(this.#skipped.name)) this.#hasOtherText ||= data.trim() !== ''
      return
    }
    if (this.#hidden !== undefined) {
      this.#hiddenText += weighText(data)
      return
    }
    this.#seen += data.trim().length
    this.#text?.addText(data)
  }

  /** Must be called at the end of the page, before {@link isCertain} is read. */
  end(): void {
    if (this.#withheld > this.#seen) this.isCertain = false
  }

  #endHidden(element: Element): void {
    this.#hidden = undefined
    this.#withheld += this.#hiddenText
    const hasText = this.#hiddenText > 0 || this.#hasOtherText
    if (element.name !== 'noscript' && hasText && !isApartFromContent(element)) this.isCertain = false
    this.#hiddenText = 0
    this.#hasOtherText = false
  }
}

/** Returns the name of an element in the content: see `cleanElement`. */
export const nameInContent = ({ name }: Element): string => (name === 'template' || name === 'noscript' ? 'div' : name)

/**
 * Notes an element that is dropped, but may be replaced by a formula or by images, which have no text. They count as
 * contents of a frame, which has none otherwise.
 */
export function noteReplaced({ name }: Element, text: TextSink | undefined): void {
  if (name === 'script' || name === 'noscript') text?.addText('')
}
