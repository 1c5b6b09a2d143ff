import { type Element, collapse, findElement, isElement, textOf } from '../../html/tree.js'

// Files that scripts or layouts put where no picture is to be seen.
const STAND_IN =
  /(?:^|\/)(?:(?:img|image|photo|thumb|video|product|lazy|ajax|pre|gr[ae]y|white|default|bg)[-_]?)?(?:placeholder(?:[-_.][0-9a-f]{1,40})?\.(?:jpe?g|webp|gif|png|svg)|(?:spacer|blank|transparent|loading|loader|lazyload|1x1|1px|pixel|clear|empty)(?:[-_.][0-9a-f]{1,40})?\.(?:gif|png|svg))(?:[?#]|$)/i
const DRAWS = /<(?:path|circle|ellipse|line|poly|image|text|use|foreignObject)/i

/** Longer ones hold something. */
const MAX_STAND_IN_LENGTH = 2000

/**
 * Whether an image only keeps the place of one that a script would load: a drawing of nothing, a single pixel that is not bare
 * of other attributes, a file named so.
 */
export function isStandIn(href: string, attribs: Element['attribs']): boolean {
  if (!href.startsWith('data:')) return STAND_IN.test(href)
  if (href.length > MAX_STAND_IN_LENGTH) return false
  const [, type = '', base64, data = ''] = /^data:image\/([\w+-]+)[^,]*?(;base64)?,(.*)$/is.exec(href) ?? []
  if (type.startsWith('svg')) return !DRAWS.test(base64 === undefined ? percentDecoded(data) : decoded(data))
  // Who puts a pixel into a page by itself may have wanted it.
  return isOnePixel(type, data) && Object.keys(attribs).some((name) => name !== 'src' && name !== 'alt')
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1')

function percentDecoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    return data
  }
}

/** @see GIF89a section 18, PNG 11.2.2 */
function isOnePixel(type: string, data: string): boolean {
  const bytes = Buffer.from(data.slice(0, 40), 'base64')
  if (type === 'gif') return bytes.length >= 10 && bytes.readUInt16LE(6) === 1 && bytes.readUInt16LE(8) === 1
  return type === 'png' && bytes.length >= 24 && bytes.readUInt32BE(16) === 1 && bytes.readUInt32BE(20) === 1
}

const MIN_PICTURE_SIZE = 48
const ICON_NAME =
  /(?:^|[\s/_-])(?:icons?|ico|sprites?|emoji|twemoji|joypixels|smil(?:ey|ie)s?|arrows?|chevron|bullets?|caret)(?=[\s/_.-]|$)/i

/** Whether an image is a sign rather than a picture, by its size or by what it is called. */
export function isIcon(href: string, { width, height, class: names }: Element['attribs']): boolean {
  if (isSmall(width) && isSmall(height)) return true
  return ICON_NAME.test(names ?? '') || (!href.startsWith('data:') && ICON_NAME.test(href))
}

const isSmall = (size: string | undefined): boolean =>
  size !== undefined && /^\d/.test(size) && !size.endsWith('%') && Number.parseFloat(size) <= MIN_PICTURE_SIZE

const MAX_AROUND = 3000

/** Whether what a stand-in is called stands beside it: as the name of the picture itself, or as the text of its card. */
export function isSaidAround(standIn: Element, alt: string): boolean {
  let around = standIn.parent
  for (let left = 5; left > 0 && around !== null && isElement(around); left -= 1) {
    const isPicture = ({ name, attribs }: Element): boolean =>
      name === 'img' &&
      attribs !== standIn.attribs &&
      collapse(attribs['alt'] ?? '') === alt &&
      attribs['src'] !== undefined &&
      !isStandIn(attribs['src'], attribs)
    const text = textOf(around)
    if (text.length > MAX_AROUND) return false
    if (collapse(text).includes(alt) || findElement(around, isPicture) !== undefined) return true
    around = around.parent
  }
  return false
}
