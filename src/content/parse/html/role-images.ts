import { type Document, Element, hasText, isElement, setChildren, walk } from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

/** A tag with both, in either order. Many drawings have the role alone. */
const MARK = /role=["']img["'][^<>]{0,600}url\(|url\([^<>]{0,600}role=["']img["']/

/**
 * Makes images of the elements that are pictures by their role, with a name for screen readers and the picture itself as their background.
 *
 * @see https://www.w3.org/TR/wai-aria-1.2/#img
 */
export const roleImages: TreeRepair = { mark: MARK, sign: /role=["']img["']/, apply: makeImages }

function makeImages(document: Document): void {
  walk(document, (node) => {
    if (!isElement(node) || node.name === 'img' || node.attribs['role'] !== 'img') return
    const alt = node.attribs['aria-label']?.trim() ?? ''
    const src = BACKGROUND.exec(node.attribs['style']?.slice(0, MAX_STYLE) ?? '')?.[1]
    if (alt === '' || src === undefined || hasText(node)) return
    delete node.attribs['role']
    setChildren(node, [new Element('img', { src, alt }), ...node.children])
  })
}

const MAX_STYLE = 3000
const BACKGROUND = /(?:^|;)\s*background(?:-image)?\s*:[^;]*?url\(\s*["']?([^"')\s]+)/i
