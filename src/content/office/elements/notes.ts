import { type ChildNode, type Element, append, hasText } from '../../html/tree.js'
import { createElement } from './create-element.js'

/** Maximum number of notes; further references are shown without a link. */
const MAX_NOTES = 20_000

/**
 * Collects the footnotes and endnotes of a file. They are numbered by their first reference and appended at the end.
 */
export class NoteRegister {
  readonly #numbers = new Map<string, number>()
  readonly #order: string[] = []

  /** Returns the reference to a note: its number as a superscript link. */
  mark(key: string): Element {
    let number = this.#numbers.get(key)
    const isFirst = number === undefined
    if (number === undefined) {
      number = this.#numbers.size + 1
      this.#numbers.set(key, number)
      if (number <= MAX_NOTES) this.#order.push(key)
    }
    const link = createElement('a', { href: `#note-${number}`, ...(isFirst && { id: `note-mark-${number}` }) }, [
      String(number),
    ])
    return createElement('sup', {}, [link])
  }

  /** Returns a section of all referenced notes; undefined if there are none. A note may refer to further notes. */
  section(read: (key: string) => readonly ChildNode[]): Element | undefined {
    const list = createElement('ol')
    for (let at = 0; at < this.#order.length; at += 1) {
      const note = createElement('li', { id: `note-${at + 1}` }, read(this.#order[at] ?? ''))
      if (!hasText(note)) append(note, createElement('p'))
      append(list, note)
    }
    return this.#order.length === 0 ? undefined : createElement('section', { role: 'doc-endnotes' }, [list])
  }
}
