import { createHash } from 'node:crypto'
import { TrawlError } from '../../base/errors.js'
import { parseUrl } from '../../base/url.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import { domainList, hostList } from './host-pattern.js'
import { type HostLists, HostRules } from './host-rules.js'

/** Lists of hosts that decide where pages may come from. An engine has them, and a request may add to them. */
export interface HostListOptions {
  /**
   * Hosts that are never denied, whatever the other lists of the same request or engine say. `*` stands for any part, as in
   * `*.example.com`, which has the subdomains alone. To deny all others: `denyHosts: ['*']`. At most 100000. @default none
   */
  allowHosts?: readonly string[]
  /**
   * Hosts whose pages are not requested: a page, a link, the target of a redirect. Written as those of `allowHosts`. A page is skipped as
   * `HOST_DENIED`. A request cannot allow what its engine denies. Not in the interface. @default none
   */
  denyHosts?: readonly string[]
  /** Ends of hosts whose pages are not requested, such as `zip` or `co.uk`. At most 10000. Not in the interface. @default none */
  blockedTlds?: readonly string[]
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends HostListOptions {}
  interface FeatureConfig extends HostListOptions {}
}

declare module '../../base/errors.js' {
  interface FeatureErrors {
    SCRAPE_HOST_DENIED: true
  }
}

declare module '../../kernel/ledger/skip-reason.js' {
  interface FeatureSkipReasons {
    HOST_DENIED: true
  }
}

/** Its part of the plan of a page: the lists of the request. Those of the engine stay there. */
type HostSlice = Partial<HostLists>

const definitions = {
  allowHosts: {
    schema: (z: SchemaBuilder) => hostList(z).optional(),
    help: 'Hosts that --deny-hosts and --blocked-tlds do not deny, such as *.example.com',
  },
  denyHosts: {
    schema: (z: SchemaBuilder) => hostList(z).optional(),
    help: 'Hosts whose pages are not requested, such as *.example.com; all but those of --allow-hosts: *',
  },
  blockedTlds: {
    schema: (z: SchemaBuilder) => domainList(z).optional(),
    help: 'Ends of hosts whose pages are not requested, such as zip',
  },
} satisfies OptionDefinitions<HostListOptions>

/** Reads the lists of a request, and those that clients of the interface send in `threatProtection`. */
function readLists({ allowHosts, denyHosts, blockedTlds, threatProtection }: ScrapeOptions): HostSlice | undefined {
  const { mode, whitelist, blacklist, blockedTlds: blocked } = threatProtection ?? {}
  const sent = mode === 'off' ? {} : { whitelist, blacklist, blocked }
  const allow = [...(allowHosts ?? []), ...(sent.whitelist ?? [])]
  const deny = [...(denyHosts ?? []), ...(sent.blacklist ?? [])]
  const domains = [...(blockedTlds ?? []), ...(sent.blocked ?? [])]
  return deny.length + domains.length > 0 ? { allow, deny, domains } : undefined
}

const toLists = ({ allow = [], deny = [], domains = [] }: HostSlice): HostLists => ({ allow, deny, domains })

const engines = new WeakMap<EnginePlan, HostRules>()

/** Returns the rules of an engine, which are made once: a list may have 100,000 hosts. */
function rulesOf(settings: EnginePlan): HostRules {
  const rules = engines.get(settings) ?? new HostRules(toLists(readLists(settings) ?? {}))
  engines.set(settings, rules)
  return rules
}

/** Host lists: pages of denied hosts are not requested. @internal */
export const hostLists = defineFeature<HostSlice>({
  name: 'host-lists',
  options: {
    page: definitions,
    engine: {
      allowHosts: { ...definitions.allowHosts, help: false },
      denyHosts: { ...definitions.denyHosts, help: false },
      blockedTlds: { ...definitions.blockedTlds, help: false },
    },
  },
  refusal: {
    reason: 'HOST_DENIED',
    means:
      'The host is denied by `denyHosts` or `blockedTlds`, or the `threatProtection` of the request; the message names the entry.',
    code: 'SCRAPE_HOST_DENIED',
    error: { means: 'the host is denied by `denyHosts` or `blockedTlds`', retry: false, status: 403 },
  },
  judgesRedirects: true,
  plan(options, { denyHosts = [], blockedTlds = [] }) {
    return readLists(options) ?? (denyHosts.length + blockedTlds.length > 0 ? {} : undefined)
  },
  judges: (slice) => createHash('sha256').update(JSON.stringify(slice)).digest('base64'),
  // Before robots.txt and sitemaps of the site are requested.
  extendEngine: ({ settings }) => ({
    findFaults(request) {
      const { url, scrapeOptions = {} } = request as { url?: unknown; scrapeOptions?: ScrapeOptions }
      if (typeof url !== 'string' || !parseUrl(url)) return []
      const own = readLists(scrapeOptions)
      const refused = rulesOf(settings).refuse(url) ?? (own && new HostRules(toLists(own)).refuse(url))
      if (refused !== undefined) throw new TrawlError('SCRAPE_HOST_DENIED', `It cannot start: ${refused}`)
      return []
    },
  }),
  open({ settings }) {
    const slices = new WeakMap<HostSlice, HostRules>()
    const refuse = (url: string, slice: HostSlice): string | undefined => {
      const own = slices.get(slice) ?? new HostRules(toLists(slice))
      slices.set(slice, own)
      return rulesOf(settings).refuse(url) ?? own.refuse(url)
    }
    return {
      refuse: ({ url, slice }) => Promise.resolve(refuse(url, slice)),
      // A browser follows redirects by itself.
      beforeDigest({ finalUrl, slice }) {
        const refused = refuse(finalUrl, slice)
        return Promise.resolve(refused === undefined ? undefined : { refused })
      },
    }
  },
})
