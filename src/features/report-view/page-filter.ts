import { ownValue } from '../../base/collections/own-value.js'
import { foldText } from './format.js'
import type { Page } from './report.js'

/** Properties of a page that a parameter of the address selects, each as text, or several. */
const PROPERTIES: Readonly<Record<string, (page: Page) => string | readonly string[]>> = {
  outcome: ({ outcome }) => outcome,
  reason: ({ reason }) => reason,
  status: ({ statusCode }) => String(statusCode),
  fetcher: ({ fetcher }) => fetcher,
  via: ({ via }) => via,
  depth: ({ depth }) => String(depth),
  template: ({ template }) => template,
  warning: ({ warnings }) => warnings,
}

/** Names of the parameters that select pages, for the marks of what is selected. */
export const filterNames: readonly (readonly [parameter: string, name: string])[] = [
  ['reason', 'Reason'],
  ['status', 'Status'],
  ['fetcher', 'Fetched by'],
  ['via', 'Found by'],
  ['depth', 'Depth'],
  ['template', 'Template'],
  ['warning', 'Warning'],
  ['path', 'Below'],
]

/** Orders of pages by the parameter `sort`; a `-` before the name reverses it. */
const ORDERS: Readonly<Record<string, (one: Page, other: Page) => number>> = {
  url: (one, other) => (one.url < other.url ? -1 : one.url > other.url ? 1 : 0),
  status: (one, other) => one.statusCode - other.statusCode,
  time: (one, other) => one.attemptMs - other.attemptMs,
  words: (one, other) => one.words - other.words,
  depth: (one, other) => one.depth - other.depth,
  attempts: (one, other) => one.attempts - other.attempts,
}

/** Selects and orders pages by the parameters of the address. Without `sort` they are in order of discovery. */
export function filterPages(pages: readonly Page[], parameters: URLSearchParams): readonly Page[] {
  const words = foldText(parameters.get('q') ?? '')
    .split(/\s+/)
    .filter(Boolean)
  const path = parameters.get('path') ?? ''
  const wanted = Object.entries(PROPERTIES).flatMap(([name, read]) => {
    const value = parameters.get(name)
    return value === null ? [] : [{ read, value }]
  })
  const found = pages.filter(
    (page) =>
      wanted.every(({ read, value }) => [read(page)].flat().includes(value)) &&
      words.every((word) => page.searched.includes(word)) &&
      page.url.startsWith(path),
  )
  const sort = parameters.get('sort') ?? ''
  const order = ownValue(ORDERS, sort.replace('-', ''))
  if (!order) return found
  return found.sort(sort.startsWith('-') ? (one, other) => order(other, one) : order)
}
