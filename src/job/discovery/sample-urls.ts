import { deriveTemplate } from '../../frontier/duplicates/url-template.js'
import type { SkipReason } from '../../ledger/ledger.js'
import type { SurveyedUrl } from './survey.js'

/** What says nothing about the site itself. */
const ELSEWHERE: ReadonlySet<SkipReason> = new Set([
  'NON_WEB_PROTOCOL',
  'EXTERNAL_LINK',
  'FILE_TYPE',
  'ROBOTS_TXT',
  'NOFOLLOW',
] as const)

/** URLs that show what there is on a site: in turn one of each template, whether a crawl would take them or not. */
export function sampleUrls(urls: readonly SurveyedUrl[], most: number): string[] {
  const groups = new Map<string, string[]>()
  for (const { url, refused } of urls) {
    if (refused && ELSEWHERE.has(refused.reason)) continue
    const template = deriveTemplate(new URL(url)).names[0] ?? ''
    groups.set(template, [...(groups.get(template) ?? []), url].slice(0, most))
  }
  const longest = Math.max(0, ...[...groups.values()].map(({ length }) => length))
  const sample: string[] = []
  for (let turn = 0; turn < longest && sample.length < most; turn++) {
    for (const group of groups.values()) sample.push(...group.slice(turn, turn + 1))
  }
  return sample.slice(0, most).toSorted()
}
