import { findPiece } from './linear-search.js'

/**
 * Normalises the paths of rules and of URLs, so that they can be compared byte by byte.
 *
 * RFC 9309 section 2.2.2 requires percent-encoding of bytes outside of US-ASCII and of reserved ones, and decoding of all
 * others. Encoding both sides and decoding both sides are equivalent, and most rules are written unencoded, so reserved
 * bytes are decoded here: a rule keeps the length that its author gave it, which decides between rules. Not decoded are the
 * delimiters of a URL (`/` of the path, and `?`, `&`, `=`, `+`) and the characters with a meaning in rules (`*`, `$`).
 */

const decodable = /^[A-Za-z0-9\-._~:@!(),;]$/
const plain = /^[A-Za-z0-9\-._~:@!(),;/?&=+]*$/
const unusual = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:@!(),;/&=+]/g

/** Normalises the path of a rule; `octets` has one character per byte of the file. */
export function normalizePattern(octets: string): string {
  const normal = normalize(octets, (octet, isLast) => octet === '*' || (octet === '$' && isLast))
  // `**` means `*`, and each `*` costs a pass of the matcher.
  return normal.replace(/\*{2,}/g, '*')
}

/** Tests whether a normalised pattern matches one of the targets of a URL, in time linear in the lengths of both. */
export function matchesPattern(pattern: string, targets: readonly string[]): boolean {
  const isAnchored = pattern.endsWith('$')
  const [prefix = '', ...pieces] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  const ending = isAnchored ? pieces.pop() : undefined
  return targets.some((target) => {
    if (!target.startsWith(prefix)) return false
    let at = prefix.length
    for (const piece of pieces) {
      const found = findPiece(target, piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    if (!isAnchored) return true
    return ending === undefined ? at === target.length : target.length - ending.length >= at && target.endsWith(ending)
  })
}

/**
 * Returns the strings that the rules are matched against for a URL: path and query, including an empty one
 * (`/search?`).
 *
 * The RFC treats `/` and `%2F` in a query as equal (table in section 2.2.2). A rule whose `*` stands for the `?` does
 * not show that its `%2F` is in the query, so both spellings are matched.
 */
export function listTargets({ href, pathname, search }: URL): readonly string[] {
  const end = href.indexOf('#')
  // `search` is empty for an empty query.
  const isEmptyQuery = search === '' && href.charAt((end === -1 ? href.length : end) - 1) === '?'
  const octets = pathname + (isEmptyQuery ? '?' : search)
  const target = normalize(octets, () => false)
  return /%2f/i.test(search) ? [target, normalize(octets, () => false, false)] : [target]
}

function normalize(
  octets: string,
  hasMeaning: (octet: string, isLast: boolean) => boolean,
  decodeSlashes = true,
): string {
  if (plain.test(octets)) return octets
  let inQuery = false
  return octets.replace(unusual, (found, at: number) => {
    if (found === '?') {
      inQuery = true
      return found
    }
    if (found.length === 1) return hasMeaning(found, at === octets.length - 1) ? found : encode(found)
    const octet = String.fromCharCode(Number.parseInt(found.slice(1), 16))
    const isDecoded = decodable.test(octet) || (octet === '/' && inQuery && decodeSlashes)
    return isDecoded ? octet : encode(octet)
  })
}

const encode = (octet: string): string => `%${octet.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
