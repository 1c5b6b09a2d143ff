/** What a page asks of those who index it. */
export interface RobotsFacts {
  /** Not to be shown to others: `noindex`, or `none`. */
  readonly noindex?: true
  /** Its links are not to be followed: `nofollow`, or `none`. */
  readonly nofollow?: true
}

/**
 * What a page asks by `<meta name="robots">` and by its `X-Robots-Tag` header. What is said to another crawler by name
 * does not count.
 *
 * @param agent the product token of this crawler
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
export function readRobotsFacts(
  meta: string | string[] | undefined,
  header: string | undefined,
  agent: string,
): RobotsFacts {
  const rules = new Set([...[meta ?? []].flat().flatMap(splitRules), ...readHeader(header, agent)])
  return {
    ...(rules.has('noindex') || rules.has('none') ? { noindex: true } : {}),
    ...(rules.has('nofollow') || rules.has('none') ? { nofollow: true } : {}),
  }
}

const splitRules = (text: string): string[] => text.toLowerCase().split(/[\s,]+/)

/** In a header, `name: rule` is for the crawler of that name, up to the next name. */
function readHeader(header: string | undefined, agent: string): string[] {
  const rules: string[] = []
  let isForUs = true
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? []
    // `unavailable_after: date` and `max-snippet: 20` are rules with a value.
    const isName = name !== undefined && !/^(unavailable_after|max-)/.test(name)
    if (isName) isForUs = name === agent.toLowerCase()
    if (isForUs) rules.push(...splitRules(isName ? (rest ?? '') : part))
  }
  return rules
}
