import type { ViewNode } from '../markdown-view.js'
import { linkTarget } from './writers.js'

/** `[1]`; and `[` or `[1` at the end of a text. */
const CITATION = /\\.|\[(?=\s*\d+\s*\])/gs
const OPEN_CITATION = /\\.|\[(?=\s*(?:\d+\s*)?(?:\]|$))/gs
const NUMBER = /\[\s*(\d{1,9})\s*\]/g

/**
 * Converts links and images to numbered citations, `[text][1]` and `![text][2]`, and collects the list of their URLs. A
 * URL has one number, however often it occurs, and the first title that it gets. Numbers follow the order of the text.
 *
 * @see https://spec.commonmark.org/0.31.2/#full-reference-link
 */
export class References {
  readonly #numbers = new Map<string, number>()
  readonly #titles = new Map<string, string>()
  /** Numbers in brackets inside a formula, where nothing can be escaped. */
  readonly #taken = new Set<number>()
  #last = 0

  /** Escapes the texts of a view that would be parsed as citations. @param view the view before it is written */
  constructor(view: ViewNode) {
    const texts: { readonly text: ViewNode; readonly next: ViewNode | undefined }[] = []
    let isReferring = false
    const nodes = [view]
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === 'link' || node.kind === 'image') isReferring = true
      else if (node.kind === 'inlineText' || node.kind === 'blockText')
        for (const [, number] of node.nodeValue.matchAll(NUMBER)) this.#taken.add(Number(number))
      for (const [at, child] of node.childNodes.entries()) {
        if (child.kind === 'text') texts.push({ text: child, next: node.childNodes[at + 1] })
        else nodes.push(child)
      }
    }
    if (isReferring) for (const { text, next } of texts) text.nodeValue = escapeCitations(text, next)
  }

  /** Replaces the URL of a written link or image by its number. */
  cite(written: string, { details }: ViewNode): string {
    const inPlace = `(${linkTarget(details)})`
    const { href = '', title } = details
    if (!written.endsWith(inPlace)) return written
    if (title !== undefined && !this.#titles.has(href)) this.#titles.set(href, title)
    return `${written.slice(0, -inPlace.length)}[${this.#numberOf(href)}]`
  }

  /** Writes the list of references, one per line. */
  list(): string {
    return Array.from(this.#numbers, ([href, number]) => {
      const title = this.#titles.get(href)
      const target = linkTarget(title === undefined ? { href } : { href, title })
      return `[${number}]: ${href === '' ? `<>${target}` : target}`
    }).join('\n')
  }

  #numberOf(href: string): number {
    const known = this.#numbers.get(href)
    if (known !== undefined) return known
    do this.#last += 1
    while (this.#taken.has(this.#last))
    this.#numbers.set(href, this.#last)
    return this.#last
  }
}

/** Escapes numbers in brackets in a text, alone or together with the text that follows. */
function escapeCitations({ nodeValue }: ViewNode, next: ViewNode | undefined): string {
  const goesOn = next?.kind === 'text' || next?.kind === 'break'
  const escaped = nodeValue.replace(goesOn ? OPEN_CITATION : CITATION, (found) => (found === '[' ? '\\[' : found))
  // `[text]` before a link whose text is a number.
  const opens = next?.kind === 'link' && escaped.endsWith(']') && !escaped.endsWith('\\]')
  return opens ? `${escaped.slice(0, -1)}\\]` : escaped
}
