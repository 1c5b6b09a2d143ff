import type { FoundValue, TextRule, RuleText } from './found-value.js'
import type { NumberRun } from './number-run.js'

const VERSION_WORDS =
  /(?:^|[^\p{L}])(?:v|ver\.?|version|release|build|firmware|driver|update|patch|§|section|chapter|kapitel|abschnitt|rfc|clause|figure|fig\.|table|appendix|python|node|java|\.net|windows|android|ios|macos|kernel)(?!\p{L})[^\d]{0,12}$/u
const ADDRESS_WORDS =
  /(?:^|[^\p{L}])(?:ip|ipv4|host|server|client|login|ping|address|adresse|dns|gateway|from|von|remote|peer|proxy)(?!\p{L})[^\d]{0,20}$/u

/** Finds an address of IP, version 4, that is a whole run. Addresses that every network has are left. */
export function findIpv4(text: RuleText, { groups, start, end }: NumberRun): FoundValue | undefined {
  if (groups.length !== 4 || groups.some(({ separator }, at) => at > 0 && separator !== '.')) return undefined
  const parts = groups.map(({ digits }) => Number(digits))
  if (groups.some(({ digits }) => digits.length > 3 || (digits.length > 1 && digits.startsWith('0')))) return undefined
  if (parts.some((part) => part > 255) || isOfEveryNetwork(parts)) return undefined
  const { plain } = text
  if (/[\w.@+-]/.test(plain.charAt(start - 1)) || /^(?:\.\d|[\w@])/.test(plain.slice(end, end + 2))) return undefined
  // The host of a URL is a server.
  if (plain.charAt(start - 1) === '/') return undefined
  const before = text.wordsBefore(start)
  if (VERSION_WORDS.test(before)) return undefined
  const isSmall = parts.every((part) => part < 32)
  return isSmall && !ADDRESS_WORDS.test(before) ? undefined : { start, end, entity: 'LOCATION' }
}

/** This network, loopback, private networks, link-local addresses, multicast, masks. @see RFC 6890 */
const isOfEveryNetwork = ([one = 0, two = 0]: readonly number[]): boolean =>
  one === 0 ||
  one === 10 ||
  one === 127 ||
  one >= 224 ||
  (one === 172 && two >= 16 && two < 32) ||
  (one === 192 && two === 168) ||
  (one === 169 && two === 254)

/** Global addresses of IP, version 6. */
const IPV6 = /(?<![\w:.])[23][0-9a-f]{3}:(?:[0-9a-f]{0,4}:){1,6}[0-9a-f]{0,4}(?![\w:])/gi

/** Finds addresses of IP, version 6. */
export const findIpv6: TextRule = ({ plain }) => {
  if (!plain.includes(':')) return []
  const found: FoundValue[] = []
  for (const { 0: address, index } of plain.matchAll(IPV6)) {
    const parts = address.split(':')
    const gaps = address.split('::').length - 1
    if (parts.length < 4 || gaps > 1 || (gaps === 0 && parts.length !== 8) || /:::|[^:]:$/.test(address)) continue
    found.push({ start: index, end: index + address.length, entity: 'LOCATION' })
  }
  return found
}
