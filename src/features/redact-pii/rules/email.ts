import type { FoundValue, TextRule, RuleText } from './found-value.js'

/** Longest local part and domain. Characters. @see RFC 5321 section 4.5.3.1 */
const MAX_LOCAL = 64
const MAX_DOMAIN = 255

const LOCAL = /[\p{L}\p{N}\p{M}!#$&'*+/=?^_`{|}~.-]/u
/** Characters of a local part that are punctuation around an address more often than a part of it. */
const AROUND = /[!#$&'*/=?^`{|}~.-]/
const DOMAIN = /[\p{L}\p{N}\p{M}.-]/u
/** Letters of scripts that stand around an address without a space. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
/** Names after a dot that are files of packages and pictures, and no top-level domains. */
const FILES =
  /^(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|css|scss|m?js|jsx|tsx?|json|html?|php|xml|pdf|woff2?|ttf|mp[34]|webm|zip|gz|min|map|service|socket|timer|target|mount)$/i
/** Longest URL whose user name is looked for. Characters. */
const MAX_URL = 100

/** An `@`, or what people write in its place. */
const AT = /@| ?[[({<] ?(?:at|ät|arroba|chiocciola|AT|Ät) ?[\])}>] ?/g
const DOT = /\s?[[({]\s?(?:dot|punkt|point|punto|DOT)\s?[\])}]\s?/y

function startOfLocal(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < MAX_LOCAL && LOCAL.test(text.charAt(start - 1))) start -= 1
  let first = start
  for (let place = at - 1; place >= start; place -= 1) {
    const sign = text.charAt(place)
    // A quote, a bracket or an assignment before an address is none of its characters.
    if (UNSPACED.test(sign) || '/=?&|`{}*#$!^~'.includes(sign)) {
      first = place + 1
      break
    }
  }
  while (first < at && AROUND.test(text.charAt(first))) first += 1
  return first
}

/** Finds the end of a domain. @returns undefined where there is none */
function endOfDomain(text: string, from: number): number | undefined {
  let end = from
  let labelStart = from
  let dots = 0
  let lastEnd: number | undefined
  while (end - from < MAX_DOMAIN) {
    const sign = text.charAt(end)
    if (sign !== '' && sign !== '.' && DOMAIN.test(sign)) {
      end += 1
      continue
    }
    DOT.lastIndex = end
    const step = sign === '.' ? 1 : (DOT.exec(text)?.[0].length ?? 0)
    const label = text.slice(labelStart, end)
    const tld = dots === 0 ? 0 : lengthOfTld(label)
    if (tld > 0) lastEnd = labelStart + tld
    if (step === 0 || label === '' || (tld > 0 && tld < label.length)) break
    dots += 1
    end += step
    labelStart = end
  }
  return lastEnd
}

/** Measures the top-level domain at the beginning of a label; 0 for none. */
function lengthOfTld(label: string): number {
  const latin = /^(?:xn--[a-z0-9-]{2,59}|[a-z]{2,24})/i.exec(label)?.[0] ?? ''
  if (latin === '') return /^\p{L}{2,24}$/u.test(label) ? label.length : 0
  if (FILES.test(latin)) return 0
  const next = label.charAt(latin.length)
  return next === '' || next === '-' || UNSPACED.test(next) ? latin.length : 0
}

function readAddress({ plain, urlBefore }: RuleText, mark: string, at: number): FoundValue | undefined {
  const start = startOfLocal(plain, at)
  if (start === at) return undefined
  const before = plain.charAt(start - 1)
  // The handle of a federated network, and the user of a host: a password in a URL is a secret.
  if (before === '@') return undefined
  const end = endOfDomain(plain, at + mark.length)
  if (end === undefined) return undefined
  if (plain.slice(start, at) === 'git') return undefined
  if (
    mark === '@' &&
    plain.slice(Math.max(0, at - MAX_URL), at).includes('://') &&
    /:\/\/[^/?#\s]*$/.test(urlBefore(at))
  )
    return undefined
  return { start, end, entity: 'EMAIL' }
}

/** Finds mail addresses. */
export const findEmails: TextRule = (text) => {
  if (!text.plain.includes('@') && !/[[({<] ?(?:at|ät|arroba|chiocciola) ?[\])}>]/i.test(text.plain)) return []
  const found: FoundValue[] = []
  for (const { 0: mark, index } of text.plain.matchAll(AT)) {
    const value = readAddress(text, mark, index)
    if (value) found.push(value)
  }
  return found
}
