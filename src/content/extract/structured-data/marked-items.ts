import { resolveUrl } from '../../../base/url.js'
import { collapse, type Element, isElement, type ParentNode, textOf, walk } from '../../html/tree.js'
import { localName } from './linked-data.js'
import { MAX_CHARACTERS, ReadingBudget } from './reading-budget.js'
import type { StructuredItem, StructuredValue } from './structured-item.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** An item during the walk. */
interface OpenItem {
  readonly element: Element
  readonly item: StructuredItem & { readonly properties: Record<string, StructuredValue[]> }
}

/** Maximum length of a property; a longer one is a part of the page and no value. */
const MAX_VALUE_CHARACTERS = 20_000

/**
 * Reads the items that the page's elements are marked up as, in microdata and RDFa Lite.
 *
 * @see https://html.spec.whatwg.org/multipage/microdata.html
 * @see https://www.w3.org/TR/rdfa-lite/
 */
export function readMarkedItems(
  root: ParentNode,
  baseUrl: string,
): { readonly items: readonly StructuredItem[]; readonly leftOut: number } {
  const budgets = [new ReadingBudget(), new ReadingBudget()] as const
  const items = [
    ...readItemsOf(root, baseUrl, { marks: microdata, budget: budgets[0] }),
    ...readItemsOf(root, baseUrl, { marks: rdfa, budget: budgets[1] }),
  ]
  return { items, leftOut: budgets[0].leftOut + budgets[1].leftOut }
}

/** Reader of one kind of markup. */
interface MarkupReader {
  readonly source: 'microdata' | 'rdfa'
  opens(element: Element): boolean
  typesOf(element: Element): string[]
  namesOf(element: Element): string[]
  idOf(element: Element): string | undefined
}

const words = (list: string | undefined): string[] => (list ?? '').split(/\s+/).filter(Boolean)

const microdata: MarkupReader = {
  source: 'microdata',
  opens: ({ attribs }) => attribs['itemscope'] !== undefined,
  typesOf: ({ attribs }) => words(attribs['itemtype']).map(localName),
  namesOf: ({ attribs }) => words(attribs['itemprop']).map(localName),
  idOf: ({ attribs }) => attribs['itemid'],
}

const rdfa: MarkupReader = {
  source: 'rdfa',
  opens: ({ attribs }) => attribs['typeof'] !== undefined,
  typesOf: ({ attribs }) => words(attribs['typeof']).map(localName),
  namesOf: ({ attribs }) => words(attribs['property']).map(localName),
  idOf: ({ attribs }) => attribs['resource'] ?? attribs['about'],
}

function readItemsOf(
  root: ParentNode,
  baseUrl: string,
  { marks, budget }: { readonly marks: MarkupReader; readonly budget: ReadingBudget },
): StructuredItem[] {
  const open: OpenItem[] = []
  const found: StructuredItem[] = []
  // Properties may be nested: the text of each is collected again.
  let left = MAX_CHARACTERS
  const read = (element: Element): string | undefined => {
    if (left <= 0) {
      budget.leaveOut()
      return undefined
    }
    const text = collapse(textOf(element))
    left -= text.length
    return text === '' || text.length > MAX_VALUE_CHARACTERS ? undefined : text
  }
  walk(
    root,
    (node) => {
      if (!isElement(node)) return true
      const names = marks.namesOf(node)
      const parent = open.at(-1)
      if (!marks.opens(node)) {
        const value = parent && names.length > 0 ? valueOf(node, baseUrl, read) : undefined
        if (parent && value !== undefined)
          for (const name of names) {
            // An element may be many properties, and relative addresses grow.
            if (budget.takeText(value.length)) addTo(parent, name, value)
          }
        return true
      }
      if (!budget.takeItem()) return false
      const id = marks.idOf(node)
      const properties = Object.create(null) as Record<string, StructuredValue[]>
      const item = { source: marks.source, types: marks.typesOf(node), properties, id }
      if (parent && names.length > 0) for (const name of names) addTo(parent, name, item)
      else found.push(item)
      open.push({ element: node, item })
      return true
    },
    (element) => {
      if (open.at(-1)?.element === element) open.pop()
    },
  )
  return found.filter(({ properties }) => Object.keys(properties).length > 0)
}

function addTo({ item }: OpenItem, name: string, value: StructuredValue): void {
  const values = (item.properties[name] ??= [])
  values.push(value)
}

/** Returns the value of a property. @see https://html.spec.whatwg.org/multipage/microdata.html#values */
function valueOf(
  element: Element,
  baseUrl: string,
  read: (element: Element) => string | undefined,
): string | undefined {
  const { name, attribs } = element
  const given = attribs['content'] ?? (name === 'data' || name === 'meter' ? attribs['value'] : undefined)
  if (given !== undefined) return given.trim() === '' ? undefined : given.trim()
  if (name === 'time' && attribs['datetime'] !== undefined) return attribs['datetime']
  const attribute = ownValue(URL_ATTRIBUTES, name)
  const address = attribute === undefined ? undefined : attribs[attribute]
  if (address !== undefined) return resolveUrl(address, baseUrl)?.href
  return read(element)
}

/** Elements whose value is a URL. */
const URL_ATTRIBUTES: Readonly<Record<string, string>> = {
  a: 'href',
  area: 'href',
  link: 'href',
  img: 'src',
  audio: 'src',
  video: 'src',
  source: 'src',
  embed: 'src',
  iframe: 'src',
  track: 'src',
  object: 'data',
}
