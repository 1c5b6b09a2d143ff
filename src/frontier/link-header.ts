/** A page that a `Link` header leads to. */
export interface HeaderLink {
  /** As the header has it, relative or not. */
  readonly target: string
  /** E.g. `next`; several are separated by spaces. */
  readonly relation: string
}

/** A header is not larger than this; what is, is not read to the end. */
const MAX_HEADER_LENGTH = 65_536
/** Links that are read of one header: each is resolved against a URL that may be long. */
const MAX_LINKS = 500
const RELATIONS = new Set(['next', 'prev', 'canonical', 'alternate'])

/**
 * The pages that a `Link` header leads to: the next, the previous, the canonical one and the page in other languages.
 *
 * @see RFC 8288
 */
export function readLinkHeader(header: string | undefined): HeaderLink[] {
  const links: HeaderLink[] = []
  // `<target>; name=value; name="value"`, separated by commas, which stand inside targets and quotes as well.
  for (const [, target = '', params = ''] of (header ?? '')
    .slice(0, MAX_HEADER_LENGTH)
    .matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(params)
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/)
    const hasLanguage = /;\s*hreflang\s*=/i.test(params)
    const isPage = names.some((name) => RELATIONS.has(name) && (name !== 'alternate' || hasLanguage))
    if (isPage) links.push({ target, relation: names.join(' ') })
    if (links.length === MAX_LINKS) break
  }
  return links
}
