import type { Element } from '../../html/tree.js'
import type { Region } from '../blocks/block.js'
import { boilerplateByTag, boilerplateKind } from './boilerplate.js'

/** Share of a page's text in an element that is no boilerplate, whatever its markup declares. */
const MIN_CONTENT_SHARE = 0.5

/**
 * True for what the markup declares boilerplate, unless it has most of the page's text.
 *
 * @param share share of the page's text in the element, 0 to 1
 */
export function isBoilerplate(element: Element, share: number): boolean {
  const kind = share < MIN_CONTENT_SHARE ? boilerplateKind(element) : boilerplateByTag(element)
  return kind !== undefined && (share < MIN_CONTENT_SHARE || kind === 'navigation' || kind === 'footer')
}

/** Returns a test for regions in boilerplate. */
export function findFrame(regions: readonly Region[]): (region: Region) => boolean {
  const framed = new Uint8Array(regions.length)
  const all = regions[0]?.text ?? 0
  // Parents stand before their children.
  for (const { at, element, parent, text } of regions)
    framed[at] = (parent !== undefined && framed[parent.at] === 1) || isBoilerplate(element, text / all) ? 1 : 0
  return ({ at }) => framed[at] === 1
}

/** True for a region in what the markup declares the main part of the page. */
export function isInMain(region: Region): boolean {
  for (let at: Region | undefined = region; at !== undefined; at = at.parent)
    if (at.element.name === 'main' || at.element.attribs['role'] === 'main') return true
  return false
}
