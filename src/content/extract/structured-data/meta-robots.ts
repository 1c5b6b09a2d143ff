import { compact } from '../../../base/collections/compact.js'
import { readRobotsHeader, readRobotsMeta } from '../../../base/http/robots-directives.js'

/** Directives of a page for crawlers. */
export interface RobotsFacts {
  /** Set for `noindex` or `none`: the page must not be shown in search results. */
  readonly noindex?: true
  /** Set for `nofollow` or `none`: its links must not be followed. */
  readonly nofollow?: true
}

/**
 * Reads the directives of a page's meta tags and its `X-Robots-Tag` header. Directives for other crawlers by name are ignored.
 *
 * @param metadata the meta tags of the page by name
 * @param agent the product token of this crawler
 *
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
export function readRobotsFacts(
  metadata: Readonly<Record<string, unknown>>,
  header: string | undefined,
  agent: string,
): RobotsFacts {
  const inPage = readRobotsMeta(metadata, agent).flatMap(({ directives }) => directives)
  const rules = new Set([...inPage, ...(header === undefined ? [] : readRobotsHeader(header, agent))])
  return compact({
    noindex: rules.has('noindex') || rules.has('none') || undefined,
    nofollow: rules.has('nofollow') || rules.has('none') || undefined,
  })
}
