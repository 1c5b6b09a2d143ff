import { collapse, type Element, isElement, isText, textOf, walk } from '../../content/html/tree.js'
import type { PriceSpot } from './find-prices.js'
import { ownValue } from '../../base/collections/own-value.js'

/** Elements that are not content of the page. */
export const NON_CONTENT: ReadonlySet<string> = new Set([
  'nav',
  'header',
  'footer',
  'script',
  'style',
  'template',
  'form',
  'noscript',
])

const NAMED = /^(?:h[1-6]|strong|b|dt|th)$/
const NAME_CLASS = /(?:^|[-_ ])(?:name|title|dish)(?:$|[-_ ])/i
/** Signs and words for diets that menus write after a name. */
const DIET_MARK =
  /[([]\s*((?:vegan|vegetarian|vegetarisch|végétarien|vegetariano|gluten[- ]?free|glutenfrei|halal|kosher|v|vg|ve|vn|gf|df|n)(?:\s*[,/·]\s*\w{1,12})*)\s*[)\]]/gi

/** Reads the name and description of a dish from the element around its prices. */
export function readDish(
  box: Element,
  spots: readonly PriceSpot[],
): { name: string; description: string; marks: string[] } {
  const whole = new Set<unknown>(spots.flatMap(({ element, before }) => (before === '' ? [element] : [])))
  const [spot] = spots
  if (whole.has(box) || !spot) return { name: '', description: '', marks: [] }
  let named: Element | undefined
  const texts: string[] = []
  walk(box, (node) => {
    if (whole.has(node)) return false
    if (isElement(node)) {
      if (NON_CONTENT.has(node.name)) return false
      if (!named && (NAMED.test(node.name) || NAME_CLASS.test(node.attribs['class'] ?? ''))) named = node
    }
    if (!isText(node)) return true
    const text = collapse(node === spot.node ? spot.before : node.data)
    if (text !== '') texts.push(text)
    return true
  })
  const clean = spot.before === '' ? texts : texts.map(withoutLeaders)
  const title = named && !whole.has(named) ? collapse(textOf(named)) : (clean[0] ?? '')
  const rest = clean.join(' ')
  const at = rest.indexOf(title)
  const description = at === -1 ? rest : `${rest.slice(0, at)} ${rest.slice(at + title.length)}`
  const marks = [...`${title} ${description}`.matchAll(DIET_MARK)].flatMap(([, list = '']) =>
    list
      .split(/[,/·]/)
      .map((mark) => mark.trim())
      .map((mark) => ownValue(DIETS, mark.toLowerCase().replace(/\s+/, '-')) ?? mark),
  )
  return {
    name: collapse(title.replace(DIET_MARK, ' ')),
    description: collapse(description.replace(DIET_MARK, ' ')),
    marks: [...new Set(marks)],
  }
}

const LEADER = /[\s.…·_–-]/

/** Removes the signs that lead from a name to its price. One by one: a pattern for the end would try each of them anew. */
function withoutLeaders(text: string): string {
  let end = text.length
  while (end > 0 && LEADER.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Diets by their words in the languages of menus. Signs such as `V` are ambiguous, and stay as written. */
const DIETS: Readonly<Record<string, string>> = {
  vegan: 'vegan',
  vegetarian: 'vegetarian',
  vegetarisch: 'vegetarian',
  végétarien: 'vegetarian',
  vegetariano: 'vegetarian',
  'gluten-free': 'gluten-free',
  glutenfree: 'gluten-free',
  glutenfrei: 'gluten-free',
  halal: 'halal',
  kosher: 'kosher',
}
