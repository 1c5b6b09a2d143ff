import { withoutInvisible } from '../../base/llm/answers/page-text.js'

/** Accents of Latin, Greek and Cyrillic, vowel signs of Hebrew and Arabic, the dot of Devanagari. */
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u093c]/g

const LETTERS: Readonly<Record<string, string>> = {
  ı: 'i',
  ł: 'l',
  đ: 'd',
  ø: 'o',
  æ: 'ae',
  ß: 'ss',
  '’': "'",
  '‘': "'",
}
const OTHER_LETTERS = /[ıłđøæß’‘]/g

// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/

/** Writes a text in small letters without accents and invisible characters, with single spaces. */
export function foldText(text: string): string {
  const plain = ASCII.test(text)
    ? text.toLowerCase()
    : withoutInvisible(text)
        .normalize('NFKD')
        .replace(MARKS, '')
        .normalize('NFC')
        .toLowerCase()
        .replace(OTHER_LETTERS, (letter) => LETTERS[letter] ?? letter)
  return plain.replace(/\s+/g, ' ')
}

/** Letters of Cyrillic and Greek that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...'аaеeоoрpсcуyхxіiјjѕsԁdһhкkмmтtвbнhгrԛqԝwαaοoρpεeιiκkνvτtυuχxγyАAВBЕEКKМMНHОOРPСCТTХXУYІIЅSЈJΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX',
  ]
    .reduce<string[]>((pairs, sign, at) => {
      if (at % 2 === 0) pairs.push(sign)
      else pairs[pairs.length - 1] += sign
      return pairs
    }, [])
    .map((pair) => [[...pair][0] ?? '', [...pair][1] ?? '']),
)

/** A word of Latin letters with some of another script among them. */
const MIXED = /[a-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][a-z]/i
const FOREIGN = /[\u0370-\u03ff\u0400-\u04ff\u0500-\u052f]/g

/** Writes letters that only look Latin as Latin ones. @returns undefined for a text whose words are each of one script */
export const replaceLookalikes = (text: string): string | undefined =>
  MIXED.test(text) ? text.replace(FOREIGN, (letter) => LOOKALIKES[letter] ?? letter) : undefined
