/** A page in a `Link` header. */
interface HeaderLink {
  /** As written in the header, relative or absolute. */
  readonly target: string
  /** Such as `next`; several are separated by spaces. */
  readonly relation: string
}

/** A link of the header, with its parameters as written. */
interface WrittenLink {
  readonly target: string
  readonly names: readonly string[]
  readonly params: string
}

/** Maximum characters of a header to read. */
const MAX_HEADER_LENGTH = 65_536
/** Maximum links of one header: each is resolved against a URL that may be long. */
const MAX_LINKS = 500
const RELATIONS = new Set(['next', 'prev', 'canonical', 'alternate'])

/**
 * Reads the pages in a `Link` header: next, previous, canonical, and other languages.
 *
 * @see RFC 8288
 */
export function readLinkHeader(header: string | undefined): HeaderLink[] {
  const links: HeaderLink[] = []
  for (const { target, names, params } of listLinks(header)) {
    const hasLanguage = /;\s*hreflang\s*=/i.test(params)
    const isPage = names.some((name) => RELATIONS.has(name) && (name !== 'alternate' || hasLanguage))
    if (isPage) links.push({ target, relation: names.join(' ') })
    if (links.length === MAX_LINKS) break
  }
  return links
}

/** Lists the links of a `Link` header. @see RFC 8288 */
export function* listLinks(header: string | undefined): Generator<WrittenLink, void, void> {
  // `<target>; name=value; name="value"`, separated by commas, which may also occur in targets and quotes.
  for (const [, target = '', params = ''] of (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params)
    yield { target, params, names: (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/) }
  }
}
