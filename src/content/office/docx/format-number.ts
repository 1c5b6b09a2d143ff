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
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
    case 'japaneseCounting':
      return chinese(value)
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

const CHINESE_DIGITS = '〇一二三四五六七八九'

/** Formats a number up to 99 as 一 to 九十九. Beyond it, the formats differ from each other. */
function chinese(value: number): string {
  if (value < 1 || value > 99) return String(value)
  const [tens, ones] = [Math.floor(value / 10), value % 10]
  const before = tens === 0 ? '' : `${tens === 1 ? '' : CHINESE_DIGITS[tens]}十`
  return `${before}${ones === 0 ? '' : CHINESE_DIGITS[ones]}`
}

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
