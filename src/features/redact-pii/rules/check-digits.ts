/** Check digits of cards, accounts and national numbers. All take a text of digits. */

/** Tests the Luhn digit at the end. @see https://www.iso.org/standard/70484.html */
export function hasLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const digit = digits.charCodeAt(at) - 48
    sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit
  }
  return sum % 10 === 0
}

/** Computes the rest of a division by 97 of digits and letters, where A is 10. @see https://www.iso.org/standard/31531.html */
export function restOf97(text: string): number {
  let rest = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    rest = code < 58 ? (rest * 10 + code - 48) % 97 : (rest * 100 + code - 55) % 97
  }
  return rest
}

/** Sums the digits, each with its weight. */
export function weigh(digits: string, weights: readonly number[]): number {
  let sum = 0
  for (const [at, weight] of weights.entries()) sum += weight * (digits.charCodeAt(at) - 48)
  return sum
}

/** Tests the last digit by ISO/IEC 7064, MOD 11,10. */
export function hasMod1110(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at += 1) {
    const part = (digits.charCodeAt(at) - 48 + product) % 10 || 10
    product = (part * 2) % 11
  }
  return (11 - product) % 10 === digits.charCodeAt(digits.length - 1) - 48
}

const VERHOEFF_PRODUCTS =
  '0123456789123406789523401789563401289567401239567859876043216598710432765982104387659321049876543210'
const VERHOEFF_PLACES = '01234567891576283094580379614289160435279453126870428657390127938064157046913258'

/** Tests the last digit by Verhoeff. */
export function hasVerhoeff(digits: string): boolean {
  let state = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48
    const placed = VERHOEFF_PLACES.charCodeAt((at % 8) * 10 + digit) - 48
    state = VERHOEFF_PRODUCTS.charCodeAt(state * 10 + placed) - 48
  }
  return state === 0
}

/** Tests a day and a month. */
export const isDay = (day: string, month: string): boolean =>
  Number(day) >= 1 && Number(day) <= 31 && Number(month) >= 1 && Number(month) <= 12
