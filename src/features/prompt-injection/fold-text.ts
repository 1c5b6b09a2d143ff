import { withoutInvisible } from '../../base/llm/answers/page-text.js'

/** Accents of Latin, Greek and Cyrillic, vowel signs of Hebrew and Arabic, the dot of Devanagari. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u093c]/g

const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ı', 'i'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['ß', 'ss'],
  ['’', "'"],
  ['‘', "'"],
])
const OTHER_LETTERS = /[ıłđøæß’‘]/g

const ASCII = /^\p{ASCII}*$/u

/** Writes a text in small letters without accents and invisible characters, with single spaces. */
export function foldText(text: string): string {
  const plain = ASCII.test(text)
    ? text.toLowerCase()
    : withoutInvisible(text)
        .normalize('NFKD')
        .replace(MARKS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(OTHER_LETTERS, (letter) => LETTERS.get(letter) ?? letter)
  return plain.replace(/\s+/g, ' ')
}

/** Letters of Cyrillic and Greek that look like Latin ones, each before the Latin one. */
const PAIRS =
  'аa еe оo рp сc уy хx іi јj ѕs ԁd һh кk мm тt вb нh гr ԛq ԝw αa οo ρp εe ιi κk νv τt υu χx γy АA ВB ЕE КK МM НH ОO РP СC ТT ХX УY ІI ЅS ЈJ ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX'
const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  PAIRS.split(' ').map((pair): [string, string] => [pair.charAt(0), pair.charAt(1)]),
)

/** A word of Latin letters with some of another script among them. */
const MIXED = /[a-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][a-z]/i
const FOREIGN = /[\u0370-\u03ff\u0400-\u04ff\u0500-\u052f]/g

/** Writes letters that only look Latin as Latin ones. @returns undefined for a text whose words are each of one script */
export const replaceLookalikes = (text: string): string | undefined =>
  MIXED.test(text) ? text.replace(FOREIGN, (letter) => LOOKALIKES.get(letter) ?? letter) : undefined
