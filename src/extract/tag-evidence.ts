import type { Element } from '../tree.js'
import type { Block, Region } from './read-blocks.js'

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
const SPEAKING = ['nav', 'footer', 'main', 'article', 'form', 'ol', 'figure', 'li', 'a'] as const

/** What an element, or one around it, is. */
export interface Tagged {
  readonly nearest: Readonly<Partial<Record<string, Region>>>
}

/** The nearest region of each speaking kind, the region itself included. */
export function tagRegion(region: Region, around: Tagged | undefined): Tagged {
  const { name, attribs } = region.element
  const kind = ROLES[attribs['role'] ?? ''] ?? name
  const kinds = [
    ...(SPEAKING.some((speaking) => speaking === kind) ? [kind] : []),
    ...(/articleBody|text|description/i.test(attribs['itemprop'] ?? '') ? ['itemprop'] : []),
    ...(attribs['aria-hidden'] === 'true' ? ['ariaHidden'] : []),
    ...(name === 'section' || name === 'aside' ? ['part'] : []),
    ...(name === 'ul' || name === 'ol' ? ['list'] : []),
  ]
  const nearest = around?.nearest ?? {}
  return kinds.length === 0 && around !== undefined
    ? around
    : { nearest: { ...nearest, ...Object.fromEntries(kinds.map((one) => [one, region])) } }
}

/** What elements a block stands in. */
export function readTags({ region, inner }: Block, { nearest }: Tagged): Record<string, number> {
  const { element, depth } = region
  const from = (found: Region | undefined): number => (found === undefined ? -1 : depth - found.depth)
  return {
    element: numberOf(element),
    inner: numberOf(inner),
    headingLevel: /^h[1-6]$/.test(element.name) ? Number(element.name[1]) : 0,
    depth,
    'in-nav': from(nearest['nav']),
    'in-footer': from(nearest['footer']),
    'in-main': from(nearest['main']),
    'in-article': from(nearest['article']),
    'in-form': from(nearest['form']),
    'in-ol': from(nearest['ol']),
    'in-figure': from(nearest['figure']),
    'in-li': from(nearest['li']),
    'in-a': from(nearest['a']),
    'in-itemprop': from(nearest['itemprop']),
    'in-ariaHidden': from(nearest['ariaHidden']),
  }
}
