/** One image of a `srcset`. */
interface ImageCandidate {
  /** The URL as written. */
  readonly url: string
  /** Size from the descriptor; 1 without one. */
  readonly size: number
  /** Unit of the size: `x` for density, `w` for width, `h` for height. */
  readonly unit: string
}

/**
 * Parses the images of a `srcset` attribute, in order.
 *
 * @see https://html.spec.whatwg.org/multipage/images.html#parsing-a-srcset-attribute
 */
export function readSrcset(srcset: string): ImageCandidate[] {
  const candidates: ImageCandidate[] = []
  let url = ''
  const add = (descriptor: string): void => {
    const match = /^([\d.]+)([wxh])$/.exec(descriptor)
    if (url !== '') candidates.push({ url, size: Number(match?.[1] ?? 1), unit: match?.[2] ?? 'x' })
    url = ''
  }
  // A URL may contain commas. Only a comma at its end, or after its descriptor, ends a candidate.
  for (const part of srcset.trim().split(/\s+/)) {
    if (url === '') {
      url = withoutCommas(part)
      if (url !== part) add('')
      continue
    }
    const comma = part.indexOf(',')
    add(comma === -1 ? part : part.slice(0, comma))
    if (comma !== -1) url = part.slice(comma + 1)
  }
  add('')
  return candidates
}

/** Writes the images of a `srcset` attribute. */
export const writeSrcset = (candidates: readonly ImageCandidate[]): string =>
  candidates
    .map(({ url, size, unit }) => ((size === 1 && unit === 'x') || Number.isNaN(size) ? url : `${url} ${size}${unit}`))
    .join(', ')

// Removes commas at the end. A regular expression for it would take quadratic time on a text of commas.
function withoutCommas(text: string): string {
  let end = text.length
  while (text.charAt(end - 1) === ',') end -= 1
  return text.slice(0, end)
}
