import type { EgressOptions } from './egress.js'
import { createProxyDial } from './proxy-dial.js'
import { ProxyList } from './proxy-list.js'
import type { Proxy } from './proxy.js'
import type { ProxyKind, ProxyRoutes } from './proxy-route.js'

/** Proxies by kind. */
export type ProxiesByKind = Readonly<Record<ProxyKind, readonly Proxy[]>>

/** The proxies of an engine. */
export interface ProxySettings extends ProxiesByKind {
  /** Proxies by country: ISO 3166-1 alpha-2 in upper case. */
  readonly byCountry: Readonly<Record<string, ProxiesByKind>>
  /** Accepts any certificate of an https proxy. */
  readonly skipTlsVerification: boolean
}

interface ProxyRoutesOptions extends EgressOptions {
  readonly proxies: ProxySettings
  readonly now: () => number
}

/** Creates the routes of an engine. Proxies of the requested country take precedence. */
export function createProxyRoutes({ proxies, now, ...egress }: ProxyRoutesOptions): ProxyRoutes {
  const makeLists = ({ basic, enhanced }: ProxiesByKind): Record<ProxyKind, ProxyList | undefined> => ({
    basic: basic.length > 0 ? new ProxyList(basic, now) : undefined,
    enhanced: enhanced.length > 0 ? new ProxyList(enhanced, now) : undefined,
  })
  const anywhere = makeLists(proxies)
  const countries = new Map(Object.entries(proxies.byCountry).map(([country, some]) => [country, makeLists(some)]))
  const dialOptions = { ...egress, skipTlsVerification: proxies.skipTlsVerification }
  const listOf = (kind: ProxyKind, country = ''): ProxyList | undefined =>
    countries.get(country)?.[kind] ?? anywhere[kind]

  return {
    has: (kind, country) => listOf(kind, country) !== undefined,
    coversCountry: (country) => (countries.size === 0 ? undefined : countries.has(country)),
    find({ kind, country, ...question }) {
      const taken = listOf(kind, country)?.select(question)
      if (!taken) return undefined
      const { proxy, report } = taken
      const dial = createProxyDial(proxy, { ...dialOptions, onStall: () => report('failed') })
      return { ...taken, proxy: proxy.name, dial }
    },
  }
}
