import { collapse, type Element, findElement, parentElement, textOf } from '../../html/tree.js'
import { localName } from './linked-data.js'
import type { StructuredData } from './structured-data.js'

/** Types of works whose author and dates are those of their page. Comments, reviews and offers are parts of a page. */
const WORK = /^(?:\w*Article|BlogPosting|CreativeWork|HowTo|Recipe|Report)$/

/** Maximum elements that are read for names. */
const MAX_AUTHORS = 20
/** Maximum characters of a name. A longer text is a part of the page. */
const MAX_NAME = 200

/** Author and dates of a work. */
interface MarkedWork {
  readonly authors: string[]
  publishedTime?: string
  modifiedTime?: string
}

/**
 * Collects author and dates of the work that microdata describes.
 *
 * @see https://html.spec.whatwg.org/multipage/microdata.html
 */
export class MarkedWorks {
  readonly #works = new Map<Element, MarkedWork>()
  #authorsLeft = MAX_AUTHORS

  /** Adds a property, with the contents of its element. */
  add(element: Element): void {
    const { attribs } = element
    const isAuthor = hasProperty(element, 'author')
    const isPublished = hasProperty(element, 'datePublished')
    if (!isAuthor && !isPublished && !hasProperty(element, 'dateModified')) return
    const item = itemAround(element)
    if (item === undefined || !isWork(item) || (this.#works.size > 1 && !this.#works.has(item))) return
    const work = this.#works.get(item) ?? { authors: [] }
    this.#works.set(item, work)
    const date = (attribs['datetime'] ?? attribs['content'])?.trim()
    if (isAuthor) {
      this.#authorsLeft -= 1
      if (this.#authorsLeft >= 0) addAuthor(work.authors, element)
    } else if (!date) return
    else if (isPublished) work.publishedTime ??= date
    else work.modifiedTime ??= date
  }

  /** Returns author and dates; undefined if the page has no such work, or several: it is a list of them. */
  read(): StructuredData | undefined {
    const [work, ...others] = this.#works.values()
    if (work === undefined || others.length > 0) return undefined
    const { authors, ...dates } = work
    return { ...dates, ...(authors.length > 0 && { author: authors.join(', ') }) }
  }
}

/** True for an element whose text may be the name of an author. */
export const isMarkedAuthor = (element: Element): boolean => element.name !== 'meta' && hasProperty(element, 'author')

function addAuthor(authors: string[], element: Element): void {
  const named = findElement(element, (inner) => hasProperty(inner, 'name')) ?? element
  const name = collapse(named.attribs['content'] ?? textOf(named))
  if (name !== '' && name.length <= MAX_NAME && !authors.includes(name)) authors.push(name)
}

function itemAround(element: Element): Element | undefined {
  let at = parentElement(element)
  while (at !== undefined && at.attribs['itemscope'] === undefined) at = parentElement(at)
  return at
}

const isWork = ({ attribs }: Element): boolean =>
  (attribs['itemtype'] ?? '').split(/\s+/).some((type) => WORK.test(localName(type)))

const hasProperty = ({ attribs }: Element, name: string): boolean => {
  const properties = attribs['itemprop']
  return properties !== undefined && properties.includes(name) && properties.split(/\s+/).includes(name)
}
