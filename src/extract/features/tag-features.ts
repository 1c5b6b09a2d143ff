import { type Element, isHeading } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/read-blocks.js'
import { ownValue } from '../../collections/own-value.js'

/** Numbers of tag names as feature values; unknown names are -1. */
const ELEMENT_NUMBERS: ReadonlyMap<string, number> = new Map(
  (
    'p li td th div h1 h2 h3 h4 h5 h6 pre dt dd blockquote figcaption label button span a section article summary caption ' +
    'option time address'
  )
    .split(' ')
    .map((name, at): [string, number] => [name, at]),
)

/** Returns the feature value of an element's tag name. */
export const elementNumber = ({ name }: Element): number => ELEMENT_NUMBERS.get(name) ?? -1

const ROLES: Readonly<Record<string, string>> = {
  navigation: 'nav',
  menu: 'nav',
  menubar: 'nav',
  main: 'main',
  contentinfo: 'footer',
}

/** Elements whose tag name describes their contents. Features are their distances from the block. */
const SEMANTIC: ReadonlySet<string> = new Set(['nav', 'footer', 'main', 'article', 'form', 'ol', 'figure', 'li', 'a'])

/** Semantic elements around a region. */
export interface EnclosingTags {
  readonly nearest: Readonly<Partial<Record<string, Region>>>
}

/** Finds the nearest region of each semantic kind, starting with the region itself. */
export function findEnclosingTags(region: Region, around: EnclosingTags | undefined): EnclosingTags {
  const { name, attribs } = region.element
  const kind = ownValue(ROLES, attribs['role'] ?? '') ?? name
  const kinds: string[] = []
  if (SEMANTIC.has(kind)) kinds.push(kind)
  const { itemprop } = attribs
  if (itemprop !== undefined && /articleBody|text|description/i.test(itemprop)) kinds.push('itemprop')
  if (attribs['aria-hidden'] === 'true') kinds.push('ariaHidden')
  if (name === 'section' || name === 'aside') kinds.push('part')
  if (name === 'ul' || name === 'ol') kinds.push('list')
  if (kinds.length === 0 && around !== undefined) return around
  return { nearest: { ...around?.nearest, ...Object.fromEntries(kinds.map((one) => [one, region])) } }
}

/** Writes the block's tag names, and its distances from the semantic elements around it. */
export function readTagFeatures({ region, inner }: Block, { nearest }: EnclosingTags, put: Put): void {
  const { element, depth } = region
  const from = (found: Region | undefined): number => (found === undefined ? -1 : depth - found.depth)
  put('element', elementNumber(element))
  put('inner', elementNumber(inner))
  put('headingLevel', isHeading(element) ? Number(element.name[1]) : 0)
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
