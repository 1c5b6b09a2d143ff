import { createHash } from 'node:crypto'
import type { PlannedJob } from '../../kernel/engine/feature.js'
import type { FeatureConfig } from '../../kernel/options/feature-options.js'
import { agentOf } from '../../kernel/plan/crawl/plan-crawl.js'
import type { AskedJob } from '../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'

/** Use of the records of earlier crawls, and the record that this crawl leaves. */
export interface MemoryPlan {
  /** Name of the series of records; null for the unnamed series. */
  readonly tag: string | null
  /** Job id of the crawl whose unchanged pages are not parsed again, or `last`. */
  readonly since?: string
  /** True where pages of the previous crawl are looked up, to find removed ones. */
  readonly findsRemoved: boolean
  /** Hash of the options that change the pages of a site: headers, location, device, profile and the like. */
  readonly askedAs: string
}

/** Plans the record of a crawl: it leaves one if it is compared with others, or if the engine has `snapshots`. */
export function planMemory(
  page: ScrapePlan,
  { url, since }: AskedJob,
  { keepsSnapshots }: FeatureConfig & { readonly keepsSnapshots?: boolean },
): PlannedJob | undefined {
  const { snapshot, cache, zeroDataRetention } = page
  const findsRemoved = snapshot?.compares === true
  const leavesRecord = url !== undefined && (findsRemoved || since !== undefined || keepsSnapshots === true)
  if (!leavesRecord || cache.lockdown === true || zeroDataRetention) return undefined
  const slice: MemoryPlan = {
    tag: snapshot?.tag ?? null,
    findsRemoved,
    askedAs: hashQuestion(page),
    since,
  }
  // The site says which pages have changed.
  return since === undefined ? { slice } : { slice, page: { ...page, cache: { ...cache, read: false } } }
}

function hashQuestion({ cache, fetch, judges, changesRequests, agent }: ScrapePlan): string {
  const { actions = [], profile, scripts } = fetch.browser ?? {}
  const { hosts = [] } = fetch.headerScope ?? {}
  // A page that features have judged, asked for or changed otherwise is read again: it may be refused now, or be another one.
  const judged = judges && { judges, agent: agentOf({ agent }) }
  const options = [cache.variant, fetch.skipTlsVerification, fetch.headers, actions, profile?.name ?? null, ...hosts]
  const more = [judged, changesRequests, scripts].filter((one) => one !== undefined)
  return createHash('sha256')
    .update(JSON.stringify([...options, ...more]))
    .digest('hex')
}
