import { type Element, collapse, findElement, hasText, isElement, isText, textOf } from '../../html/tree.js'
import { isWebUrl, lastSegmentOf, resolveUrl } from '../../../base/url.js'
import type { ElementReader, ReadingContext } from '../ast/element-reader.js'
import { addFormula, cleanTex } from '../math/read-formula.js'
import { isIcon, isRepeatedBeside, isPlaceholder } from './placeholder-image.js'

/**
 * Reads an image with a URL and more than one pixel. Formulas that some sites show as images become their TeX source.
 */
export const readImage: ElementReader = (element, { view }) => {
  const { attribs } = element
  const alt = collapse(attribs['alt'] ?? '')
  if (DRAWS_TEX.test(attribs['class'] ?? '') || TEX_SERVICE.test(attribs['src'] ?? '')) {
    const tex = cleanTex(alt)
    if (tex !== undefined) return addFormula(tex, false, view)
  }
  const href = attribs['src']?.trim() ?? ''
  if (href === '' || (isOnePixel(attribs['width']) && isOnePixel(attribs['height']))) return
  if (isPlaceholder(href, attribs) || (href.startsWith(PIXEL) && isRepeatedBeside(element, alt))) {
    if (alt === '' || STAND_IN_WORDS.test(alt) || isRepeatedBeside(element, alt)) return
    // The words of a small symbol are enough: `:-)`.
    if (alt.length <= MAX_SIGN_LENGTH && isIcon(href, attribs)) return view.text(alt)
  } else if (EMOJI.test(alt) && isIcon(href, attribs)) return view.text(alt)
  else if (alt === '' && isIcon(href, attribs) && isBesideText(element)) return
  const title = collapse(attribs['title'] ?? '')
  view.inline('image', alt, { href, title: title === '' || title === alt ? undefined : title })
}

/** Reads an image of AMP, whose contents stand for it in browsers without the scripts of AMP. */
export const readAmpImage: ElementReader = (element, context) => {
  const image = findElement(element, ({ name }) => name === 'img')
  readImage(image ?? element, context)
}

/** Start of the gif and png that hardly show anything. With words, such an image may be a real one. */
const PIXEL = 'data:image/gif;base64,R0lGODlhAQAB'
const STAND_IN_WORDS = /^(?:placeholder|spacer|blank|loading|loader|lazy|pixel|transparent|image|img)\b[\s.…]*$/i
const MAX_SIGN_LENGTH = 24
const EMOJI = /^(?:\p{Extended_Pictographic}(?:\u200D|\uFE0F|\p{Emoji_Modifier})*){1,4}$/u

/**
 * True for an image in a link, button, heading or cell with text of its own, where an icon without words adds nothing.
 */
function isBesideText({ parent }: Element): boolean {
  let at = parent
  for (let left = 4; left > 0 && at !== null && isElement(at); left -= 1) {
    if (/^(?:a|button|h[1-6]|li|td|th|p|dt|dd|summary|figcaption)$/.test(at.name)) return hasText(at)
    at = at.parent
  }
  return false
}

const DRAWS_TEX = /\b(?:mwe-math-fallback|latex|tex)\b|mwe-math/
// Services that render the formula in the URL.
const TEX_SERVICE = /[/.]codecogs\.com\/|\/(?:latex|mathtex|mimetex)\.(?:php|cgi|gif|png|svg)\b|\/math\/render\//i

const isOnePixel = (size: string | undefined): boolean => size === '1' || size === '0' || size === '1px'

/** Reads a video or audio as a link to it. */
export const readMedia: ElementReader = (element, { view }) => {
  const inner = findElement(element, ({ name }) => name === 'source')?.attribs ?? {}
  const source = [element.attribs, inner].map((one) => one['src'] ?? lazySource(one)).find((one) => one !== undefined)
  const label =
    element.attribs['title'] ?? element.attribs['aria-label'] ?? (element.name === 'audio' ? 'Audio' : 'Video')
  linkTo(source, label, view)
}

/**
 * Reads an embedded frame as a link, with the title that the page gives it or else, for embeddable players, with the
 * host's name. Other frames are mostly advertisements and counters.
 */
export const readEmbed: ElementReader = (element, context) => {
  const { name, attribs } = element
  // WordPress puts a link to the same page before it.
  if (/\bwp-embedded-content\b/.test(attribs['class'] ?? '')) return
  const source = name === 'object' ? attribs['data'] : (lazySource(attribs) ?? attribs['src'])
  const title = collapse(attribs['title'] ?? attribs['aria-label'] ?? '')
  if (source !== undefined && isPicture(element, source)) return readPicture(element, source.trim(), title, context)
  const label = title || embeddedHost(source) || fileNameOf(element, source) || pageOf(element, source)
  if (label !== undefined && label !== '') linkTo(source, label, context.view)
  // The contents of an `object` are its fallback, whose text is mostly a note; an `iframe` has none that anyone sees.
  else if (name === 'object')
    for (const child of element.children) if (isElement(child) || source === undefined) context.read(child)
}

/** Programs that no browser runs any more: the contents of the element are what is seen. */
const DEAD_TYPES = /flash|java|silverlight|director|\.(?:swf|class|jar|dcr)$/i
/** Names of files, and not of pages. */
const FILE = /^.{1,120}\.(?!(?:html?|php|aspx?)$)\w{2,5}$/i
const PICTURE = /^image\/|\.(?:svg|png|jpe?g|gif|webp|avif)$/i

const isPicture = ({ name, attribs }: Element, source: string): boolean =>
  name !== 'iframe' && PICTURE.test(attribs['type']?.trim() || withoutQuery(source))

/** Maximum length of a fallback that is taken for the name of a drawing. Characters. */
const MAX_ALT = 200

/** Reads an `object` or `embed` that is a drawing. Its fallback is an image as a rule, with the words that stand for both. */
function readPicture(element: Element, href: string, title: string, { view }: ReadingContext): void {
  const inner = findElement(element, ({ name }) => name === 'img')?.attribs['alt']
  const own = element.children.every(isText) ? collapse(textOf(element)).slice(0, MAX_ALT) : ''
  view.inline('image', title || collapse(inner ?? '') || own, { href })
}

/** Files that a frame shows to be read. */
const PAPER = /\.(?:pdf|docx?|pptx?|xlsx?|od[pst]|epub)$/i

/** Returns the name of the file that an `object`, `embed` or frame shows, such as a PDF. */
function fileNameOf({ name, attribs }: Element, source: string | undefined): string | undefined {
  if (source === undefined || (name === 'iframe' && !PAPER.test(withoutQuery(source)))) return undefined
  const path = withoutQuery(source)
  if (DEAD_TYPES.test(attribs['type'] ?? '') || DEAD_TYPES.test(path)) return undefined
  const file = lastSegmentOf(source.trim())
  return FILE.test(file) ? file : undefined
}

/** Returns the host of a page that an `object` shows. One without a size is a counter. */
function pageOf({ name, attribs }: Element, source: string | undefined): string | undefined {
  if (name !== 'object' || source === undefined || !/^text\/html\b/i.test(attribs['type']?.trim() ?? ''))
    return undefined
  return isOnePixel(attribs['width']) || isOnePixel(attribs['height']) ? undefined : resolveUrl(source)?.hostname
}

const withoutQuery = (source: string): string => source.trim().replace(/[?#].*$/s, '')

/**
 * Reads the element of AMP, or of a script that loads players late, as a link to its video. One of a playlist or a
 * channel has no video, and its contents are read.
 *
 * @see https://amp.dev/documentation/components/amp-youtube
 * @see https://github.com/paulirish/lite-youtube-embed
 */
export const readPlayerElement: ElementReader = (element, context) => {
  const { name, attribs, children } = element
  const id = attribs['videoid'] ?? attribs['data-videoid'] ?? ''
  if (!/^[\w-]{1,40}$/.test(id)) return context.readChildren(element)
  const address = name.endsWith('vimeo') ? `vimeo.com/${id}` : `youtube.com/watch?v=${id}`
  const starter = children.filter(isElement).find((child) => child.name === 'a' || child.name === 'button')
  const label =
    collapse(attribs['title'] ?? attribs['playlabel'] ?? attribs['videotitle'] ?? '') ||
    collapse(starter === undefined ? '' : textOf(starter))
  linkTo(`https://${address}`, label || (address.split('/', 1)[0] ?? ''), context.view)
}

const lazySource = (attribs: Element['attribs']): string | undefined =>
  attribs['data-src'] ?? attribs['data-lazy-src'] ?? attribs['data-litespeed-src']

/** Returns the host of a frame if its URL is known as that of a player, map or document. */
function embeddedHost(source: string | undefined): string | undefined {
  const url = source === undefined ? undefined : resolveUrl(source)
  if (
    url === undefined ||
    !/\/(?:embed|player|video|iframe_api|maps|e)(?:[/.?]|$)|^\w*player\.|^[^/]*youtube[^/]*\/v\//i.test(
      `${url.hostname}${url.pathname}`,
    )
  )
    return undefined
  return url.hostname.replace(/^www\./, '')
}

function linkTo(source: string | undefined, label: string, view: ReadingContext['view']): void {
  const url = source === undefined ? undefined : resolveUrl(source.startsWith('//') ? `https:${source}` : source)
  if (url === undefined || !isWebUrl(url)) return
  view.endLine()
  const mark = view.openMark('link', { href: url.href })
  view.text(collapse(label))
  view.closeMark(mark)
  view.endLine()
}
