/** Replaces Arabic and Persian digits with ASCII digits. */
export const plainDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\uff10-\uff19]/g
/** Digits whose block does not begin at a multiple of 16. */
const INDIAN_DIGIT = /[\u0966-\u09ef]/
const OTHER_SIGNS = /(?<=\d)[\u066b\u066c\uff0c\uff0e](?=\d)/g

/** Replaces digits in Arabic, Persian, Devanagari, Bengali and full width, and the signs between them, as ASCII has them. */
export function asciiNumbers(text: string): string {
  const plain = text.replace(OTHER_DIGITS, (digit) =>
    String((digit.charCodeAt(0) - (INDIAN_DIGIT.test(digit) ? 6 : 0)) & 15),
  )
  return plain === text ? text : plain.replace(OTHER_SIGNS, (sign) => ('\u066b\uff0e'.includes(sign) ? '.' : ','))
}
