import { type Element, collapse, findElement, isElement, textOf } from '../../html/tree.js'

// Names of files that scripts or layouts use as placeholders.
const PLACEHOLDER =
  /(?:^|\/)(?:(?:img|image|photo|thumb|video|product|lazy|ajax|pre|gr[ae]y|white|default|bg)[-_]?)?(?:placeholder(?:[-_.][0-9a-f]{1,40})?\.(?:jpe?g|webp|gif|png|svg)|(?:spacer|blank|transparent|loading|loader|lazyload|1x1|1px|pixel|clear|empty)(?:[-_.][0-9a-f]{1,40})?\.(?:gif|png|svg))(?:[?#]|$)/i
const DRAWS = /<(?:path|circle|ellipse|line|poly|image|text|use|foreignObject)/i

/** Maximum length of a placeholder's data URL. A longer one is a real image. Characters. */
const MAX_PLACEHOLDER_LENGTH = 2000

/**
 * True for the placeholder of a lazily loaded image: an empty drawing, a single pixel with further attributes, or a
 * file named as a placeholder.
 */
export function isPlaceholder(href: string, attribs: Element['attribs']): boolean {
  if (!href.startsWith('data:')) return PLACEHOLDER.test(href)
  if (href.length > MAX_PLACEHOLDER_LENGTH) return false
  const [, type = '', base64, data = ''] = /^data:image\/([\w+-]+)[^,]*?(;base64)?,(.*)$/is.exec(href) ?? []
  if (type.startsWith('svg')) return !DRAWS.test(base64 === undefined ? percentDecoded(data) : decoded(data))
  // A placeholder has further attributes, such as `data-src`, or no words. A single pixel with words may be a real image.
  if (!isOnePixel(type, data) && !isTiny(type, data)) return false
  return !attribs['alt']?.trim() || Object.keys(attribs).some((name) => name !== 'src' && name !== 'alt')
}

const decoded = (base64: string): string => Buffer.from(base64, 'base64').toString('latin1')

function percentDecoded(data: string): string {
  try {
    return decodeURIComponent(data)
  } catch {
    return data
  }
}

/**
 * True for an image of one pixel.
 *
 * @see https://www.w3.org/Graphics/GIF/spec-gif89a.txt
 *
 * @see https://www.w3.org/TR/png-3/#11IHDR
 */
function isOnePixel(type: string, data: string): boolean {
  const bytes = Buffer.from(data.slice(0, 40), 'base64')
  if (type === 'gif') return bytes.length >= 10 && bytes.readUInt16LE(6) === 1 && bytes.readUInt16LE(8) === 1
  return type === 'png' && bytes.length >= 24 && bytes.readUInt32BE(16) === 1 && bytes.readUInt32BE(20) === 1
}

/** Maximum length of the data of an image in one colour. Characters of base64. */
const MAX_TINY = 80

/** True for an image that is too short to show anything: blank ones keep room of any size. */
const isTiny = (type: string, data: string): boolean =>
  (type === 'gif' || type === 'webp') && data.trim().length <= MAX_TINY

const MIN_PICTURE_SIZE = 48
const ICON_NAME =
  /(?:^|[\s/_-])(?:icons?|ico|sprites?|emoji|twemoji|joypixels|smil(?:ey|ie)s?|arrows?|chevron|bullets?|caret)(?=[\s/_.-]|$)/i

/** True for a symbol rather than an image, by its size or its name. */
export function isIcon(href: string, { width, height, class: names }: Element['attribs']): boolean {
  if (isSmall(width) && isSmall(height)) return true
  return ICON_NAME.test(names ?? '') || (!href.startsWith('data:') && ICON_NAME.test(href))
}

const isSmall = (size: string | undefined): boolean =>
  size !== undefined && /^\d/.test(size) && !size.endsWith('%') && Number.parseFloat(size) <= MIN_PICTURE_SIZE

const MAX_AROUND = 3000

/**
 * True if the text beside a placeholder repeats its alternative text, as the name of the image or the text of its card.
 */
export function isRepeatedBeside(placeholder: Element, alt: string): boolean {
  let around = placeholder.parent
  for (let left = 5; left > 0 && around !== null && isElement(around); left -= 1) {
    const isImage = ({ name, attribs }: Element): boolean =>
      name === 'img' &&
      attribs !== placeholder.attribs &&
      collapse(attribs['alt'] ?? '') === alt &&
      attribs['src'] !== undefined &&
      !isPlaceholder(attribs['src'], attribs)
    const text = textOf(around)
    if (text.length > MAX_AROUND) return false
    if (collapse(text).includes(alt) || findElement(around, isImage) !== undefined) return true
    around = around.parent
  }
  return false
}
