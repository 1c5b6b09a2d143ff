/** Directives of a page for crawlers. */
export interface RobotsFacts {
  /** Set for `noindex` or `none`: the page must not be shown in search results. */
  readonly noindex?: true
  /** Set for `nofollow` or `none`: its links must not be followed. */
  readonly nofollow?: true
}

/**
 * Reads the directives of a page's `<meta name="robots">` and `X-Robots-Tag` header. Directives for other crawlers by
 * name are ignored.
 *
 * @param agent the product token of this crawler
 *
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

/** In the header, `name: rule` addresses the crawler of that name, up to the next name. */
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
