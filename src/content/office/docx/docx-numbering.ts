import { boundedNumber } from '../elements/create-element.js'
import { child, childrenNamed, type XmlElement } from '../package/xml.js'

/** Label of a numbered or bulleted paragraph. */
export interface NumberedItem {
  readonly isOrdered: boolean
  readonly number: number
  /** Label as displayed: `2.1`, `(a)`; empty for bullets. */
  readonly label: string
  /** True for a label that is the number alone, as lists of Markdown have it: `2.`, `b)`. */
  readonly isSimple: boolean
  /** Identifier of its list. */
  readonly list: string
  /** True for a bullet that is a space: the paragraph continues the item before. */
  readonly isBlank: boolean
  /** Indentation of its text by its level. Twentieths of a point. */
  readonly indent: number
}

/** Counts the items of a file's lists. Call `next` exactly once for each numbered paragraph, in document order. */
export interface Numbering {
  /** Returns the next item of a list; undefined for an unknown list. */
  next(id: string, level: number): NumberedItem | undefined
}

interface Level {
  readonly format: string
  readonly start: number
  readonly text: string
  /** True if its label shows the numbers of all levels in decimal digits: `1.1` instead of `I.1`. */
  readonly isLegal: boolean
  /** Number of outer levels whose items restart it, the outermost first. */
  readonly restartedBy: number
  readonly indent: number
}

const LEVELS = 9

/** Formats that a level in decimal digits keeps. */
const KEPT_IN_LEGAL = new Set(['decimalZero', 'bullet', 'none'])

/** @see ECMA-376 part 1, section 17.9 */
export function readNumbering(root: XmlElement | undefined): Numbering {
  const abstracts = new Map(
    childrenNamed(root, 'w:abstractNum').map((element) => [element.attributes['w:abstractNumId'] ?? '', element]),
  )
  const numbers = new Map(childrenNamed(root, 'w:num').map((element) => [element.attributes['w:numId'] ?? '', element]))
  // A list may refer to a style, which refers to the list that defines it.
  const byStyle = new Map(
    [...abstracts.values()].flatMap((element): [string, XmlElement][] => {
      const style = child(element, 'w:styleLink')?.attributes['w:val']
      return style === undefined ? [] : [[style, element]]
    }),
  )
  const lists = new Map<string, { key: string; levels: readonly Level[]; restarts: ReadonlyMap<number, number> }>()
  const counts = new Map<string, (number | undefined)[]>()
  const begun = new Set<string>()

  const find = (id: string) => {
    const known = lists.get(id)
    const number = numbers.get(id)
    if (known !== undefined || number === undefined) return known
    const key = child(number, 'w:abstractNumId')?.attributes['w:val'] ?? ''
    const abstract = abstracts.get(key)
    const linked = child(abstract, 'w:numStyleLink')?.attributes['w:val']
    const source = linked === undefined ? abstract : (byStyle.get(linked) ?? abstract)
    const list = { key, levels: readLevels(source, number), restarts: readRestarts(number) }
    lists.set(id, list)
    return list
  }

  return {
    next(id, asked) {
      const list = find(id)
      if (list === undefined) return undefined
      const level = Math.min(LEVELS - 1, Math.max(0, asked))
      const own = counts.get(list.key) ?? []
      counts.set(list.key, own)
      if (!begun.has(id)) for (const at of list.restarts.keys()) own.length = Math.min(own.length, at)
      begun.add(id)
      const startOf = (at: number): number => list.restarts.get(at) ?? list.levels[at]?.start ?? 1
      // Skipped levels count as one item.
      for (let at = 0; at < level; at += 1) own[at] ??= startOf(at)
      own[level] = (own[level] ?? startOf(level) - 1) + 1
      for (let at = level + 1; at < own.length; at += 1)
        if (level < (list.levels[at]?.restartedBy ?? LEVELS)) own[at] = undefined
      const { format = 'bullet', text = '', isLegal = false, indent = 0 } = list.levels[level] ?? {}
      const isOrdered = format !== 'bullet' && format !== 'none'
      const formatOf = (at: number): string => {
        const written = list.levels[at]?.format ?? 'decimal'
        return isLegal && !KEPT_IN_LEGAL.has(written) ? 'decimal' : written
      }
      const label = isOrdered
        ? text.replace(/%([1-9])/g, (_, digit: string) => {
            const at = Number(digit) - 1
            return formatNumber(own[at] ?? startOf(at), formatOf(at))
          })
        : ''
      const isBlank = !isOrdered && /^\s+$/.test(text)
      const isSimple = /^\s*%[1-9][.)]?\s*$/.test(text)
      return { isOrdered, number: own[level] ?? 1, label, isSimple, list: list.key, isBlank, indent }
    },
  }
}

function readLevels(abstract: XmlElement | undefined, number: XmlElement): Level[] {
  const levels: Level[] = []
  const own = childrenNamed(number, 'w:lvlOverride').flatMap((override) => childrenNamed(override, 'w:lvl'))
  for (const element of [...childrenNamed(abstract, 'w:lvl'), ...own]) {
    const at = levelIn(element)
    // A level of one list states what differs from that of its definition.
    const before = levels[at]
    levels[at] = {
      format: child(element, 'w:numFmt')?.attributes['w:val'] ?? before?.format ?? 'decimal',
      start: numberIn(child(element, 'w:start')?.attributes['w:val'], before?.start ?? 1),
      text: (child(element, 'w:lvlText')?.attributes['w:val'] ?? before?.text ?? '').slice(0, 100),
      isLegal: isSet(child(element, 'w:isLgl')) || before?.isLegal === true,
      restartedBy: numberIn(child(element, 'w:lvlRestart')?.attributes['w:val'], before?.restartedBy ?? at),
      indent: indentIn(child(element, 'w:pPr')) ?? before?.indent ?? 0,
    }
  }
  return levels
}

const readRestarts = (number: XmlElement): ReadonlyMap<number, number> =>
  new Map(
    childrenNamed(number, 'w:lvlOverride').flatMap((override): [number, number][] => {
      const start = child(override, 'w:startOverride')?.attributes['w:val']
      return start === undefined ? [] : [[levelIn(override), numberIn(start, 1)]]
    }),
  )

/** Returns the indentation that properties of paragraphs state. Twentieths of a point. */
export function indentIn(properties: XmlElement | undefined): number | undefined {
  const { attributes = {} } = child(properties, 'w:ind') ?? {}
  const written = attributes['w:left'] ?? attributes['w:start']
  return written === undefined ? undefined : numberIn(written, 0)
}

const isSet = (flag: XmlElement | undefined): boolean =>
  flag !== undefined && !/^(?:0|false|off)$/.test(flag.attributes['w:val'] ?? '')

const levelIn = ({ attributes }: XmlElement): number =>
  boundedNumber(attributes['w:ilvl'], { least: 0, most: LEVELS - 1, otherwise: 0 })

const numberIn = (value: string | undefined, otherwise: number): number =>
  boundedNumber(value, { least: 0, most: 1_000_000, otherwise })

/** Formats a list number. @see ECMA-376 part 1, section 17.18.59 */
function formatNumber(value: number, format: string): string {
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
