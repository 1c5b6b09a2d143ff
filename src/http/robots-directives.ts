/**
 * Splits directives for crawlers: those of `<meta name="robots">`, and one part of the `X-Robots-Tag` header. They are in
 * lower case.
 *
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
export const splitDirectives = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
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
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
    // `unavailable_after: date` and `max-snippet: 20` are rules with a value.
    const isName = name !== undefined && !/^(unavailable_after|max-)/.test(name)
    if (isName) isForUs = name === agent.toLowerCase()
    if (isForUs) rules.push(...splitDirectives(isName ? (rest ?? '') : part))
  }
  return rules
}
