import type { Element } from '../../html/tree.js'

/** A part of the class names of fields, of which each is a word or a number of its own: `<span class="value">2</span><span class="unit">g</span>`. */
const FIELD =
  /(?:^|[\s_-])(?:label|value|amount|units?|quantity|qty|price|count|num(?:ber)?|date|time|day|month|year|hour|minutes?|duration|runtime|author|user|(?:user)?name|rating|score|rank|position|size|weight|genre|category|location|city|country|status|type|key|meta|item|ingredient|views|likes|votes|comments|points)(?=[\s_-]|\d|$)/i
const DATE_PART = /(?:^|[\s_-])(?:day|month|year)(?=[\s_-]|$)/i
/** Class name of each line of a text that a script moves. */
const LINE = /(?:^|[\s_-])line(?=[\s_-]|\d|$)|[a-z]Line(?=[\s_-]|\d|$)/
/** Class names of parts of words: letters that a script moves, and words found in a text. */
const PART_OF_WORD = /char|letter|split|(?:^|[\s_-])(?:hl|hit|match|mark|highlight|keyword|query)/i
/** Class names that converters of documents give to each run of text. */
const RUN = /^[a-z]{1,3}\d+(?:\s|$)/i

/** An amount with its unit, which names what follows in a list of ingredients. */
const AMOUNT =
  /^[\d\s.,/½⅓⅔¼¾⅛–-]{1,12}(?:k?g|mg|[mcd]?l|oz|lbs?|cups?|tbsp|tsp|EL|TL|Pck|Stück|cm|mm|cl|pinch(?:es)?|cloves?|slices?|cans?)\.?$/i
/** The rest of a unit that is written out. */
const REST_OF_UNIT = /^(?:rams?|it(?:er|re)s?|ounds?|unces?|nds?|ful|entim|illi)/i

/** Units that are written right after their number as well as after a space. */
export const UNIT = /^(?:k?g|mg|µg|mcg|[mcd]?l|k?cal|kj|iu|[kcm]?m|px|h|s|min|[kmgt]b|[kx])$/i

/** The texts at the border of two elements. */
interface Border {
  readonly before: Element
  readonly element: Element
  /** The last text of the one before. */
  readonly left: string
  /** The first text of the other. */
  readonly right: string
}

/** True if the second text cannot continue the word or the number at the end of the first, by their letters and their names. */
export function isNewWord(border: Border): boolean {
  const { left, right } = border
  const names = namesOf(border)
  if (names.areParts) return false
  if (names.areLines) return true
  if (/\p{N}$/u.test(left) && /^\p{N}/u.test(right)) return isNewNumber(left, right, names)
  if (/\p{N}$/u.test(left) && UNIT.test(right)) return false
  if (/^\p{Sc}\s?\d/u.test(right)) return /[\p{Ll}\p{Lu}]{3}$|\d$/u.test(left)
  if (/\p{L}{2}[:,]$/u.test(left)) return !/^\p{Lo}/u.test(right)
  if (names.areFields)
    return /[\p{Ll}\p{Lu}\p{N}.%]$/u.test(left) && /^[\p{Ll}\p{Lu}\p{N}]/u.test(right) && !isCents(left, right)
  if (isDate(left, right)) return true
  if (/[\p{N}%]$/u.test(left)) return left.length > 1 && /^[\p{Ll}\p{Lu}]{3}/u.test(right)
  if (/^\p{N}/u.test(right))
    return (
      /[\p{Ll}\p{Lu}]{3}$/u.test(left) &&
      (names.isField || /\s/.test(left) || /^\d[\d.,]{0,20}\s?[\p{L}%]/u.test(right))
    )
  if (AMOUNT.test(left)) return /^[\p{Ll}\p{Lu}]{3}/u.test(right) && !REST_OF_UNIT.test(right)
  return isNewName(left, right, names)
}

/** Short names of months in languages with Latin letters. */
const MONTH =
  /^(?:jan|ene|feb|fév|febr|mar|mär|mrz|mars|apr|avr|abr|maj|mai|may|mag|giu|jun|juin|jul|juil|lug|aug|août|ago|sep|sept|set|oct|okt|ott|out|nov|dec|dez|déc|dic|des)\.?$/i

/** True for the day of a date beside its month. */
const isDate = (left: string, right: string): boolean =>
  (/^\d{1,2}$/.test(left) && MONTH.test(right)) ||
  (/^\p{Lu}/u.test(left) && MONTH.test(left) && /^\d{1,2}$/.test(right))

interface Names {
  readonly areSame: boolean
  readonly areParts: boolean
  readonly areLines: boolean
  readonly areFields: boolean
  readonly isField: boolean
  readonly areDateParts: boolean
}

function namesOf({ before, element }: Border): Names {
  const [one = '', other = ''] = [before.attribs['class'], element.attribs['class']]
  return {
    areSame: one === other && one.length > 0 && before.name === element.name && !RUN.test(one),
    areParts: PART_OF_WORD.test(one) || PART_OF_WORD.test(other),
    areLines: LINE.test(one) && LINE.test(other),
    areFields: FIELD.test(one) && FIELD.test(other),
    isField: FIELD.test(one) || FIELD.test(other),
    areDateParts: DATE_PART.test(one) && DATE_PART.test(other),
  }
}

const YEAR = /(?:^|\D)(?:1[5-9]|20)\d\d$/

/** True for two numbers beside each other, and false for parts of one, such as whole units and cents. */
function isNewNumber(left: string, right: string, { areSame, isField, areDateParts }: Names): boolean {
  if (areDateParts || /^\d{1,3}(?:[.,]\d+)?\s?%/.test(right)) return true
  if (/\d[.,]\d+$/.test(left) && /^\d+[.,]\d/.test(right)) return true
  if (!areSame && !isField) return false
  if (YEAR.test(left) && /^(?:(?:1[5-9]|20)\d\d(?!\d)|\d+\s?\p{L})/u.test(right)) return true
  return areSame && /[\p{L}\s]/u.test(left) && /\p{L}/u.test(right) && !isCents(left, right)
}

const isCents = (left: string, right: string): boolean => /[\d.]$/.test(left) && /^\d\d(?!\d)/.test(right)

/** True for the beginning of a name or a phrase. A name in two colours is one word: `<i>Java</i><span>Script</span>`. */
function isNewName(left: string, right: string, { areSame }: Names): boolean {
  if (!/^\p{Lu}/u.test(right)) return false
  if (/[.!?)]$/.test(left)) return left.length > 2 && /^\p{Lu}(?:\p{Ll}|\s)/u.test(right)
  const isPhrase = /\s/.test(left) || /\s/.test(right)
  if (/\p{Lu}{2}$/u.test(left)) return (isPhrase || areSame) && /^\p{Lu}\p{Ll}/u.test(right)
  return areSame && left.length > 2 && right.length > 1 && /\p{Ll}{2}$|\d\p{Ll}$/u.test(left)
}
