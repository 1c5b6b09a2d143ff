import { isObject } from '../../base/collections/is-object.js'
import { countWords, kindOfText, withoutTags } from '../embedded-data/text-kind.js'

/** Minimum number of words of a text that is a body, whatever its property is called. */
export const MIN_BODY_WORDS = 60
/** Length of the start of a text in which words are counted to classify it. Characters. */
const MAX_START = 1000
/** Length of the start of a text in which words are counted to find out whether it is long. Characters. */
const MAX_COUNTED = 10_000
/** Maximum lengths of a title and of an address. Characters. */ const MAX_TITLE = 300
const MAX_ADDRESS = 500
/** Maximum length of the texts of an object that is a pair of a label and a value. Characters. */
const MAX_PAIR_TEXT = 100

/** Counts the words in the first 1,000 characters of a text. */
export const countWordsAtStart = (text: string): number => countWords(text.slice(0, MAX_START))

/** Tests for white space in the first 1,000 characters of a text. */
export const hasSpace = (text: string): boolean => /\s/.test(text.slice(0, MAX_START))

export const isLongText = (text: string): boolean =>
  countWords(withoutTags(text.slice(0, MAX_COUNTED))) >= MIN_BODY_WORDS

export const isTitle = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TITLE && /^(?:label|prose)$/.test(kindOfText(value) ?? '')

/** Returns the level of the HTML heading for the title of an object, from its depth in the data. */
export function headingLevel(isInList: boolean, level: number): number {
  if (isInList) return Math.max(2, Math.min(4, level - 1))
  return level < 5 ? 1 : 2
}

/** Returns the text of an object such as `{ label: 'Visitors', value: 1204 }`; undefined for any other. */
export function readPair(members: readonly (readonly [string, unknown])[]): string | undefined {
  const find = (names: RegExp): unknown => members.find(([name]) => names.test(name))?.[1]
  const label = find(/^(?:label|term|metric|key|title|name)$/i)
  const value = find(/^(?:value|amount|count|quantity|total|definition)$/i)
  // An object with nested values or long texts is more than a pair.
  const hasMore = members.some(([, one]) =>
    typeof one === 'string' ? one.length > MAX_PAIR_TEXT : isObject(one) || Array.isArray(one),
  )
  if (hasMore || typeof label !== 'string' || kindOfText(label) === undefined) return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return `${label}: ${value}`
}

/** Reads a slug, path or URL; undefined for any other value. Sanity stores a slug as `{ current: 'about-us' }`. */
export function readAddress(value: unknown): string | undefined {
  const text = isObject(value) ? value['current'] : value
  return typeof text === 'string' && text.length > 0 && text.length < MAX_ADDRESS && !/\s/.test(text) ? text : undefined
}

/**
 * Removes tags and comments from HTML of the data that would end the element around it, or hide the content after it.
 */
export const removeUnsafeHtml = (html: string): string =>
  html
    .replace(/<(script|style|textarea|title|xmp|iframe|noembed|noframes|template)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:html|head|body|main|plaintext|base|frameset)\b[^<>]*>?/gi, ' ')
    .replace(/<[^<>]*$/, ' ')
