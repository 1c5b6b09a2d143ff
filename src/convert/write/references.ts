import type { ViewNode } from '../markdown-view.js'
import { linkTarget } from './writers.js'

/** `[1]`; and `[`, or `[1`, at the end of a text. */
const CITATION = /\\.|\[(?=\s*\d+\s*\])/gs
const OPEN_CITATION = /\\.|\[(?=\s*(?:\d+\s*)?(?:\]|$))/gs
const NUMBER = /\[\s*(\d{1,9})\s*\]/g

/**
 * Links and images as numbered citations, `[text][1]` and `![text][2]`, and the list of what they refer to. An address has
 * one number however often it stands on the page, and the first title that it is given. Numbers follow the text.
 *
 * @see CommonMark 4.7 and 6.3, "full reference link"
 */
export class References {
  private readonly numbers = new Map<string, number>()
  private readonly titles = new Map<string, string>()
  /** Numbers that stand between brackets in a formula, where nothing can be escaped. */
  private readonly taken = new Set<number>()
  private last = 0

  /** @param view what will be written; its texts are escaped where a citation would be read */
  constructor(view: ViewNode) {
    const texts: ViewNode[] = []
    let isReferring = false
    const nodes = [view]
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (node.kind === 'text') texts.push(node)
      else if (node.kind === 'link' || node.kind === 'image') isReferring = true
      else if (node.kind === 'inlineText' || node.kind === 'blockText')
        for (const [, number] of node.nodeValue.matchAll(NUMBER)) this.taken.add(Number(number))
      for (const child of node.childNodes) nodes.push(child)
    }
    if (isReferring) for (const text of texts) text.nodeValue = escapeCitations(text)
  }

  /** A link or image that was written with its address, with a number in its place. */
  cite(written: string, { details }: ViewNode): string {
    const inPlace = `(${linkTarget(details)})`
    const { href = '', title } = details
    if (!written.endsWith(inPlace)) return written
    if (title !== undefined && !this.titles.has(href)) this.titles.set(href, title)
    return `${written.slice(0, -inPlace.length)}[${this.numberOf(href)}]`
  }

  /** What the citations refer to, a line for each. */
  list(): string {
    return Array.from(this.numbers, ([href, number]) => {
      const title = this.titles.get(href)
      const target = linkTarget(title === undefined ? { href } : { href, title })
      return `[${number}]: ${href === '' ? `<>${target}` : target}`
    }).join('\n')
  }

  private numberOf(href: string): number {
    const known = this.numbers.get(href)
    if (known !== undefined) return known
    do this.last += 1
    while (this.taken.has(this.last))
    this.numbers.set(href, this.last)
    return this.last
  }
}

/** A text in which no number stands between brackets, neither by itself nor together with what follows it. */
function escapeCitations({ nodeValue, nextSibling }: ViewNode): string {
  const goesOn = nextSibling?.kind === 'text' || nextSibling?.kind === 'break'
  const escaped = nodeValue.replace(goesOn ? OPEN_CITATION : CITATION, (found) => (found === '[' ? '\\[' : found))
  // `[text]` before a link whose text is a number.
  const opens = nextSibling?.kind === 'link' && escaped.endsWith(']') && !escaped.endsWith('\\]')
  return opens ? `${escaped.slice(0, -1)}\\]` : escaped
}
