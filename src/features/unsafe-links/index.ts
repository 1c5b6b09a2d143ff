import { sayWhoAsks } from '../../base/http/header-values.js'
import { defineFeature, type EngineInternals, type FeatureSteps } from '../../kernel/engine/feature.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import { RecentMap } from '../../base/collections/recent-map.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { findUnsafeLinks } from './find-unsafe-links.js'
import { judgeAddress, type UnsafeVerdict } from './judge-link.js'

/** Links that pages call unsafe which are remembered: a sitemap, or an earlier page, may name them without a text. */
const MAX_KNOWN = 10_000

/** Opens the steps of an engine. */
function openUnsafeLinks({ pageTask }: EngineInternals): FeatureSteps<true, never, never> {
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

/** Option of crawls that carry credentials. */
export interface UnsafeLinkOptions {
  /**
   * Follow links that sign out, delete, buy or unsubscribe, although the requests carry credentials: `headers` such as `Cookie` and
   * `Authorization`, a `profile`, a login, or cookies that are kept. Without it they are skipped as `UNSAFE_LINK`. They are known by their texts in many
   * languages, their labels, icons and paths, and by what scripts are told of them, such as `data-method`. Without credentials every link
   * is followed. Not in the interface. @default false
   */
  followUnsafeLinks?: boolean
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureCrawlOptions extends UnsafeLinkOptions {}
}

declare module '../../base/errors.js' {
  interface FeatureErrors {
    SCRAPE_UNSAFE_LINK: true
  }
}

declare module '../../kernel/ledger/skip-reason.js' {
  interface FeatureSkipReasons {
    UNSAFE_LINK: true
  }
}

/** Tests whether requests say who asks. A `login` is of another feature, which may be missing. */
const carriesCredentials = ({ headers = {}, profile, ...others }: ScrapeOptions, config: object): boolean =>
  profile !== undefined ||
  sayWhoAsks(headers) ||
  [others, config].some((options) => (options as { readonly login?: unknown }).login !== undefined)

/** Tests for a job that sends the cookies of earlier pages. `cookies` is of another feature as well. */
function keepsCookies(options: object, config: object): boolean {
  const [own, general] = [options, config].map((one) => (one as { readonly cookies?: unknown }).cookies)
  return (own ?? general) === true
}

const NAME = 'unsafe-links'
const JUDGEMENT = 'refused'

/** Unsafe links: links that sign out, delete, buy or unsubscribe, which crawls with credentials do not follow. @internal */
export const unsafeLinks = defineFeature<true>({
  name: NAME,
  options: {
    crawl: {
      followUnsafeLinks: {
        schema: optionalBoolean,
        default: false,
        help: 'Follow links that sign out, delete, buy or unsubscribe, although requests carry credentials',
      },
    } satisfies OptionDefinitions<UnsafeLinkOptions>,
  },
  refusal: {
    reason: 'UNSAFE_LINK',
    means:
      'The link signs out, deletes, buys or unsubscribes, and the requests of the crawl carry credentials; the message says what shows it. See `followUnsafeLinks`.',
    code: 'SCRAPE_UNSAFE_LINK',
    error: {
      means:
        'the URL signs out, deletes, buys or unsubscribes, and requests carry credentials: see `followUnsafeLinks`',
      retry: false,
      status: 403,
    },
  },
  judgesRedirects: true,
  plan: (options, config) => carriesCredentials(options, config) || undefined,
  planJob(page, { followUnsafeLinks, ...options }, config) {
    if (followUnsafeLinks !== true) {
      if (page.judges?.[NAME] !== undefined || !keepsCookies(options, config)) return undefined
      const [features, judges] = [
        { ...page.features, [NAME]: true },
        { ...page.judges, [NAME]: JUDGEMENT },
      ]
      return { slice: true, page: { ...page, features, judges } }
    }
    const { [NAME]: _, ...features } = page.features ?? {}
    const { [NAME]: _judge, ...judges } = page.judges ?? {}
    return { slice: false, page: { ...page, features, judges: Object.keys(judges).length > 0 ? judges : undefined } }
  },
  judges: () => JUDGEMENT,
  open: openUnsafeLinks,
})
