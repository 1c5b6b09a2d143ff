import { escapeHtml } from '../html/decode-entities.js'
import { isObject } from '../../base/collections/is-object.js'
import { countWords } from '../embedded-data/text-kind.js'
import type { WalkBudget } from './walk-budget.js'

/** A React element in the flight format: `["$", type, key, props]`. */
export type ElementData = readonly ['$', unknown, unknown, unknown]

export const isElementData = (value: object): value is ElementData =>
  Array.isArray(value) && value.length >= 4 && value[0] === '$'

const skippedTags = /^(?:script|style|meta|link|head|title|template|svg|iframe|noscript|base)$/
const boilerplateTags = /^(?:nav|header|footer|aside)$/
const voids = /^(?:area|br|col|hr|img|input|source|track|wbr)$/
const MAX_LEVELS = 100

/**
 * Writes an element as HTML.
 *
 * @param readOther reads the props of a component, and raw HTML @param budget bounds the walk; the rest of the element
 * is omitted when it is spent @returns the HTML, and the number of its words outside of navigation, headers and
 * footers; words that `readOther` found are not counted
 */
export function elementToHtml(
  element: ElementData,
  readOther: (value: unknown) => string,
  budget: WalkBudget,
): { html: string; words: number } {
  let words = 0
  const write = (value: unknown, level: number, inBoilerplate: boolean): string => {
    if (level > MAX_LEVELS) return ''
    if (typeof value === 'string' || typeof value === 'number') {
      const text = budget.consumeText(String(value))
      if (!inBoilerplate) words += countWords(text)
      return escapeHtml(text)
    }
    if (typeof value !== 'object' || value === null) return ''
    return budget.enter(value, () => {
      if (isElementData(value)) return writeElement(value, level, inBoilerplate)
      return Array.isArray(value) ? writeList(value, level, inBoilerplate) : ''
    })
  }
  const writeList = (list: readonly unknown[], level: number, inBoilerplate: boolean): string => {
    let html = ''
    for (const one of list) {
      if (budget.isSpent) break
      html += write(one, level + 1, inBoilerplate)
    }
    return html
  }
  const writeElement = ([, type, , props]: ElementData, level: number, inBoilerplate: boolean): string => {
    if (!isObject(props)) return ''
    if (typeof type !== 'string' || !/^[a-z][a-z\d]*$/.test(type)) {
      const { children, ...rest } = props
      return readOther(rest) + write(children, level + 1, inBoilerplate)
    }
    if (skippedTags.test(type)) return ''
    const attributes = ['href', 'src', 'alt'].flatMap((name) => {
      const text = props[name]
      return typeof text === 'string' && !/^\s*javascript:/i.test(text)
        ? ` ${name}="${escapeHtml(budget.consumeText(text))}"`
        : []
    })
    const raw = props['dangerouslySetInnerHTML']
    const inner =
      isObject(raw) && typeof raw['__html'] === 'string'
        ? readOther({ html: raw['__html'] })
        : write(props['children'], level + 1, inBoilerplate || boilerplateTags.test(type))
    return `<${type}${attributes.join('')}>${voids.test(type) ? '' : `${inner}</${type}>`}`
  }
  const html = write(element, 0, false)
  return { html, words }
}
