import { areAlike, whyHidden } from '../elements/why-hidden.js'
import { at, child, childrenNamed, type XmlElement } from '../package/xml.js'
import { fillPattern, type NumberPattern, readPattern } from './number-pattern.js'

/** Display format of a number. */
export type NumberKind =
  | { readonly kind: 'number' }
  | { readonly kind: 'percent' }
  | { readonly kind: 'pattern'; readonly pattern: NumberPattern }
  | { readonly kind: 'money'; readonly before: string; readonly after: string; readonly decimals: number }
  | { readonly kind: 'date'; readonly hasDate: boolean; readonly hasTime: boolean; readonly isSpan: boolean }

const NUMBER: NumberKind = { kind: 'number' }

/** Built-in number formats. @see ECMA-376 part 1, section 18.8.30 */
const BUILT_IN: ReadonlyMap<number, string> = new Map([
  [5, '"$"#,##0'],
  [6, '"$"#,##0'],
  [7, '"$"#,##0.00'],
  [8, '"$"#,##0.00'],
  [9, '0%'],
  [10, '0.00%'],
  [14, 'yyyy-mm-dd'],
  [15, 'd-mmm-yy'],
  [16, 'd-mmm'],
  [17, 'mmm-yy'],
  [18, 'h:mm AM/PM'],
  [19, 'h:mm:ss AM/PM'],
  [20, 'h:mm'],
  [21, 'h:mm:ss'],
  [22, 'm/d/yy h:mm'],
  [45, 'mm:ss'],
  [46, '[h]:mm:ss'],
  [47, 'mm:ss.0'],
])

/** Reads the number formats by cell style. */
export function readNumberKinds(styles: XmlElement | undefined): readonly NumberKind[] {
  const codes = new Map<number, string>(BUILT_IN)
  // Built-in East Asian date formats.
  for (const id of [27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) codes.set(id, 'yyyy-mm-dd')
  for (const { attributes } of childrenNamed(at(styles, 'x:numFmts'), 'x:numFmt'))
    codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '')
  const known = new Map<number, NumberKind>()
  return childrenNamed(at(styles, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const id = Number(attributes['numFmtId'] ?? '0')
    const kind = known.get(id) ?? readFormat(codes.get(id) ?? '')
    known.set(id, kind)
    return kind
  })
}

/**
 * Reads by cell style why nobody sees its cells: white letters on no fill, or a size of one point.
 *
 * @see ECMA-376 part 1, section 18.8
 */
export function readHidingStyles(styles: XmlElement | undefined): readonly (string | undefined)[] {
  const codes = new Map(
    childrenNamed(at(styles, 'x:numFmts'), 'x:numFmt').map(({ attributes }) => [
      attributes['numFmtId'] ?? '',
      attributes['formatCode'] ?? '',
    ]),
  )
  const fonts = childrenNamed(at(styles, 'x:fonts'), 'x:font').map((font) => {
    const colour = child(font, 'x:color')?.attributes
    const isWhite =
      (colour?.['theme'] === '0' && colour['tint'] === undefined) || /^(?:1|9)$/.test(colour?.['indexed'] ?? '')
    const size = Number(child(font, 'x:sz')?.attributes['val'] ?? NaN)
    const rgb = isWhite ? 'ffffff' : colour?.['rgb']?.slice(-6)
    return { size: size > 0 ? size : undefined, colour: rgb }
  })
  const fills = childrenNamed(at(styles, 'x:fills'), 'x:fill').map((fill) => {
    const pattern = child(fill, 'x:patternFill')
    const isPlain = (pattern?.attributes['patternType'] ?? 'none') === 'none'
    const rgb = child(pattern, 'x:fgColor')?.attributes['rgb']?.slice(-6)
    const ground = pattern?.attributes['patternType'] === 'solid' ? rgb : undefined
    const isWhite = areAlike(rgb, 'ffffff')
    return pattern === undefined || !(isPlain || isWhite) ? { isShaded: true, ground } : { isShaded: false }
  })
  return childrenNamed(at(styles, 'x:cellXfs'), 'x:xf').map(({ attributes }) => {
    const font = fonts[Number(attributes['fontId'] ?? '0')]
    const fill = fills[Number(attributes['fillId'] ?? '0')]
    if (SHOWS_NOTHING.test(codes.get(attributes['numFmtId'] ?? '') ?? '')) return 'has a format that shows nothing'
    return font && whyHidden({ ...font, ...fill }, fill?.isShaded === false)
  })
}

/** Format without a section for any value. */
const SHOWS_NOTHING = /^(?:\s*|"\s*")(?:;\s*){3}$/

/** Classifies a number format by its first section; the others are for negative numbers, zero and text. */
export function readFormat(code: string): NumberKind {
  const [positive = ''] = code.slice(0, 500).split(';', 1)
  const bare = positive
    // A character after `_` is a space of its width, and one after `*` fills the cell: neither is displayed.
    .replace(/"[^"]*"|\\.|_.|\*./g, (part) => (/^[_*]/.test(part) ? '' : part))
    .replace(/\[\$([^\]-]*)[^\]]*\]/g, '"$1"')
    .replace(/\[(?:h+|m+|s+)\]/gi, (unit) => `\u0001${unit.charAt(1)}`)
    .replace(/\[[^\]]*\]/g, '')
  const letters = bare.replace(/"[^"]*"|\\./g, '')
  const decimals = /\.(0+)/.exec(letters)?.[1]?.length ?? 0
  if (/[ymdhs]/i.test(letters) && !/[#?]|general/i.test(letters)) {
    const isTime = /[hs]/i.test(letters)
    return {
      kind: 'date',
      hasDate: /[yd]/i.test(letters) || !isTime,
      hasTime: isTime,
      isSpan: letters.includes('\u0001'),
    }
  }
  if (letters.includes('%')) return { kind: 'percent' }
  const sign = /\p{Lu}{0,3}\p{Sc}|\b(?:EUR|USD|GBP|CHF|JPY)\b|kr|zł|Kč/u.exec(bare)
  const pattern = readPattern(code.slice(0, 500))
  // A currency with more text, such as `"$"0" million"`, has an amount of another size without that text.
  const otherText =
    bare
      .replace(sign?.[0] ?? '', '')
      .match(/"[^"]*"|\\./g)
      ?.join('') ?? ''
  const isAmount = sign !== null && /[0#]/.test(letters) && !/\p{L}/u.test(otherText)
  if (!isAmount) return pattern === undefined ? NUMBER : { kind: 'pattern', pattern }
  const isBefore = sign.index < bare.search(/[0#]/)
  return { kind: 'money', before: isBefore ? sign[0] : '', after: isBefore ? '' : ` ${sign[0]}`, decimals }
}

/**
 * Formats a number: dates in ISO 8601, others with all their digits and without thousands separators, with the text and the
 * leading zeros of their format.
 */
export function showNumber(written: string, kind: NumberKind, is1904: boolean): string {
  const value = Number(written)
  if (written.trim() === '' || !Number.isFinite(value)) return written
  switch (kind.kind) {
    case 'date':
      return showDate(value, kind, is1904) ?? plainNumber(value)
    case 'percent':
      return showPercent(value)
    case 'money':
      return `${value < 0 ? '-' : ''}${kind.before}${padDecimals(plainNumber(Math.abs(value)), kind.decimals)}${kind.after}`
    case 'pattern':
      return fillPattern(value, kind.pattern, (part) => writePart(part, written)) ?? showPlain(written)
    default:
      return showPlain(written)
  }
}

/** Formats the size of a number, or a part of it. */
const writePart = (part: number, written: string): string =>
  part === Math.abs(Number(written)) ? showPlain(written.trim().replace(/^-/, '')) : plainNumber(part)

/** Formats a number with 15 significant digits, without the noise of binary fractions. */
const plainNumber = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(15)))

/** Formats a number without a unit. Integers that a double cannot hold, such as account numbers, stay as they are. */
export const showPlain = (written: string): string =>
  /^-?[1-9]\d{15,}$/.test(written) ? written : plainNumber(Number(written))

/** Appends zeros up to a number of decimals. */
function padDecimals(digits: string, decimals: number): string {
  const [whole = '', fraction = ''] = digits.split('.')
  return decimals === 0 || digits.includes('e') ? digits : `${whole}.${fraction.padEnd(Math.min(decimals, 20), '0')}`
}

/** Formats a fraction as a percentage. */
export const showPercent = (value: number): string => `${plainNumber(Number((value * 100).toFixed(8)))}%`

const DAY_MS = 86_400_000

// Serial number of the first day of the year 10000. It and later days are not dates.
const MAX_DAYS = 2_958_466

function showDate(
  value: number,
  { hasDate, hasTime, isSpan }: { hasDate: boolean; hasTime: boolean; isSpan: boolean },
  is1904: boolean,
): string | undefined {
  if (value < 0 || value >= MAX_DAYS) return undefined
  if (isSpan || (!hasDate && value < 1)) return showSpan(value)
  // The 1900 date system contains a nonexistent 29 February 1900.
  const days = is1904 ? value + 1462 : value < 60 ? value + 1 : value
  const moment = new Date(Math.round((days - 25_569) * DAY_MS))
  const iso = moment.toISOString()
  const time = iso.slice(11, 19).replace(/:00$/, '')
  if (!hasDate) return time
  return hasTime || value % 1 !== 0 ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10)
}

/** Formats a duration as hours and minutes, with seconds if they are not 0. */
function showSpan(days: number): string {
  const seconds = Math.round(days * 86_400)
  const two = (number: number): string => String(number).padStart(2, '0')
  const rest = seconds % 60
  const minutes = Math.floor(seconds / 60)
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}${rest === 0 ? '' : `:${two(rest)}`}`
}

/**
 * Decodes escaped characters that XML cannot contain, such as `_x000D_`.
 *
 * @see ECMA-376 part 1, section 22.9.2.19
 */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
        const letter = String.fromCharCode(Number.parseInt(code, 16))
        return letter === '\r' ? '' : letter
      })
    : text
