import type { Element } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/read-blocks.js'
import { ownValue } from '../../collections/own-value.js'

/** Names of elements by number; unknown ones are -1. */
const NAMES: ReadonlyMap<string, number> = new Map(
  (
    'p li td th div h1 h2 h3 h4 h5 h6 pre dt dd blockquote figcaption label button span a section article summary caption ' +
    'option time address'
  )
    .split(' ')
    .map((name, at): [string, number] => [name, at]),
)

/** The number that stands for an element's name in the evidence. */
export const numberOf = ({ name }: Element): number => NAMES.get(name) ?? -1

const ROLES: Readonly<Record<string, string>> = {
  navigation: 'nav',
  menu: 'nav',
  menubar: 'nav',
  main: 'main',
  contentinfo: 'footer',
}

/** Elements that say what is in them, and how far around the block they stand. */
const SPEAKING: ReadonlySet<string> = new Set(['nav', 'footer', 'main', 'article', 'form', 'ol', 'figure', 'li', 'a'])

/** What an element, or one around it, is. */
export interface Tagged {
  readonly nearest: Readonly<Partial<Record<string, Region>>>
}

/** The nearest region of each speaking kind, the region itself included. */
export function tagRegion(region: Region, around: Tagged | undefined): Tagged {
  const { name, attribs } = region.element
  const kind = ownValue(ROLES, attribs['role'] ?? '') ?? name
  const kinds: string[] = []
  if (SPEAKING.has(kind)) kinds.push(kind)
  const { itemprop } = attribs
  if (itemprop !== undefined && /articleBody|text|description/i.test(itemprop)) kinds.push('itemprop')
  if (attribs['aria-hidden'] === 'true') kinds.push('ariaHidden')
  if (name === 'section' || name === 'aside') kinds.push('part')
  if (name === 'ul' || name === 'ol') kinds.push('list')
  if (kinds.length === 0 && around !== undefined) return around
  return { nearest: { ...around?.nearest, ...Object.fromEntries(kinds.map((one) => [one, region])) } }
}

/** What elements a block stands in. */
export function readTags({ region, inner }: Block, { nearest }: Tagged, put: Put): void {
  const { element, depth } = region
  const from = (found: Region | undefined): number => (found === undefined ? -1 : depth - found.depth)
  put('element', numberOf(element))
  put('inner', numberOf(inner))
  put('headingLevel', /^h[1-6]$/.test(element.name) ? Number(element.name[1]) : 0)
  put('depth', depth)
  put('in-nav', from(nearest['nav']))
  put('in-footer', from(nearest['footer']))
  put('in-main', from(nearest['main']))
  put('in-article', from(nearest['article']))
  put('in-form', from(nearest['form']))
  put('in-ol', from(nearest['ol']))
  put('in-figure', from(nearest['figure']))
  put('in-li', from(nearest['li']))
  put('in-a', from(nearest['a']))
  put('in-itemprop', from(nearest['itemprop']))
  put('in-ariaHidden', from(nearest['ariaHidden']))
}
