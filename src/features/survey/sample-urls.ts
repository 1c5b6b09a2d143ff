import { deriveTemplate } from '../../base/url-template.js'
import type { SkipReason } from '../../kernel/ledger/ledger.js'
import type { SurveyedUrl } from './survey.js'

/** Reasons of refusals that say nothing about the site itself. */
const UNINFORMATIVE_REASONS: ReadonlySet<SkipReason> = new Set([
  'NON_WEB_PROTOCOL',
  'EXTERNAL_LINK',
  'FILE_TYPE',
  'ROBOTS_TXT',
  'NOFOLLOW',
] as const)

/**
 * Samples URLs so that every template of a site is represented: one of each template in turn. URLs that the crawl would refuse are
 * included.
 *
 * @param max URLs returned
 */
export function sampleUrls(urls: readonly SurveyedUrl[], max: number): string[] {
  const groups = new Map<string, string[]>()
  for (const { url, refused } of urls) {
    if (refused && UNINFORMATIVE_REASONS.has(refused.reason)) continue
    const template = deriveTemplate(new URL(url)).names[0] ?? ''
    groups.set(template, [...(groups.get(template) ?? []), url].slice(0, max))
  }
  const longest = Math.max(0, ...[...groups.values()].map(({ length }) => length))
  const sample: string[] = []
  for (let turn = 0; turn < longest && sample.length < max; turn++) {
    for (const group of groups.values()) sample.push(...group.slice(turn, turn + 1))
  }
  return sample.slice(0, max).toSorted()
}
