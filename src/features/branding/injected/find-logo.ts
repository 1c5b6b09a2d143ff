import { builtInsOf, pageDocument } from '../../browser/injected/built-ins-of.js'
import type { BrandSample } from './branding-samples.js'
import { cleanText, toAbsoluteUrl } from './read-text.js'

const MAX_PICTURES = 500
/** Number of elements, from a picture upwards, whose classes and ids count as its names. */
const MAX_LEVELS = 4
/** Maximum length of the names of a picture. Characters. */
const MAX_WORDS = 2000
/** Maximum number of `use` elements of an SVG to resolve. */
const MAX_USES = 20
const MIN_SCORE = 5

type Picture = HTMLImageElement | SVGSVGElement

/**
 * Finds the logo by scoring images and SVGs: for names such as "logo", for a link to the home page, and for a position
 * in the header. Of equal scores the first wins. @param maxDrawing maximum length of an inline SVG. Characters
 */
export function findLogo(maxDrawing: number): BrandSample['logo'] {
  let best: Picture | undefined
  let bestScore = MIN_SCORE - 1
  for (const picture of [...pageDocument.querySelectorAll<Picture>('img, svg')].slice(0, MAX_PICTURES)) {
    const score = scorePicture(picture)
    if (score <= bestScore) continue
    best = picture
    bestScore = score
  }
  if (!best) return undefined
  const link = closestLink(best)
  const src = isImage(best) ? toAbsoluteUrl(best.currentSrc || best.src) : toDataUrl(best, maxDrawing)
  if (!src) return undefined
  const alt = cleanText(
    best.getAttribute('alt') ||
      best.getAttribute('aria-label') ||
      best.querySelector('title')?.textContent ||
      link?.getAttribute('aria-label'),
  )
  const href = toAbsoluteUrl(link?.getAttribute('href'))
  return { src, href, alt: alt || undefined }
}

/** Tests for a link to the home page of the site, in any language. */
export function isHomeLink(link: HTMLAnchorElement): boolean {
  const url = new URL(link.href, pageDocument.baseURI)
  return url.origin === location.origin && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?(?:index\.\w+)?$/i.test(url.pathname)
}

const isImage = (picture: Picture): picture is HTMLImageElement => picture.localName === 'img'
const closestLink = (element: Element): HTMLAnchorElement | null =>
  builtInsOf(element).closest<HTMLAnchorElement>('a[href]')

function scorePicture(picture: Picture): number {
  if (picture.parentElement && builtInsOf(picture.parentElement).closest('svg')) return 0
  const box = picture.getBoundingClientRect()
  if (box.width < 12 || box.height < 8 || box.width > 700 || box.height > 400) return 0
  const link = closestLink(picture)
  const words = collectNames(picture)
  const isInHeader = picture.closest('header, nav') !== null
  let score = 0
  if (/\blogo|logo\b|logotype|wordmark|\bbrand/.test(words)) score += 4
  if (link && isHomeLink(link)) score += 3
  if (picture.closest('header, nav, [role=banner]')) score += 2
  if (box.top + scrollY < 200) score += 1
  if (picture.closest('main, article, footer, [role=main], [role=contentinfo]') && !isInHeader) score -= 4
  if (/sponsor|partner|client|customer|avatar|payment|icon-search|hamburger/.test(words)) score -= 4
  if (picture.closest('button')) score -= 4
  return score
}

function collectNames(picture: Picture): string {
  const attribute = (name: string): string => picture.getAttribute(name) ?? ''
  let words = `${attribute('src')} ${attribute('alt')} ${attribute('aria-label')}`
  let at: Element | null = picture
  for (let level = 0; at && at !== pageDocument.body && level < MAX_LEVELS; level++) {
    const { id, parentElement }: Element = builtInsOf(at)
    words += ` ${builtInsOf(at).getAttribute('class') ?? ''} ${id}`
    at = parentElement
  }
  return words
    .toLowerCase()
    .replace(/^data:\S*/, '')
    .slice(0, MAX_WORDS)
}

/** Converts an SVG to a `data:` URI, including the elements that it references elsewhere in the document. */
function toDataUrl(svg: SVGSVGElement, maxLength: number): string | undefined {
  const copy = svg.cloneNode(true) as SVGSVGElement
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('color', getComputedStyle(svg).color)
  for (const use of [...copy.querySelectorAll('use')].slice(0, MAX_USES)) {
    const name = use.getAttribute('href') || use.getAttribute('xlink:href') || ''
    const target = name.startsWith('#') ? pageDocument.getElementById(name.slice(1)) : null
    if (!target) return undefined
    if (!svg.contains(target)) copy.prepend(target.cloneNode(true))
  }
  const text = new XMLSerializer().serializeToString(copy)
  return text.length > maxLength ? undefined : `data:image/svg+xml,${encodeURIComponent(text)}`
}
