/** `raw`: the content is not markup, or not part of the page's text. */
type ElementKind = 'raw' | 'media' | 'container'

const kinds = new Map<string, ElementKind>([
  ...listKinds('raw', 'script style noscript template textarea title iframe xmp noembed svg math object'),
  ...listKinds('media', 'img picture video audio canvas input select button embed'),
  ...listKinds('container', 'div main section article body nav header footer aside'),
])

function listKinds(kind: ElementKind, names: string): (readonly [string, ElementKind])[] {
  return names.split(' ').map((name) => [name, kind])
}

/** Returns the kind of an element; undefined for elements within texts. Custom elements are containers. */
export const kindOf = (name: string): ElementKind | undefined =>
  kinds.get(name) ?? (name.includes('-') ? 'container' : undefined)

/** Patterns for the end tags of raw elements, of which there are a dozen. */
const endTags = new Map<string, RegExp>()

/** Returns the pattern of the end tags of a raw element, to be searched for from its `lastIndex` on. */
export function endTagOf(name: string): RegExp {
  const known = endTags.get(name)
  if (known) return known
  const pattern = new RegExp(`</${name}[\\s/>]`, 'gi')
  endTags.set(name, pattern)
  return pattern
}

/**
 * Returns the name of an element in lower case; undefined for an element that is neither of a kind nor a link. A page has
 * hundreds of these, and no string is made for them.
 *
 * @param from the offset of the name, which is not empty
 * @param to the offset after it
 */
export function readCountedName(html: string, from: number, to: number): string | undefined {
  for (let at = from; at < to; at += 1) {
    if (html.charCodeAt(at) === DASH) return html.slice(from, to).toLowerCase()
  }
  const alike = countedNames.get(keyOf(to - from, html.charCodeAt(from)))
  if (alike === undefined) return undefined
  for (const name of alike) if (isNameAt(html, from, name)) return name
  return undefined
}

/** The bit that a letter of ASCII has in lower case. With it, no other character gives the code of such a letter. */
const LOWER_CASE = 32

/** The names of elements of a kind and of links, by length and first letter. */
const countedNames = groupNames(['a', ...kinds.keys()])

function groupNames(names: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const groups = new Map<number, string[]>()
  for (const name of names) {
    const key = keyOf(name.length, name.charCodeAt(0))
    groups.set(key, [...(groups.get(key) ?? []), name])
  }
  return groups
}

function keyOf(length: number, first: number): number {
  return length * 256 + (first | LOWER_CASE)
}

function isNameAt(html: string, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at += 1) {
    if ((html.charCodeAt(from + at) | LOWER_CASE) !== name.charCodeAt(at)) return false
  }
  return true
}
const DASH = 45
