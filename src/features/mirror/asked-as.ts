import { createHash } from 'node:crypto'
import { VERSION } from '../../base/runtime/version.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'

/** Part of a mirror in the plan of a crawl. */
export interface MirrorSlice {
  readonly name: string
  /** Hash of what decides how pages are made, given what the site answers. */
  readonly asked: string
}

/** Hashes the options by which pages are made, and the version that makes them: with others, the same page has another text. */
export const hashAsked = ({ digest, enrich, features }: ScrapePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, digest, enrich, features ?? null]))
    .digest('hex')
    .slice(0, 32)
