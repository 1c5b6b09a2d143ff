import type { JsonSchema } from './json-schema.js'
import { hasFormat } from './text-formats.js'

type Report = (message: string) => void

/** Checks the bounds of a number. In draft 4 `exclusiveMinimum: true` modifies `minimum`. */
export function checkNumber(schema: JsonSchema, value: number, report: Report): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = exclusiveMinimum === true ? minimum : exclusiveMinimum
  const high = exclusiveMaximum === true ? maximum : exclusiveMaximum
  if (typeof minimum === 'number' && value < minimum) report(`${value} is less than ${minimum}`)
  if (typeof maximum === 'number' && value > maximum) report(`${value} is more than ${maximum}`)
  if (typeof low === 'number' && value <= low) report(`${value} is not more than ${low}`)
  if (typeof high === 'number' && value >= high) report(`${value} is not less than ${high}`)
  if (typeof multipleOf === 'number' && !isMultiple(value, multipleOf))
    report(`${value} is not a multiple of ${multipleOf}`)
}

/** Tests divisibility in decimals, without rounding errors: 19.99 is a multiple of 0.01. */
function isMultiple(value: number, of: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(of) || of <= 0) return false
  const [digits, exponent] = decimalOf(value)
  const [otherDigits, otherExponent] = decimalOf(of)
  const shift = exponent - otherExponent
  return shift >= 0
    ? (digits * 10n ** BigInt(shift)) % otherDigits === 0n
    : digits % (otherDigits * 10n ** BigInt(-shift)) === 0n
}

function decimalOf(value: number): readonly [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = Math.abs(value).toString().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}

/** Checks the length and the format of a text. */
export function checkText(schema: JsonSchema, text: string, report: Report): void {
  const { minLength, maxLength, format } = schema
  if (typeof minLength === 'number' && countCharacters(text) < minLength) report(`shorter than ${minLength} characters`)
  if (typeof maxLength === 'number' && countCharacters(text) > maxLength) report(`longer than ${maxLength} characters`)
  if (typeof format === 'string' && !hasFormat(text, format)) report(`not of the format ${format.slice(0, 100)}`)
}

/** Counts code points, as JSON Schema does, not UTF-16 units. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
