import { readSrcset } from './srcset.js'
import { type Element, isElement, isImage } from './tree.js'

/** Attributes that only lazy-loading scripts use: the URL of the image until it scrolls into view. */
const LAZY_SRC = ['data-src', 'data-original', 'data-lazy-src', 'data-lazy', 'data-actualsrc', 'data-cfsrc']
/** Attributes in which such scripts keep the URL as well, and others something else. */
const MAYBE_LAZY_SRC = ['data-hi-res-src', 'data-full-src', 'data-image-src', 'data-url']
const LAZY_SRCSET = ['data-srcset', 'data-lazy-srcset', 'data-original-set']
/** Further attributes of such scripts, which name them as they like: `nitro-lazy-src`, `data-orig-file`, `data-flickity-lazyload`. */
const ANY_SRC = /[a-z_-]src$|^(?:data|lazy|v)-/i
const ANY_SRCSET = /[a-z_-]srcset$/i
const IMAGE_FILE = /\.(?:jpe?g|png|webp|gif|avif|svg)(?:[?#&]|$)/i

// Bounded, because without a limit each of many words in one long URL would search to its end.
const PLACEHOLDER =
  /^data:|(?:^|[/_.-])(?:placeholder|spacer|blank|transparent|loading|lazy|1x1|pixel)(?:[_.-][^/]{0,100})?\.(?:gif|png|svg|jpe?g|webp)/i

/**
 * Returns the URL of the image that a reader would see: the largest of `srcset`, or else `src`. Where `src` is missing
 * or a placeholder, it is the largest of the `picture` around the image, or the one that a lazy-loading script would
 * insert. An attribute that only such scripts use shows that `src` is a placeholder. It is returned as written; undefined if there is none.
 *
 * @see docs/compatibility/documents.md#content
 */
export function imageSource(image: Element): string | undefined {
  const { attribs } = image
  const src = nonEmpty(attribs['src'])
  const set = largest(attribs['srcset'], src) ?? LAZY_SRCSET.map((name) => largest(attribs[name])).find(Boolean)
  if (set !== undefined) return set
  const lazy = firstAddress(image, LAZY_SRC)
  if (lazy !== undefined) return lazy
  if (src !== undefined && !PLACEHOLDER.test(src)) return src
  return firstAddress(image, MAYBE_LAZY_SRC) ?? fromPicture(image) ?? anyLazySource(image) ?? src
}

/** True for an image of which more than a placeholder is known. */
export function hasSource(image: Element): boolean {
  const source = imageSource(image)
  return source !== undefined && !PLACEHOLDER.test(source)
}

/** Returns the URL of any other attribute that a script may read: beside a placeholder, that is the image. */
function anyLazySource({ attribs }: Element): string | undefined {
  for (const name in attribs) {
    const found = ANY_SRCSET.test(name) ? largest(attribs[name]) : undefined
    if (found !== undefined) return found
  }
  for (const name in attribs) {
    const value = nonEmpty(attribs[name])
    if (value === undefined || PLACEHOLDER.test(value) || !isAddress(value) || !ANY_SRC.test(name)) continue
    if (/src$/i.test(name) || IMAGE_FILE.test(value)) return value
  }
  return undefined
}

/** True for an image, or a `picture` around one, that a script of the page shows once it is near. */
export const isLazyImage = (image: Element): boolean =>
  image.name === 'picture'
    ? image.children.some((child) => isElement(child) && isLazyImage(child))
    : isImage(image) &&
      (firstAddress(image, LAZY_SRC) !== undefined ||
        LAZY_SRCSET.some((name) => image.attribs[name]) ||
        (PLACEHOLDER.test(image.attribs['src'] ?? 'data:') && anyLazySource(image) !== undefined))

function firstAddress({ attribs }: Element, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = nonEmpty(attribs[name])
    if (value !== undefined && isAddress(value)) return value
  }
  return undefined
}

const nonEmpty = (value: string | undefined): string | undefined => (value?.trim() ? value.trim() : undefined)

const isAddress = (value: string): boolean => /[/.]/.test(value) && !/[\s{}]/.test(value)

function fromPicture({ parent }: Element): string | undefined {
  if (parent === null || !isElement(parent) || parent.name !== 'picture') return undefined
  for (const source of parent.children) {
    if (!isElement(source) || source.name !== 'source') continue
    const found = largest(source.attribs['srcset']) ?? largest(source.attribs['data-srcset'])
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Returns the largest candidate. If all candidates have densities, `plain` is the one for 1x.
 *
 * @see https://html.spec.whatwg.org/multipage/images.html#parse-a-srcset-attribute
 */
function largest(srcset: string | undefined, plain?: string): string | undefined {
  const candidates = readSrcset(srcset ?? '').filter(({ url }) => !url.startsWith('data:'))
  let best = candidates[0]
  for (const candidate of candidates) if (best !== undefined && candidate.size > best.size) best = candidate
  const byDensity = candidates.every(({ unit }) => unit === 'x')
  return best !== undefined && byDensity && plain !== undefined && !PLACEHOLDER.test(plain) && best.size <= 1
    ? plain
    : best?.url
}
