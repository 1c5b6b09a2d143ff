import { both, evaluate, negate, type ConditionOutcome } from './css-condition.js'
import { numberOf } from './css-math.js'
import { splitAtCommas } from './split-value.js'

/** Tells for whom a media query holds: all readers at a screen, some of them, or none. */
export function kindOfMedia(query: string): 'all' | 'some' | 'none' {
  const kinds = splitAtCommas(query.toLowerCase()).map((one) => kindOfOne(one.trim()))
  return kinds.includes('all') ? 'all' : kinds.includes('some') ? 'some' : 'none'
}

function kindOfOne(query: string): ConditionOutcome {
  if (query === '') return 'all'
  const [, prefix, type, joint, rest = ''] = /^(?:(not|only)\s+)?([a-z-]+)(?:\s+(and)\s+(.*))?$/s.exec(query) ?? []
  if (type === undefined) return evaluate(query, kindOfFeature) ?? 'none'
  if (RESERVED.test(type)) return 'none'
  // Behind a type, conditions are joined by `and` alone.
  const condition = joint === undefined ? 'all' : evaluate(rest, kindOfFeature)
  if (condition === undefined || (joint !== undefined && /\)\s*or\b/.test(withoutBrackets(rest)))) return 'none'
  const outcome = both(type === 'all' || type === 'screen' ? 'all' : 'none', condition)
  return prefix === 'not' ? negate(outcome) : outcome
}

const RESERVED = /^(?:not|and|or|only|layer)$/

/** Empties brackets, such that what joins them is left. */
export function withoutBrackets(text: string): string {
  let depth = 0
  return text.replace(/[()]|[^()]+/g, (part) => {
    if (part === '(') depth += 1
    const kept = depth === 0 || (part === ')' && depth === 1) ? part : ''
    if (part === ')') depth -= 1
    return kept
  })
}

/** Width and height that every window has, and that none has. Pixels. */
const MAX_LEAST = 300
const MIN_MOST = 100
const MAX_MOST = 10_000

const SIZE = /^(min-|max-)?(?:device-)?(?:width|height|inline-size|block-size)$/

/** Features with words, and those with numbers, of which a reader may have any. */
const WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['orientation', /^(?:portrait|landscape)$/],
  ['hover', /^(?:none|hover)$/],
  ['any-hover', /^(?:none|hover)$/],
  ['pointer', /^(?:none|coarse|fine)$/],
  ['any-pointer', /^(?:none|coarse|fine)$/],
  ['prefers-color-scheme', /^(?:light|dark)$/],
  ['prefers-reduced-motion', /^(?:no-preference|reduce)$/],
  ['prefers-reduced-transparency', /^(?:no-preference|reduce)$/],
  ['prefers-reduced-data', /^(?:no-preference|reduce)$/],
  ['prefers-contrast', /^(?:no-preference|more|less|custom)$/],
  ['forced-colors', /^(?:none|active)$/],
  ['inverted-colors', /^(?:none|inverted)$/],
  ['display-mode', /^(?:browser|standalone|minimal-ui|fullscreen|picture-in-picture|window-controls-overlay|tabbed)$/],
  ['update', /^(?:none|slow|fast)$/],
  ['overflow-block', /^(?:none|scroll|paged)$/],
  ['overflow-inline', /^(?:none|scroll)$/],
  ['color-gamut', /^(?:srgb|p3|rec2020)$/],
  ['dynamic-range', /^(?:standard|high)$/],
  ['video-dynamic-range', /^(?:standard|high)$/],
  ['scripting', /^(?:none|initial-only|enabled)$/],
  ['scan', /^(?:interlace|progressive)$/],
  ['device-posture', /^(?:continuous|folded)$/],
  ['-webkit-transform-3d', /^[01]$/],
])
const NUMBERS =
  /^(?:(?:min-|max-)?(?:device-)?aspect-ratio|(?:min-|max-)?(?:resolution|color-index|horizontal-viewport-segments|vertical-viewport-segments)|-webkit-(?:min-|max-)?device-pixel-ratio)$/

/** Tells for whom a feature in brackets holds, such as `min-width: 600px` or `400px < width`. */
function kindOfFeature(inner: string, name: string): ConditionOutcome {
  if (name !== '') return 'unknown'
  const colon = inner.indexOf(':')
  if (colon !== -1) return kindOfPair(inner.slice(0, colon).trim(), inner.slice(colon + 1).trim())
  // Spaces around a sign in the pattern would take more than linear time.
  const parts = inner.split(/([<>]=?|=)/).map((part) => part.trim())
  const [first = '', sign = '', second = '', next, third] = parts
  if (parts.length === 1) return kindOfWord(first)
  if (parts.length === 5 && next !== undefined && third !== undefined)
    return both(kindOfRange(second, turned(sign), first), kindOfRange(second, next, third))
  if (parts.length !== 3) return 'unknown'
  return /^[a-z]/.test(first) && numberOf(first) === undefined
    ? kindOfRange(first, sign, second)
    : kindOfRange(second, turned(sign), first)
}

const turned = (sign: string): string => (sign.startsWith('<') ? `>${sign.slice(1)}` : sign.replace('>', '<'))

function kindOfRange(name: string, sign: string, value: string): ConditionOutcome {
  if (/^m(?:in|ax)-/.test(name)) return 'unknown'
  return kindOfPair(`${sign.startsWith('>') ? 'min-' : sign.startsWith('<') ? 'max-' : ''}${name}`, value)
}

/** Tells for whom a feature without a value holds. */
function kindOfWord(name: string): ConditionOutcome {
  if (/^m(?:in|ax)-/.test(name)) return 'unknown'
  if (SIZE.test(name) || name === 'color') return 'all'
  if (name === 'grid' || name === 'monochrome') return 'none'
  return WORDS.has(name) || NUMBERS.test(name) ? 'some' : 'unknown'
}

function kindOfPair(name: string, value: string): ConditionOutcome {
  const [, bound] = SIZE.exec(name) ?? []
  if (SIZE.test(name)) {
    const pixels = lengthOf(value)
    if (pixels === undefined) return 'unknown'
    if (bound === 'min-') return pixels <= MAX_LEAST ? 'all' : pixels > MAX_MOST ? 'none' : 'some'
    if (bound === 'max-') return pixels < MIN_MOST ? 'none' : pixels > MAX_MOST ? 'all' : 'some'
    return pixels < MIN_MOST || pixels > MAX_MOST ? 'none' : 'some'
  }
  const words = WORDS.get(name)
  if (words !== undefined) return words.test(value) ? 'some' : 'unknown'
  if (NUMBERS.test(name)) return /^[\d.(+-]|^calc\(/.test(value) ? 'some' : 'unknown'
  if (!/^\d+$/.test(value)) return 'unknown'
  const least = name.startsWith('min-')
  switch (name.replace(/^m(?:in|ax)-/, '')) {
    case 'color':
      return least && Number(value) <= 8 ? 'all' : 'some'
    case 'monochrome':
    case 'grid':
      return Number(value) === 0 ? 'all' : least || !name.startsWith('max-') ? 'none' : 'all'
    default:
      return 'unknown'
  }
}

/** Reads a length of a media query, whose units are those of the usual size of letters. */
function lengthOf(value: string): number | undefined {
  const isPlain = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(value)
  return isPlain && Number(value) !== 0 ? undefined : numberOf(value)
}
