import { RecentMap } from '../../base/collections/recent-map.js'
import type { EngineInternals, FeatureSteps } from '../../kernel/engine/feature.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { findUnsafeLinks } from './find-unsafe-links.js'
import { judgeAddress, type UnsafeVerdict } from './judge-link.js'

/** Links that pages call unsafe which are remembered: a sitemap, or an earlier page, may name them without a text. */
const MAX_KNOWN = 10_000

/** Opens the steps of an engine. */
export function openUnsafeLinks({ pageTask }: EngineInternals): FeatureSteps<true, never, never> {
  /** Links that the pages of each crawl have, by the part of its plan that they share: gone with it. */
  const knownOf = new WeakMap<object, RecentMap<string, UnsafeVerdict>>()
  return {
    async refuse({ url }, { plan }) {
      if (isNamed(url, plan)) return undefined
      const verdict = judgeAddress(url) ?? knownOf.get(plan.features ?? plan)?.get(url)
      return verdict && describe(verdict, plan)
    },
    async afterDigest({ isGiven, signal }, { fetched, plan }) {
      if (isGiven || !isOfCrawl(plan)) return undefined
      const links = (await pageTask('unsafe-links/find', fetched, findUnsafeLinks, signal)) ?? []
      const crawl = plan.features ?? plan
      const known = knownOf.get(crawl) ?? new RecentMap<string, UnsafeVerdict>(MAX_KNOWN)
      knownOf.set(crawl, known)
      for (const { url, kind, evidence } of links) known.set(url, { kind, evidence })
      return { refusedLinks: new Map(links.map((link) => [link.url, describe(link, plan)])) }
    },
  }
}

/** Tests for a page of a crawl: others are named by the caller. */
const isOfCrawl = ({ starts }: ScrapePlan): boolean => starts !== undefined

/** Tests for a URL that the caller has named, which is no link. */
const isNamed = (url: string, { starts }: ScrapePlan): boolean => starts === undefined || starts.includes(url)

const describe = ({ kind, evidence }: UnsafeVerdict, { zeroDataRetention }: ScrapePlan): string =>
  `the link ${kind}${zeroDataRetention ? '' : ` (${evidence})`}, and the requests carry credentials; \`followUnsafeLinks\` follows it`
