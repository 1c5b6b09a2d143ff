import { functionsIn, splitAtCommas, splitAtSpaces } from './split-value.js'
import { colourOf, isColourName } from './style-colours.js'

/** Words that are a value of every property. */
export const EVERYWHERE = /^(?:initial|inherit|unset|revert|revert-layer|revert-rule)$/

/** Functions whose value is known only where they are computed. */
const LATE = /\b(?:var|env|attr|if)\(/

/** Functions that give a number, which are believed to give one of the right kind. */
const COMPUTING =
  /^-?(?:-webkit-calc|calc|min|max|clamp|abs|sign|round|mod|rem|pow|sqrt|hypot|log|exp|sin|cos|tan|asin|acos|atan|atan2|progress|random|sibling-index|sibling-count|anchor|anchor-size|calc-size|fit-content)\(.*\)$/

const PLAIN_NUMBER = /^([+-]?)(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/
const LENGTH =
  /^([+-]?)(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:px|%|r?em|r?ex|r?ch|r?ic|r?lh|r?cap|[sld]?v(?:[whib]|min|max)|cq(?:[whib]|min|max)|pt|pc|in|cm|mm|q)$/
const ZERO = /^[+-]?(?:0+\.?0*|\.0+)$/
const ANGLE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?:deg|grad|rad|turn)$/

type Test = (value: string, isQuirky: boolean) => boolean

/** Lengths without a unit are pixels on pages without a document type, for some properties. */
const length =
  (words: RegExp, { isPositive = false, isBare = false } = {}): Test =>
  (value, isQuirky) => {
    if (words.test(value) || COMPUTING.test(value) || ZERO.test(value)) return true
    const [, sign] = LENGTH.exec(value) ?? (isBare && isQuirky ? PLAIN_NUMBER.exec(value) : undefined) ?? []
    return sign !== undefined && (sign !== '-' || !isPositive)
  }

const number =
  (words: RegExp, isShare: boolean, isPositive = false): Test =>
  (value) => {
    const [, sign] = PLAIN_NUMBER.exec(isShare ? value.replace(/%$/, '') : value) ?? []
    return (sign !== undefined && (sign !== '-' || !isPositive)) || words.test(value) || COMPUTING.test(value)
  }

const words =
  (pattern: RegExp): Test =>
  (value) =>
    pattern.test(value)

const none = /^none$/
const auto = /^auto$/
const never = /^$/
const size = length(
  /^(?:auto|none|min-content|max-content|fit-content|stretch|-webkit-(?:fill-available|fit-content|min-content|max-content))$/,
  { isPositive: true, isBare: true },
)
const side = length(auto, { isBare: true })
const padding = length(never, { isPositive: true, isBare: true })
const overflow = words(/^(?:visible|hidden|clip|scroll|auto|overlay)$/)

const BARE_COLOUR = /^(?:[\da-f]{3}|[\da-f]{6})$/
const COLOUR_FUNCTION =
  /^(?:rgba?|hsla?|hwb|lab|lch|oklab|oklch|color|color-mix|light-dark|contrast-color|alpha)\(.*\)$/
/** Matches colours that are computed from others, or that have parts which are. */
const MADE_COLOUR = /from\b|calc|min\(|max\(|clamp|mix|dark|contrast|xyz|none/

const colour: Test = (value, isQuirky) =>
  value.startsWith('#')
    ? colourOf(value) !== undefined
    : isColourName(value) ||
      (COLOUR_FUNCTION.test(value) && (colourOf(value) !== undefined || MADE_COLOUR.test(value))) ||
      (isQuirky && BARE_COLOUR.test(value))

const DISPLAY =
  /^(?:none|contents|inline-(?:block|flex|grid|table)|table-(?:row|cell|caption|row-group|header-group|footer-group|column|column-group)|ruby-text|-webkit-(?:inline-)?(?:box|flex))$/
const OUTER = /^(?:block|inline)$/
const INNER = /^(?:flow|flow-root|flex|grid|table|math|ruby)$/

/** At most one word for the outside, one for the inside, and that of list items. */
function isDisplay(value: string): boolean {
  if (DISPLAY.test(value)) return true
  const all = splitAtSpaces(value)
  const count = (pattern: RegExp): number => all.filter((one) => pattern.test(one)).length
  const [outer, inner, item] = [count(OUTER), count(INNER), count(/^list-item$/)]
  return outer <= 1 && inner <= 1 && item <= 1 && outer + inner + item === all.length
}

const TRANSFORMS =
  /^(?:matrix(?:3d)?|translate(?:3d|[xyz])?|scale(?:3d|[xyz])?|rotate(?:3d|[xyz])?|skew[xy]?|perspective)$/
const FILTERS =
  /^(?:blur|brightness|contrast|drop-shadow|grayscale|hue-rotate|invert|opacity|saturate|sepia|url|-webkit-gradient)$/
const SHAPES = /^(?:inset|circle|ellipse|polygon|path|shape|rect|xywh|url)$/
const BOXES = /^(?:border|padding|content|margin|fill|stroke|view)-box$/

const isNumeric = (value: string): boolean =>
  PLAIN_NUMBER.test(value) || LENGTH.test(value) || ANGLE.test(value) || COMPUTING.test(value)

/** Functions of one kind, one behind another. */
function functions(names: RegExp, isArgument: (one: string) => boolean = () => true): Test {
  return (value) => {
    if (none.test(value)) return true
    const all = functionsIn(value)
    return all.length > 0 && all.every(({ name, args }) => names.test(name) && args.every(isArgument))
  }
}

const isShape: Test = (value) =>
  none.test(value) ||
  splitAtSpaces(value).every((one) => BOXES.test(one) || functionsIn(one).some(({ name }) => SHAPES.test(name)))

const BACKGROUND =
  /^(?:none|no-repeat|repeat(?:-[xy])?|space|round|fixed|local|scroll|cover|contain|auto|center|left|right|top|bottom|text|border-area|alpha|luminance|match-source|add|subtract|intersect|exclude|source-(?:over|in|out|atop)|xor|\/)$/

const isBackground: Test = (value, isQuirky) =>
  splitAtCommas(value.replaceAll('/', ' / ')).every((layer) => {
    const parts = splitAtSpaces(layer.trim())
    let colours = 0
    return (
      parts.length > 0 &&
      parts.every((one) => {
        if (colour(one, isQuirky)) return (colours += 1) < 2
        return BACKGROUND.test(one) || BOXES.test(one) || isNumeric(one) || one.includes('(')
      })
    )
  })

const isPaint: Test = (value, isQuirky) =>
  /^(?:none|context-fill|context-stroke)$/.test(value) || colour(value, isQuirky) || value.startsWith('url(')

const anyNumbers =
  (most: number, kind: RegExp): Test =>
  (value) => {
    const parts = splitAtSpaces(value)
    return none.test(value) || (parts.length <= most && parts.every((one) => isNumeric(one) || kind.test(one)))
  }

/** Tests by properties. Of those without one, every value is taken. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['display', isDisplay],
  ['visibility', words(/^(?:visible|hidden|collapse)$/)],
  ['content-visibility', words(/^(?:visible|hidden|auto)$/)],
  ['opacity', number(never, true)],
  ['fill-opacity', number(never, true)],
  ['zoom', number(/^normal$/, true, true)],
  ['flex-grow', number(never, false, true)],
  ['z-index', words(/^(?:auto|[+-]?\d+|calc\(.*\))$/)],
  ['filter', functions(FILTERS)],
  ['transform', functions(TRANSFORMS, isNumeric)],
  ['scale', anyNumbers(3, never)],
  ['rotate', anyNumbers(4, /^[xyz]$/)],
  ['translate', anyNumbers(3, never)],
  ['clip', words(/^(?:auto|rect\(.*\))$/)],
  ['clip-path', isShape],
  ['position', words(/^(?:static|relative|absolute|fixed|sticky)$/)],
  ['overflow-x', overflow],
  ['overflow-y', overflow],
  ...['left', 'right', 'top', 'bottom', 'margin-left', 'margin-top'].map((name): [string, Test] => [name, side]),
  ...['width', 'height', 'max-width', 'max-height', 'min-width', 'min-height'].map((name): [string, Test] => [
    name,
    size,
  ]),
  ['padding-top', padding],
  ['padding-bottom', padding],
  [
    'font-size',
    length(
      /^(?:xx-small|x-small|small|medium|large|x-large|xx-large|xxx-large|smaller|larger|math|caption|icon|menu|message-box|small-caption|status-bar)$/,
      { isPositive: true, isBare: true },
    ),
  ],
  ['line-height', (value, isQuirky) => number(/^normal$/, false, true)(value, isQuirky) || padding(value, isQuirky)],
  ['text-indent', (value, isQuirky) => side(splitAtSpaces(value)[0] ?? '', isQuirky) && !auto.test(value)],
  ['contain', words(/^(?:none|strict|content|(?:(?:size|inline-size|layout|style|paint)(?:\s+|$))+)$/)],
  ['color', colour],
  ['-webkit-text-fill-color', colour],
  ['-webkit-text-stroke-color', colour],
  ['background-color', colour],
  ['background', isBackground],
  ['background-image', isBackground],
  ['background-clip', isBackground],
  ['mask', isBackground],
  ['mask-image', isBackground],
  ['mask-size', isBackground],
  ['fill', isPaint],
  ['stroke', isPaint],
])

/**
 * True for a value that browsers take for a property, in lower case. They ignore a declaration with another one, so that an earlier
 * one stays.
 *
 * @param isQuirky set for a page without a document type
 */
export function isValidValue(name: string, value: string, isQuirky: boolean): boolean {
  const test = tests.get(name)
  return test === undefined || EVERYWHERE.test(value) || LATE.test(value) || test(value, isQuirky)
}
