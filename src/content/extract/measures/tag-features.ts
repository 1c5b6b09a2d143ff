import type { Mutable } from '../../../base/collections/mutable.js'
import { type Element, isHeading } from '../../html/tree.js'
import type { Put } from './feature-vector.js'
import type { Block, Region } from '../blocks/block.js'

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

/** Elements whose tag name describes their contents. Features are their distances from the block. */
const SEMANTIC = ['nav', 'footer', 'main', 'article', 'form', 'ol', 'figure', 'li', 'a'] as const

type SemanticTag = (typeof SEMANTIC)[number]

const SEMANTIC_TAGS: ReadonlyMap<string, SemanticTag> = new Map(SEMANTIC.map((name) => [name, name]))

const SEMANTIC_ROLES: ReadonlyMap<string, SemanticTag> = new Map([
  ['navigation', 'nav'],
  ['menu', 'nav'],
  ['menubar', 'nav'],
  ['main', 'main'],
  ['contentinfo', 'footer'],
])

/** The nearest region of each semantic kind around a region. */
export type EnclosingTags = Readonly<
  Record<SemanticTag | 'itemprop' | 'ariaHidden' | 'part' | 'list', Region | undefined>
>

const NO_TAGS: EnclosingTags = {
  nav: undefined,
  footer: undefined,
  main: undefined,
  article: undefined,
  form: undefined,
  ol: undefined,
  figure: undefined,
  li: undefined,
  a: undefined,
  itemprop: undefined,
  ariaHidden: undefined,
  part: undefined,
  list: undefined,
}

/** Finds the nearest region of each semantic kind, starting with the region itself. */
export function findEnclosingTags(region: Region, around: EnclosingTags = NO_TAGS): EnclosingTags {
  const { name, attribs } = region.element
  const { role, itemprop } = attribs
  const kind = (role === undefined ? undefined : SEMANTIC_ROLES.get(role)) ?? SEMANTIC_TAGS.get(name)
  const isText = itemprop !== undefined && /articleBody|text|description/i.test(itemprop)
  const isHidden = attribs['aria-hidden'] === 'true'
  const isPart = name === 'section' || name === 'aside'
  const isList = name === 'ul' || name === 'ol'
  if (kind === undefined && !isText && !isHidden && !isPart && !isList) return around
  const found: Mutable<EnclosingTags> = { ...around }
  if (kind !== undefined) found[kind] = region
  if (isText) found.itemprop = region
  if (isHidden) found.ariaHidden = region
  if (isPart) found.part = region
  if (isList) found.list = region
  return found
}

/** Writes the block's tag names, and its distances from the semantic elements around it. */
export function readTagFeatures({ region, inner }: Block, nearest: EnclosingTags, put: Put): void {
  const { element, depth } = region
  const from = (found: Region | undefined): number => (found === undefined ? -1 : depth - found.depth)
  put('element', elementNumber(element))
  put('inner', elementNumber(inner))
  put('headingLevel', isHeading(element) ? Number(element.name[1]) : 0)
  put('depth', depth)
  put('in-nav', from(nearest.nav))
  put('in-footer', from(nearest.footer))
  put('in-main', from(nearest.main))
  put('in-article', from(nearest.article))
  put('in-form', from(nearest.form))
  put('in-ol', from(nearest.ol))
  put('in-figure', from(nearest.figure))
  put('in-li', from(nearest.li))
  put('in-a', from(nearest.a))
  put('in-itemprop', from(nearest.itemprop))
  put('in-ariaHidden', from(nearest.ariaHidden))
}
