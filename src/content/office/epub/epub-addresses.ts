import { ownValue } from '../../../base/collections/own-value.js'
import { type Element, isElement, walk } from '../../html/tree.js'
import { innerAddress } from '../elements/create-element.js'
import { decodePath, folderOf } from './epub-package.js'

/** Chapter whose addresses are resolved. */
interface Place {
  readonly path: string
  readonly number: number
  /** Numbers of all chapters by their paths. */
  readonly numbers: ReadonlyMap<string, number>
  /** Returns the path of a file in the archive, from a relative URL. */
  readonly pathOf: (folder: string, href: string) => string
}

/** Returns the id of a chapter in the page. */
export const chapterId = (number: number): string => `chapter-${number}`

/** Attributes with the address of a file that is shown in a chapter. */
const SHOWN_FILES: Readonly<Record<string, readonly string[]>> = {
  img: ['src'],
  audio: ['src'],
  video: ['src', 'poster'],
  source: ['src'],
  track: ['src'],
  embed: ['src'],
  iframe: ['src'],
  object: ['data'],
}

/**
 * Makes ids of a chapter unique in the book, and resolves addresses of places and files in the book; dead links are
 * removed.
 */
export function resolveAddresses(content: Element, place: Place): void {
  walk(content, (node) => {
    if (!isElement(node)) return
    const { attribs, name } = node
    for (const key of name === 'a' ? ['id', 'name'] : ['id'])
      if (attribs[key] !== undefined) attribs[key] = `${chapterId(place.number)}-${attribs[key]}`
    if ((name === 'a' || name === 'area') && attribs['href'] !== undefined) {
      const href = resolveLink(attribs['href'].trim(), place)
      if (href === undefined) delete attribs['href']
      else attribs['href'] = href
    }
    // Covers are usually images inside an SVG.
    const drawn = name === 'image' ? (attribs['xlink:href'] ?? attribs['href']) : undefined
    if (drawn !== undefined) moveOutOfSvg(node, drawn)
    for (const key of ownValue(SHOWN_FILES, node.name) ?? []) {
      const address = attribs[key]?.trim()
      if (address !== undefined && !isOutside(address)) node.attribs[key] = resolveFile(address, place)
    }
    delete attribs['srcset']
  })
}

/** Moves an image out of its SVG, because SVGs are not converted. */
function moveOutOfSvg(image: Element, src: string): void {
  const { parent } = image
  if (parent === null || !isElement(parent)) return
  if (parent.name === 'svg') parent.name = 'div'
  image.name = 'img'
  image.attribs = { src, alt: image.attribs['alt'] ?? '' }
}

/** Tests if an address leads out of the book: it has a scheme or a host. */
const isOutside = (address: string): boolean => /^(?:[a-z][\w+.-]*:|\/\/)/i.test(address)

const resolveFile = (address: string, { path, pathOf }: Place): string => innerAddress(pathOf(folderOf(path), address))

function resolveLink(href: string, { path, numbers, pathOf }: Place): string | undefined {
  if (isOutside(href)) return href
  const [file = '', fragment] = href.split('#')
  const number = numbers.get(file === '' ? path : pathOf(folderOf(path), file))
  if (number === undefined) return undefined
  return fragment === undefined || fragment === ''
    ? `#${chapterId(number)}`
    : `#${chapterId(number)}-${decodePath(fragment)}`
}
