/**
 * Splits directives for crawlers: those of a meta tag, and one part of the `X-Robots-Tag` header. They are in lower case.
 * Commas part them; many sites write semicolons.
 *
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
const splitDirectives = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((directive) => directive !== '')

/**
 * Reads the directives of an `X-Robots-Tag` header that are for all crawlers, or for this one. In the header, `name: rule`
 * addresses the crawler of that name, up to the next name.
 *
 * @param agent product token of this crawler
 */
export function readRobotsHeader(header: string | undefined, agent: string): string[] {
  const rules: string[] = []
  let isForUs = true
  for (const part of (header ?? '').toLowerCase().split(/[,;]/)) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
    // `unavailable_after: date` and `max-snippet: 20` are rules with a value.
    const isName = name !== undefined && !/^(unavailable_after|max-)/.test(name)
    if (isName) isForUs = name === agent.toLowerCase()
    if (isForUs) rules.push(...splitDirectives(isName ? (rest ?? '') : part))
  }
  return rules
}

/** A meta tag with directives for this crawler. */
interface RobotsMeta {
  /** `robots`, or the product token of this crawler, in lower case. */
  readonly name: string
  readonly text: string
  readonly directives: readonly string[]
}

/** Maximum meta tags of one name that are read. */
const MAX_PER_NAME = 20

/**
 * Reads the directives of meta tags that are for all crawlers, or for this one: `<meta name="robots">`, `<meta name="trawl">`.
 *
 * @param metadata the meta tags of a page by name, in any case
 * @param agent product token of this crawler
 */
export function readRobotsMeta(metadata: Readonly<Record<string, unknown>>, agent: string): RobotsMeta[] {
  const names = new Set(['robots', agent.toLowerCase()])
  return Object.entries(metadata).flatMap(([written, value]) => {
    const name = written.toLowerCase()
    if (!names.has(name)) return []
    const texts = [value].flat().filter((text): text is string => typeof text === 'string' && text !== '')
    return texts.slice(0, MAX_PER_NAME).map((text) => ({ name, text, directives: splitDirectives(text) }))
  })
}
