import { isObject } from '../../collections/is-object.js'
import { countWords, kindOfText, withoutTags } from '../embedded-data/text-kind.js'

/** A text with more words is a body, whatever its name. */
export const LONG_TEXT = 60
/** The start of a text that shows its kind. Characters. */
const MAX_START = 1000
/** The start of a text in which words are counted to tell a long one. Characters. */
const MAX_COUNTED = 10_000
/** Characters. */
const MAX_TITLE = 300
const MAX_ADDRESS = 500
/** An object with a longer text than this is no pair of a label and a value. Characters. */
const MAX_PAIR_TEXT = 100

/** Counts the words in the first 1,000 characters of a text. */
export const countWordsAtStart = (text: string): number => countWords(text.slice(0, MAX_START))

/** Tells whether the first 1,000 characters of a text are more than one word. */
export const hasSpace = (text: string): boolean => /\s/.test(text.slice(0, MAX_START))

export const isLongText = (text: string): boolean => countWords(withoutTags(text.slice(0, MAX_COUNTED))) >= LONG_TEXT

export const isTitle = (value: unknown): boolean =>
  typeof value === 'string' && value.length <= MAX_TITLE && /^(?:label|prose)$/.test(kindOfText(value) ?? '')

/** Returns the level of the heading for an item's title. */
export function headingLevel(isInList: boolean, level: number): number {
  if (isInList) return Math.max(2, Math.min(4, level - 1))
  return level < 5 ? 1 : 2
}

/** Returns the text of an object such as `{ label: 'Visitors', value: 1204 }`; undefined for any other. */
export function readPair(members: readonly (readonly [string, unknown])[]): string | undefined {
  const find = (names: RegExp): unknown => members.find(([name]) => names.test(name))?.[1]
  const label = find(/^(?:label|term|metric|key|title|name)$/i)
  const value = find(/^(?:value|amount|count|quantity|total|definition)$/i)
  // An object with more members of substance is an item of its own.
  const hasMore = members.some(([, one]) =>
    typeof one === 'string' ? one.length > MAX_PAIR_TEXT : isObject(one) || Array.isArray(one),
  )
  if (hasMore || typeof label !== 'string' || kindOfText(label) === undefined) return undefined
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  return `${label}: ${value}`
}

/** Returns a slug, path or URL. Sanity keeps a slug as `{ current: 'about-us' }`. */
export function readAddress(value: unknown): string | undefined {
  const text = isObject(value) ? value['current'] : value
  return typeof text === 'string' && text.length > 0 && text.length < MAX_ADDRESS && !/\s/.test(text) ? text : undefined
}

/** Removes from HTML of the data whatever would end the element around it, or swallow the content behind it. */
export const cleanHtml = (html: string): string =>
  html
    .replace(/<(script|style|textarea|title|xmp|iframe|noembed|noframes|template)\b[^]*?(?:<\/\1\s*>|$)/gi, ' ')
    .replace(/<!--[^]*?(?:-->|$)/g, ' ')
    .replace(/<\/?(?:html|head|body|main|plaintext|base|frameset)\b[^<>]*>?/gi, ' ')
    .replace(/<[^<>]*$/, ' ')
