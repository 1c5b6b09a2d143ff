import type { ParsedPage } from '../../parse/parser.js'
import { type Element, isElement, isText, walk } from '../../html/tree.js'
import { isHidden } from '../visibility/visibility.js'
import { imageSource } from '../../html/image-source.js'

/**
 * Returns a reader of the images that a page shows only in a `noscript`.
 *
 * A `noscript` with text is a notice, and an image of one pixel is for tracking: neither is kept.
 */
export function createNoscriptReader(page: ParsedPage): (noscript: Element) => readonly Element[] {
  let shown: Set<string> | undefined
  return (noscript) => {
    const images = imagesAlone(noscript)
    if (images.length === 0) return []
    shown ??= shownImages(page)
    return images.filter((image) => {
      const source = imageSource(image)
      return source !== undefined && !shown?.has(source)
    })
  }
}

function imagesAlone(noscript: Element): Element[] {
  const images: Element[] = []
  let hasWords = false
  walk(noscript, (node) => {
    if (isText(node)) hasWords ||= /\S/.test(node.data)
    else if (isElement(node) && node.name === 'img' && !isTrackingPixel(node)) images.push(node)
    return !isElement(node) || (node.name !== 'style' && node.name !== 'script')
  })
  return hasWords ? [] : images
}

const isTrackingPixel = ({ attribs }: Element): boolean =>
  attribs['width'] === '1' ||
  attribs['height'] === '1' ||
  attribs['width'] === '0' ||
  /display\s*:\s*none/i.test(attribs['style'] ?? '')

function shownImages(page: ParsedPage): Set<string> {
  const shown = new Set<string>()
  walk(page.tree.root, (node) => {
    if (!isElement(node)) return true
    const source = node.name === 'img' && !isHidden(node) ? imageSource(node) : undefined
    if (source !== undefined) shown.add(source)
    return node.name !== 'noscript'
  })
  return shown
}
