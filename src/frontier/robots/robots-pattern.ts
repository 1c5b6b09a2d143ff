/**
 * One spelling for the paths of rules and of URLs, so that they can be compared octet by octet.
 *
 * RFC 9309 section 2.2.2 has octets outside US-ASCII and reserved ones percent-encoded before they are compared, and
 * encoded octets that need no encoding decoded. Encoding and decoding come to the same, and most rules are written
 * unencoded, so reserved octets are decoded here: a rule stays as long as its author wrote it, which decides between rules.
 * Kept as they are: what divides a URL into parts (`/` of the path, and `?`, `&`, `=`, `+`) and what a rule gives a
 * meaning of its own (`*`, `$`).
 */

const decodable = /^[A-Za-z0-9\-._~:@!(),;]$/
const plain = /^[A-Za-z0-9\-._~:@!(),;/?&=+]*$/
const unusual = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~:@!(),;/&=+]/g

/** The path of a rule; `octets` is a string with one character for each octet of the file. */
export function normalizePattern(octets: string): string {
  const normal = normalize(octets, (octet, isLast) => octet === '*' || (octet === '$' && isLast))
  // `**` means `*`, and a run of them costs as many turns of the matcher.
  return normal.replace(/\*{2,}/g, '*')
}

/**
 * What the rules are compared with for a URL: its path and query, an empty one (`/search?`) included.
 *
 * In the query `/` and `%2F` are the same to the RFC (the table of section 2.2.2), but a rule that has its `*` stand
 * for the `?` does not say that its `%2F` means the query: then both spellings are tried.
 */
export function listTargets({ href, pathname, search }: URL): readonly string[] {
  const end = href.indexOf('#')
  // `search` of a URL whose query is empty has no `?`.
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
