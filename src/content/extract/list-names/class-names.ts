import { ownValue } from '../../../base/collections/own-value.js'
import { type Element, parentElement } from '../../html/tree.js'
import { isUtilityClass } from './utility-classes.js'

/** Words of class names that tell about the layout, the state or the style of an element and not about its content. */
const LAYOUT_WORDS: ReadonlySet<string> = new Set(
  (
    'a active align alt area aside at badge bg block body bold border bottom box btn button card cell center clearfix col column ' +
    'component content container cover css div even fade first flex float font full grid group h has heading hidden hover ' +
    'icon img inline inner is item items js label last layout left lg light link links list main margin mb md media ml mobile ' +
    'module mr mt mx my node none normal odd offscreen old on one outer p padding panel part pb pl pr pt px py readmore relative right ' +
    'root row sc section sm small span static stretched style styled sub sup tab td text the tile top tr truncate two ui ' +
    'underline unit value view visible w widget wp wrap wrapper xl xs desktop dark large medium line clamp more'
  ).split(' '),
)

/** Words that are written in short in class names. */
const LONG_WORDS: Readonly<Record<string, string>> = {
  desc: 'description',
  excerpt: 'description',
  summary: 'description',
  teaser: 'description',
  dek: 'description',
  deck: 'description',
  byline: 'author',
  cat: 'category',
  loc: 'location',
  num: 'number',
  qty: 'quantity',
}

const MAX_LEVELS = 3
const WORD = /^[a-z]{3,20}$/u

/**
 * Returns a name for the values of some elements by a class that they have in common, or that the elements around them
 * have: `authorName` for `card__author-name`. Undefined if no class tells about the content.
 *
 * @param isEntry true for an element at which the search ends: only one of `elements` itself is read
 */
export function nameByClass(elements: readonly Element[], isEntry: (element: Element) => boolean): string | undefined {
  let level: readonly Element[] = elements
  for (let up = 0; up < MAX_LEVELS && level.length > 0; up += 1) {
    for (const name of sharedClasses(level)) {
      const words = tellingWords(name)
      if (words.length > 0) return toCamelCase(words)
    }
    const outer = level.flatMap((element) => parentElement(element) ?? [])
    // The classes of an entry tell what the row is, and not what its parts are.
    if ([...level, ...outer].some(isEntry)) return undefined
    level = outer
  }
  return undefined
}

/** Classes of all of the elements, the most specific first: pages add modifiers and parts at the end of a name. */
function sharedClasses(elements: readonly Element[]): string[] {
  const [first, ...others] = elements.map(({ attribs }) => (attribs['class'] ?? '').slice(0, 500).split(/\s+/u))
  if (first === undefined) return []
  const sets = others.map((names) => new Set(names))
  return first
    .filter((name) => name !== '' && !isUtilityClass(name) && sets.every((names) => names.has(name)))
    .sort((one, other) => Number(other.includes('__')) - Number(one.includes('__')))
}

function tellingWords(name: string): string[] {
  // Build tools add a hash: `Card_title__3xYz1`.
  const bare = name.replace(/(?:__|--|_|-)(?=[\w-]*\d)[A-Za-z\d_-]{4,}$/u, '')
  const part = bare.split(/--(?=[a-z])/u)[0] ?? ''
  const inner = part.includes('__') ? part.slice(part.lastIndexOf('__') + 2) : part
  const words = inner
    .replace(/([a-z])([A-Z])/gu, '$1-$2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== '')
  if (words.length === 0 || words.length > 5 || /\d/u.test(inner)) return []
  const telling = words.filter((word) => !LAYOUT_WORDS.has(word))
  return telling.every((word) => WORD.test(word)) ? telling.slice(-2).map((word) => longWord(word)) : []
}

const longWord = (word: string): string => ownValue(LONG_WORDS, word) ?? word

const toCamelCase = (words: readonly string[]): string =>
  words.map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('')
