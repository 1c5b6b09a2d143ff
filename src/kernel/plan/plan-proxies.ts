import { parseProxy, type Proxy } from '../../base/network/proxy.js'
import type { ProxiesByKind, ProxySettings } from '../../base/network/proxy-routes.js'
import type { ProxiesConfig, ProxyLists } from '../options/fields/proxies.js'

/** Plans the proxies of an engine. A plain list of a country is for both kinds. */
export function planProxies(config: ProxiesConfig = {}): ProxySettings {
  const { byCountry = {}, skipTlsVerification = false, ...lists } = config
  return {
    ...planLists(lists),
    byCountry: Object.fromEntries(
      Object.entries(byCountry).map(([country, listed]) => [country.toUpperCase(), planLists(listed)]),
    ),
    skipTlsVerification,
  }
}

function planLists(lists: readonly string[] | ProxyLists): ProxiesByKind {
  const { basic = [], enhanced = [] } = isList(lists) ? { basic: lists, enhanced: lists } : lists
  return { basic: basic.flatMap(parse), enhanced: enhanced.flatMap(parse) }
}

const isList = (lists: readonly string[] | ProxyLists): lists is readonly string[] => Array.isArray(lists)

const parse = (url: string): Proxy[] => [parseProxy(url) ?? []].flat()
