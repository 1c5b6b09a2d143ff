import { collapse, type Element, isElement, parentElement, textOf, walk } from '../../html/tree.js'
import { localName } from './linked-data.js'
import { isName, type StructuredData } from './structured-data.js'

/** Types of works whose author and dates are those of their page. Comments, reviews and offers are parts of a page. */
const WORK = /^(?:\w*Article|BlogPosting|CreativeWork|HowTo|Recipe|Report)$/

/** Elements around the content. The works in them are those of other pages. */
const AROUND: ReadonlySet<string> = new Set(['aside', 'footer', 'nav'])

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
  readonly #work: MarkedWork = { authors: [] }
  /** Element of the first work of the page. Works after it may be teasers of other pages. */
  #first: Element | undefined
  #isList = false
  #authorsLeft = MAX_AUTHORS

  /** Adds an item or a property, with the contents of its element. They must come in document order. */
  add(element: Element): void {
    if (this.#isList) return
    const { attribs } = element
    // The root has the type of the page for other sites, and an element below it describes the work.
    const isItem = attribs['itemscope'] !== undefined && element.name !== 'html' && element.name !== 'body'
    if (isItem && this.#first === undefined && isWork(element)) this.#first = element
    const isAuthor = hasProperty(element, 'author')
    const isPublished = hasProperty(element, 'datePublished')
    if (!isAuthor && !isPublished && !hasProperty(element, 'dateModified')) return
    const item = itemAround(element)
    if (item === undefined || !isWork(item)) return
    this.#first ??= item
    this.#isList ||= item !== this.#first
    if (this.#isList) return
    const work = this.#work
    const date = (attribs['datetime'] ?? attribs['content'])?.trim()
    if (isAuthor) {
      this.#authorsLeft -= 1
      if (this.#authorsLeft >= 0) addAuthor(work.authors, element)
    } else if (!date) return
    else if (isPublished) work.publishedTime ??= date
    else work.modifiedTime ??= date
  }

  /** Returns author and dates of the first work; undefined if there is none, or if others state theirs: it is a list. */
  read(): StructuredData | undefined {
    if (this.#first === undefined || this.#isList) return undefined
    const { authors, ...dates } = this.#work
    return { ...dates, author: authors.length > 0 ? authors.join(', ') : undefined }
  }
}

/** True for an element whose text may be the name of an author. */
export const isMarkedAuthor = (element: Element): boolean => element.name !== 'meta' && hasProperty(element, 'author')

function addAuthor(authors: string[], element: Element): void {
  const named = nameIn(element) ?? element
  const name = collapse(named.attribs['content'] ?? textOf(named))
  if (isName(name) && name.length <= MAX_NAME && !authors.includes(name)) authors.push(name)
}

/** Returns the element with the name of an author, but not that of an item within, such as the author's employer. */
function nameIn(author: Element): Element | undefined {
  let found: Element | undefined
  walk(author, (node) => {
    if (!isElement(node)) return true
    if (hasProperty(node, 'name')) found = node
    if (found !== undefined) return 'stop'
    return node.attribs['itemscope'] === undefined || node.attribs['itemprop'] === undefined
  })
  return found
}

function itemAround(element: Element): Element | undefined {
  let at = parentElement(element)
  while (at !== undefined && at.attribs['itemscope'] === undefined) at = parentElement(at)
  return at
}

const isWork = (element: Element): boolean =>
  (element.attribs['itemtype'] ?? '').split(/\s+/).some((type) => WORK.test(localName(type))) && !isAround(element)

function isAround(element: Element): boolean {
  let at: Element | undefined = element
  while (at !== undefined && !AROUND.has(at.name)) at = parentElement(at)
  return at !== undefined
}

const hasProperty = ({ attribs }: Element, name: string): boolean => {
  const properties = attribs['itemprop']
  return properties !== undefined && properties.includes(name) && properties.split(/\s+/).includes(name)
}
