/** Formats a list number. @see ECMA-376 part 1, section 17.18.59 */
export function formatNumber(value: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return letters(value)
    case 'upperLetter':
      return letters(value).toUpperCase()
    case 'lowerRoman':
      return roman(value).toLowerCase()
    case 'upperRoman':
      return roman(value)
    case 'decimalZero':
      return String(value).padStart(2, '0')
    case 'none':
    case 'bullet':
      return ''
    default:
      return String(value)
  }
}

/** Formats a number as `a` to `z`, then `aa` to `zz`. */
const letters = (value: number): string =>
  value < 1 || value > 780
    ? String(value)
    : String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.floor((value - 1) / 26) + 1)

const ROMAN: readonly (readonly [string, number])[] = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value)
  let left = value
  let text = ''
  for (const [sign, worth] of ROMAN) {
    text += sign.repeat(Math.floor(left / worth))
    left %= worth
  }
  return text
}
