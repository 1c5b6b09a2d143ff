import { readRobotsHeader, splitDirectives } from '../../http/robots-directives.js'

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
  const rules = new Set([...[meta ?? []].flat().flatMap(splitDirectives), ...readRobotsHeader(header, agent)])
  return {
    ...(rules.has('noindex') || rules.has('none') ? { noindex: true } : {}),
    ...(rules.has('nofollow') || rules.has('none') ? { nofollow: true } : {}),
  }
}
