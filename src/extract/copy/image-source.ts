import { readSrcset } from '../../html/srcset.js'
import { type Element, isElement } from '../../html/tree.js'

// Where lazy-loading scripts keep the address until the image comes into view.
const LAZY = [
  'data-src',
  'data-original',
  'data-lazy-src',
  'data-lazy',
  'data-actualsrc',
  'data-cfsrc',
  'data-hi-res-src',
  'data-full-src',
  'data-image-src',
  'data-url',
]
const LAZY_SETS = ['data-srcset', 'data-lazy-srcset', 'data-original-set']

// Bounded: each of many words in one long address would look for its end anew.
const PLACEHOLDER =
  /^data:|(?:^|[/_.-])(?:placeholder|spacer|blank|transparent|loading|lazy|1x1|pixel)(?:[_.-][^/]{0,100})?\.(?:gif|png|svg|jpe?g|webp)/i

/**
 * The address of the image that a reader would see: the largest of `srcset`, the one that a lazy-loading script would put in,
 * else `src`, else the largest of the `picture` around it. As it is written; undefined when there is none.
 *
 * @see docs/compatibility.md#content
 */
export function imageSource(image: Element): string | undefined {
  const { attribs } = image
  const src = nonEmpty(attribs['src'])
  const set = largest(attribs['srcset'], src) ?? LAZY_SETS.map((name) => largest(attribs[name])).find(Boolean)
  if (set !== undefined) return set
  const lazy = LAZY.map((name) => nonEmpty(attribs[name])).find((value) => value !== undefined && isAddress(value))
  if (src === undefined || PLACEHOLDER.test(src)) return lazy ?? fromPicture(image) ?? src
  return attribs['data-src'] !== undefined && lazy !== undefined ? lazy : src
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

/** The largest candidate. Where all are given by density, `plain` is the one for 1x. @see WHATWG HTML 4.8.4.3.8 */
function largest(srcset: string | undefined, plain?: string): string | undefined {
  const candidates = readSrcset(srcset ?? '').filter(({ url }) => !url.startsWith('data:'))
  let best = candidates[0]
  for (const candidate of candidates) if (best !== undefined && candidate.size > best.size) best = candidate
  const byDensity = candidates.every(({ unit }) => unit === 'x')
  return best !== undefined && byDensity && plain !== undefined && !PLACEHOLDER.test(plain) && best.size <= 1
    ? plain
    : best?.url
}
