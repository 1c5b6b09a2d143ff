import { listDateNames } from '../../base/text/date-names.js'
import { AMOUNT_REST, isCurrency, isLimit, isRate } from './noise-words.js'

/**
 * Replaces text that varies with each visit by placeholders: ages such as "3 minutes ago", the time at which the page
 * was updated or generated, counters of views and the like, and tokens in URLs.
 */
export function stableText(text: string): string {
  const still = text
    .replace(/\[iframe\]\([^)\n]*\)/g, '')
    .replace(/(\]\(<?|<(?=https?:))([^\s()<>]+)/g, (_, before: string, url: string) => before + withoutTokens(url))
  // Nearly all volatile text has a digit; the rest is rare enough to test for one word of each pattern.
  if (!/\d|just now|moment|\b(?:an?|une?|eine[rm]?|una|um|uma|een|hour|minute)\b/i.test(still)) return still
  const ageless = replaceAll(still, AGES)
  const uncounted = COUNTERS.reduce((rest, pattern) => rest.replace(pattern, hideCounter), ageless)
  return uncounted.replace(timestampPattern(), PLACEHOLDER).replace(EAST_ASIAN_STAMP, PLACEHOLDER)
}

const replaceAll = (text: string, patterns: readonly RegExp[]): string =>
  patterns.reduce((rest, pattern) => rest.replace(pattern, PLACEHOLDER), text)

/** Characters beside a counter in which a word can make it a part of a statement. */
const BESIDE = 40

const STARTS_WITH_CURRENCY = new RegExp(`^${AMOUNT_REST}`, 'iu')

/** Replaces a counter, but not a limit, a rate or a price: "up to 1000 views", "1000 views per month", "Members: 5 €". */
function hideCounter(counter: string, ...found: readonly unknown[]): string {
  const text = String(found.at(-1))
  const at = Number(found.at(-2))
  const to = at + counter.length
  const [before = ''] = text
    .slice(Math.max(0, at - BESIDE), at)
    .split('\n')
    .slice(-1)
  const [after = ''] = text.slice(to, to + BESIDE).split('\n', 1)
  const words = wordsOf(before)
  const isPrice = /\p{Sc}\s{0,2}$/u.test(before) || isCurrency(words.at(-1) ?? '') || STARTS_WITH_CURRENCY.test(after)
  const isStated = words.slice(-3).some(isLimit) || wordsOf(after).slice(0, 2).some(isRate)
  return isPrice || isStated ? counter : PLACEHOLDER
}

/** Lists the words of a line next to a counter, in lower case. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[^\s*_|()]+/g) ?? []

const PLACEHOLDER = '\u{FFFC}'

/** A number of an age or a counter. */
const COUNT = String.raw`\d{1,3}(?:[\d.,\u00A0\u202F']{0,12}\d)?\+?`

const wordPattern = (pattern: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\d])(?:${pattern})(?![\p{L}\d])`, 'giu')

/** Ages in the most frequent languages. */
const AGES: readonly RegExp[] = [
  String.raw`(?:${COUNT}|an?|one|a few|few)\s{1,4}(?:sec(?:ond)?|min(?:ute)?|hour|hr|day|week|month|mo|year|yr)s?\.?\s{1,4}ago`,
  String.raw`\d{1,4}\s?(?:s|m|h|d|w|mo|y)\s{1,4}ago`,
  String.raw`just now|(?:a )?moments? ago`,
  String.raw`(?:vor)\s{1,4}(?:${COUNT}|einer|einem|wenigen)\s{1,4}(?:Sekunden?|Minuten?|Stunden?|Tag(?:en)?|Wochen?|Monat(?:en)?|Jahr(?:en)?)`,
  String.raw`il y a\s{1,4}(?:${COUNT}|une?|quelques)\s{1,4}(?:secondes?|minutes?|heures?|jours?|semaines?|mois|ans?|années?)`,
  String.raw`hace\s{1,4}(?:${COUNT}|una?|unos|unas)\s{1,4}(?:segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)`,
  String.raw`há\s{1,4}(?:${COUNT}|uma?)\s{1,4}(?:segundos?|minutos?|horas?|dias?|semanas?|mês|meses|anos?)`,
  String.raw`(?:${COUNT}|una?)\s{1,4}(?:second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi])\s{1,4}fa`,
  String.raw`(?:${COUNT}|een)\s{1,4}(?:seconden?|minuten?|uur|uren|dag(?:en)?|weken|week|maand(?:en)?|jaar|jaren)\s{1,4}geleden`,
].map(wordPattern)

/** Actions of visitors that counters count. */
const COUNTED = String.raw`(?:page\s?)?views?|reads?|likes?|shares?|comments?|replies|followers?|subscribers?|downloads?|visitors?|visits?|viewers?|hits?|reactions?|claps?|upvotes?|retweets?|reposts?`

const COUNTERS: readonly RegExp[] = [
  String.raw`${COUNT}\s?[kKmM]?\s{1,4}(?:${COUNTED})`,
  String.raw`(?:${COUNTED})\s?:\s{0,3}\**\s?${COUNT}\s?[kKmM]?`,
  String.raw`${COUNT}\s{1,4}(?:people|users|members|guests|visitors)\s{1,4}(?:are\s{1,4})?(?:currently\s{1,4})?(?:viewing|watching|reading|looking|online|here)`,
].map(wordPattern)

/** The labelled time of an update in Chinese, Japanese and Korean. */
const EAST_ASIAN_STAMP =
  /(?:更新(?:日時|日期|日|时间|時間)?|修改日期|업데이트|수정일|최종\s?수정)[\s:：*_|]{0,4}\d{4}\s?[年년./-]\s?\d{1,2}\s?[月월./-]\s?\d{1,2}\s?[日일]?(?:\s{0,2}\d{1,2}[:：時时시]\s?\d{1,2}(?:[分분]|:\d{2})?)?/gu

let stampPattern: RegExp | undefined

/** Matches times that are labelled as the time of an update or of rendering; dates in the content are not matched. */
function timestampPattern(): RegExp {
  if (stampPattern) return stampPattern
  const names = [...new Set(listDateNames().map((name) => name.replace(/\.$/, '')))].filter((name) =>
    /^\p{L}+$/u.test(name),
  )
  const said = String.raw`(?:last|page|zuletzt|dernière|última)?\s?(?:updated?|modified|edited|changed|generated|rendered|created|retrieved|refreshed|checked|reviewed|fetched|built|as of|current time|server time|aktualisiert|geändert|stand|mise à jour|modifiée?|actualizado|actualización|aggiornato|atualizado|bijgewerkt)`
  const word = String.raw`(?:${names.join('|')}|[ap]\.?m\.?|utc|gmt|cest|cet|est|edt|pst|pdt|bst|z|at|on|am|um|le|el|il|à|a|de|uhr)\b\.?`
  const number = String.raw`\d{1,4}(?:st|nd|rd|th)?(?:[-./:T]\d{1,4}){0,6}(?:[.,]\d{1,6})?(?:Z|[+-]\d{2}:?\d{2})?(?!${AMOUNT_REST})`
  stampPattern = new RegExp(
    String.raw`(?<![\p{L}\d])${said}(?:[\s:,*_()|·–-]{0,4}(?:${word})){0,4}(?:[\s:,*_()|·–-]{0,4}(?:${number}|${word})){1,9}`,
    'giu',
  )
  return stampPattern
}

/**
 * Removes the parts of a URL that are generated for each visit or build: session ids, signatures, cache busters, and
 * the hash in the name of a built file.
 */
function withoutTokens(url: string): string {
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const kept = query.split('&').filter((parameter) => parameter !== '' && !isToken(parameter))
  const still = path
    .replace(/;(?:jsessionid|phpsessid|sid)=[^/;]*/gi, '')
    .replace(/([._-])(?=[\da-f]*\d)(?=[\da-f]*[a-f])[\da-f]{8,64}(?=(?:\.[a-z\d]{2,5}){1,2}$)/i, '')
  return still + (kept.length > 0 ? `?${kept.join('&')}` : '') + fragment
}

/** Names of parameters whose values vary. */
const VOLATILE: ReadonlySet<string> = new Set(
  [
    '_ t ts time timestamp now cb cachebust cachebuster cache nocache rand random rnd r', // cache busters
    'v ver version rev hash h build', // versions of a file
    'sid sess session sessionid session_id phpsessid jsessionid', // sessions
    'token nonce csrf csrf_token _csrf authenticity_token state key-pair-id', // tokens
    'sig signature expires expiry expire policy e hmac', // signed links
    'gclid fbclid msclkid dclid _ga _gl', // click ids
  ].flatMap((names) => names.split(' ')),
)

/** Names with other meanings too: removed only with a generated value. */
const AMBIGUOUS: ReadonlySet<string> = new Set([
  't',
  'v',
  'e',
  'h',
  'r',
  'time',
  'state',
  'key',
  'cache',
  'version',
  'now',
])

function isToken(parameter: string): boolean {
  const at = parameter.indexOf('=')
  const name = (at === -1 ? parameter : parameter.slice(0, at)).toLowerCase()
  const value = at === -1 ? '' : parameter.slice(at + 1)
  if (/^(?:utm_|x-amz-|x-goog-|hsa_|mtm_)/.test(name)) return true
  if (VOLATILE.has(name)) return !AMBIGUOUS.has(name) || looksGenerated(value)
  return value.length >= 20 && looksGenerated(value)
}

/** Tests for a time in seconds or milliseconds, or for letters and digits that form no word. */
const looksGenerated = (value: string): boolean =>
  /^\d{10,13}$/.test(value) || /^(?=.*\d)(?=.*[a-z])(?:[\da-f]{8,}|[\w%-]{16,})$/i.test(value)
