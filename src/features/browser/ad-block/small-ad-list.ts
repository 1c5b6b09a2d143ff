import { adHosts, adSelectors, adUrlRules } from './ad-hosts.js'
import type { AdMatcher } from './request-filter.js'
import { ownValue } from '../../../base/collections/own-value.js'

/** Returns the built-in list, in the syntax of EasyList. */
export const smallAdList = (): string =>
  [
    ...adHosts.map((place) => `||${place}${place.includes('/') ? '' : '^'}$third-party`),
    ...adUrlRules.map(({ rule }) => rule),
    ...adSelectors.map((selector) => `##${selector}`),
  ].join('\n')

/** URLs that rules of the built-in list may match, except rules that match whole hosts. `*` stands for any text. */
export const smallAdPatterns: readonly string[] = [
  ...adHosts.filter((place) => place.includes('/')).map((place) => `*${place}*`),
  ...adUrlRules.flatMap(({ urls = [] }) => urls),
]

/** Matches the built-in list without the library for filter lists. For third-party requests only. */
export function matchSmallAdList(): AdMatcher {
  const hosts = new Set(adHosts.filter((place) => !place.includes('/')))
  const paths = adHosts.filter((place) => place.includes('/')).map(toUrlPattern)
  const urlRules = adUrlRules.map(({ rule }) => parseUrlRule(rule))
  return {
    matches(url, _pageUrl, type) {
      const { hostname } = new URL(url)
      for (let at = 0; at >= 0; at = hostname.indexOf('.', at) + 1 || -1) if (hosts.has(hostname.slice(at))) return true
      if (paths.some((path) => path.test(url))) return true
      return urlRules.some(({ pattern, types }) => (types.length === 0 || types.includes(type)) && pattern.test(url))
    },
    styleFor: () => `${adSelectors.join(',')}{display:none!important}`,
  }
}

/** Converts `||host/path*` of a filter list to a pattern: the host or a subdomain, then the path. */
function toUrlPattern(place: string): RegExp {
  const text = place.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll('*', '.*')
  return new RegExp(String.raw`^\w+:\/\/(?:[^/?#]+\.)?${text}`, 'i')
}

/** Parses a rule that is a regular expression with request types: `/…/$third-party,image`. */
function parseUrlRule(rule: string): { readonly pattern: RegExp; readonly types: readonly string[] } {
  const end = rule.lastIndexOf('/$')
  const options = rule.slice(end + 2).split(',')
  return {
    pattern: new RegExp(rule.slice(1, end), 'i'),
    types: options.filter((option) => option !== 'third-party').flatMap((option) => ownValue(TYPES, option) ?? option),
  }
}

/** Types of requests for {@link AdMatcher}, by their names in filter lists, where the two differ. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  subdocument: ['sub_frame'],
  xmlhttprequest: ['xhr', 'fetch'],
}
