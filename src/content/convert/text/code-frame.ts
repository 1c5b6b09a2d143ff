import {
  type ChildNode,
  type Element,
  collapse,
  findElement,
  isElement,
  isText,
  parentElement,
  textOf,
} from '../../html/tree.js'
import { isLanguageName, isLanguageOf } from './code-language.js'
import { isBesideLines } from './drawn-listing.js'
import { codeText, isGutter } from './code-text.js'

/** Class names of line numbers, and of the name of the language. */
const LABEL =
  /(?:^|[\s_-])(?:lang(?:uage)?(?:-(?:name|label|tag|id|badge|indicator|title))?|line-?num(?:ber)?s?(?:-\w+)?|toolbar-item)(?:$|\s)/i

/** Class names of a line above a listing, which may be the name of its language. */
const HEADER = /(?:^|[\s_-])(?:head(?:er)?|title|toolbar|bar|top|info|label|meta|caption|name)(?:$|[\s_-])/i

/** Maximum children of an element that frames a code listing. More of them are a text with listings in it. */
const MAX_CHILDREN = 8
/** Maximum levels between a label and the element that frames it and the listing. */
const MAX_LEVELS = 3

/** Returns the code listing that is a sibling of an element, if both are in an element with little else. */
export function listingBeside({ parent }: Element): Element | undefined {
  if (parent === null || parent.children.length > 2 * MAX_CHILDREN) return undefined
  const elements = parent.children.filter(isElement)
  const listings = elements.filter(({ name }) => name === 'pre')
  return elements.length <= MAX_CHILDREN && listings.length === 1 ? listings[0] : undefined
}

/** True for what a page puts beside a code listing and is no part of it: line numbers, and the name of its language. */
export function isBesideCode(element: Element): boolean {
  const classes = element.attribs['class']
  if (classes === undefined) return false
  if (isBesideLines(classes)) return true
  if (!LABEL.test(classes)) return HEADER.test(classes) && isHeader(element)
  let listing: Element | undefined
  for (let at: Element | undefined = element, level = 0; at !== undefined && level < MAX_LEVELS; level += 1) {
    listing ??= listingBeside(at)
    at = parentElement(at)
  }
  if (listing === undefined) return false
  const text = collapse(textOf(element))
  return isLanguageOf(text, listing) || (isGutter(element) && areNumbersOf(text, listing))
}

/** Returns the element with the name of the language at the beginning of a listing, or right before it. */
export function languageLabel(listing: Element): Element | undefined {
  const before =
    listing.prev !== null && isText(listing.prev) && listing.prev.data.trim() === '' ? listing.prev.prev : listing.prev
  if (before !== null && isElement(before) && (isLabel(before) || isHeader(before))) return before
  let at: Element | undefined = listing
  for (let left = MAX_LEVELS; left > 0 && at !== undefined; left -= 1) {
    const first: ChildNode | undefined = at.children
      .slice(0, 2)
      .find((child) => !isText(child) || child.data.trim() !== '')
    at = first !== undefined && isElement(first) ? first : undefined
    if (at !== undefined && isLabel(at)) return at
  }
  return undefined
}

/** True for a line right above a listing that is the name of a language and nothing else, beside buttons. */
function isHeader(element: Element): boolean {
  if (!HEADER.test(element.attribs['class'] ?? '')) return false
  const after = element.next !== null && isText(element.next) ? element.next.next : element.next
  if (after === null || !isElement(after) || after.name !== 'pre' || listingBeside(element) !== after) return false
  const label = element.children.filter((child) => !isElement(child) || child.name !== 'button')
  const text = collapse(
    label.map((child) => (isElement(child) ? textOf(child) : isText(child) ? child.data : '')).join(' '),
  )
  return text.length <= MAX_LABEL && isLanguageName(text)
}

/** Maximum length of the name of a language. Characters. */
const MAX_LABEL = 30

const isLabel = (element: Element): boolean =>
  LABEL.test(element.attribs['class'] ?? '') && isLanguageName(collapse(textOf(element)))

/** True for as many numbers as the listing has lines, of which the last may be empty. Only `br` elements may separate them. */
function areNumbersOf(text: string, listing: Element): boolean {
  const numbers = text.split(/\D+/).filter((number) => number !== '')
  const joined = numbers.join('')
  const lines = codeText(listing).split('\n').length
  return [lines, lines + 1].some((count) => numbers.length === count || joined === numbersTo(count))
}

const numbersTo = (count: number): string => Array.from({ length: count }, (_, at) => at + 1).join('')

/** True for a table cell with a listing of nothing but numbers, one for each line of the listing in the next cell. */
export function isNumbersCell(cell: Element): boolean {
  const numbers = preIn(cell)
  if (numbers === undefined || !/^[\s\d]+$/.test(textOf(numbers))) return false
  const cells = cell.parent?.children.filter(isElement) ?? []
  const code = preIn(cells[cells.indexOf(cell) + 1])
  if (code === undefined) return false
  const lines = textOf(numbers).trimEnd().split('\n')
  const first = lines.findIndex((line) => line.trim() !== '')
  const isCounted = lines.every((line, at) => at < first || Number(line) === Number(lines[first]) + at - first)
  return isCounted && lines.length > 1 && lines.length === codeText(code).split('\n').length
}

const preIn = (cell: Element | undefined): Element | undefined => cell && findElement(cell, isPre)

const isPre = ({ name }: Element): boolean => name === 'pre'
