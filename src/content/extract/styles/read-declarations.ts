import { COMMENT_GAP, splitAtSemicolons, stripComments } from './scan-css.js'
import { splitAtSpaces } from './split-value.js'
import { EVERYWHERE, isValidValue } from './valid-value.js'

/** Properties that may hide text, by their names. */
export type Declarations = ReadonlyMap<string, Declaration>

/** The value of a property, in lower case and without comments. */
export interface Declaration {
  readonly value: string
  readonly isImportant: boolean
}

/** Properties by which text is hidden or shown, and those that say that a script shows it later. */
const OWN_PROPERTIES =
  'display visibility content-visibility opacity filter color -webkit-text-fill-color -webkit-text-stroke ' +
  '-webkit-text-stroke-width -webkit-text-stroke-color text-shadow font-size line-height zoom ' +
  'text-indent background background-color background-image background-clip position left right top bottom ' +
  'margin-left margin-top transform scale translate rotate clip clip-path mask mask-image mask-size contain ' +
  'width height max-width max-height min-width min-height flex flex-grow padding-top padding-bottom overflow-x overflow-y grid-template-rows fill fill-opacity stroke ' +
  'transition transition-property animation animation-name animation-fill-mode animation-iteration-count will-change z-index'

const EVERY_PROPERTY = OWN_PROPERTIES.split(' ')

/** Names that stand for others, in a text that runs from the left to the right and from top to bottom. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...'clip-path mask mask-image mask-size transform filter background-clip animation animation-name animation-fill-mode animation-iteration-count transition'
    .split(' ')
    .map((name): [string, string] => [`-webkit-${name}`, name]),
  ['-ms-transform', 'transform'],
  ['-moz-transform', 'transform'],
  ['inset-inline-start', 'left'],
  ['inset-inline-end', 'right'],
  ['inset-block-start', 'top'],
  ['inset-block-end', 'bottom'],
  ['margin-inline-start', 'margin-left'],
  ['margin-block-start', 'margin-top'],
  ['block-size', 'height'],
  ['inline-size', 'width'],
  ['max-block-size', 'max-height'],
  ['max-inline-size', 'max-width'],
  ['overflow-block', 'overflow-y'],
  ['overflow-inline', 'overflow-x'],
])

/** Properties that stand for several, with those that are read. */
const SHORTHANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['inset', ['top', 'right', 'bottom', 'left']],
  ['inset-inline', ['left', 'right']],
  ['inset-block', ['top', 'bottom']],
  ['margin', ['margin-top', 'margin-left']],
  ['margin-inline', ['margin-left']],
  ['margin-block', ['margin-top']],
  ['padding', ['padding-top', 'padding-bottom']],
  ['overflow', ['overflow-x', 'overflow-y']],
  ['font', ['font-size']],
])

/** Names of properties that are read, as pages write them. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  ...OWN_PROPERTIES.split(' '),
  'all',
  ...ALIASES.keys(),
  ...SHORTHANDS.keys(),
])

/** Properties that a shorthand sets to their first value, where it does not name them: it is read for itself. */
const RESETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['background', ['background-color', 'background-image']],
  ['mask', ['mask-image', 'mask-size']],
  ['animation', ['animation-name', 'animation-fill-mode', 'animation-iteration-count']],
  ['transition', ['transition-property']],
  ['-webkit-text-stroke', ['-webkit-text-stroke-width', '-webkit-text-stroke-color']],
  ['flex', ['flex-grow']],
])

/** Stands for a property without a value of its own. */
export const RESET = ''

/**
 * Reads declarations, such as those of a `style` attribute. Custom properties are among them. A property that stands for several is
 * divided into these. A value that browsers do not take is left out, so that an earlier one stays.
 *
 * @param isQuirky set for a page without a document type
 * @returns undefined if none of them has an effect on whether text is seen
 */
export function readDeclarations(text: string, isQuirky: boolean): Declarations | undefined {
  let found: Map<string, Declaration> | undefined
  for (const part of splitAtSemicolons(stripComments(text))) {
    const colon = part.indexOf(':')
    if (colon === -1) continue
    const name = nameIn(part.slice(0, colon))
    const isCustom = name.startsWith('--')
    if (!isCustom && !READ_PROPERTIES.has(name)) continue
    const written = readEscapes(part.slice(colon + 1).replaceAll(COMMENT_GAP, ' ')).trim()
    const bare = written.replace(IMPORTANT, '')
    const isImportant = bare.length < written.length
    for (const [own, value] of readValue(name, lowerCase(bare.slice(0, MAX_VALUE)), isQuirky)) {
      found ??= new Map()
      if (found.get(own)?.isImportant !== true || isImportant) found.set(own, { value, isImportant })
    }
  }
  return found
}

const IMPORTANT = /\s*!\s*important$/i

/** Writes a value in lower case, but the names of custom properties. */
const lowerCase = (value: string): string =>
  value.includes('--')
    ? value.replace(/--[\w\u0080-\uffff-]*|[^-]+|-/g, (part) => (part.startsWith('--') ? part : part.toLowerCase()))
    : value.toLowerCase()

/** Returns the properties that a value gives, with their own values. None if browsers do not take it. */
export function readValue(name: string, value: string, isQuirky: boolean): readonly (readonly [string, string])[] {
  if (name.startsWith('--')) return [[name, value]]
  if (value === '') return []
  if (name === 'all') return EVERYWHERE.test(value) ? EVERY_PROPERTY.map((own) => [own, value]) : []
  const shorthand = SHORTHANDS.get(name)
  if (shorthand === undefined) {
    const own = ALIASES.get(name) ?? name
    if (!isValidValue(own, value, isQuirky)) return []
    const resets = RESETS.get(own)
    return resets === undefined ? [[own, value]] : [[own, value], ...resets.map((one) => [one, RESET] as const)]
  }
  if (name === 'font' && !value.includes(' ') && !EVERYWHERE.test(value) && !SYSTEM_FONT.test(value)) return []
  const isWhole = value.includes('var(')
  if (!isWhole && splitAtSpaces(value).length > MAX_PARTS) return []
  const found: [string, string][] = []
  for (const own of shorthand) {
    const part = isWhole ? value : /-(?:inline|block)$/.test(name) ? pairPart(value, own) : partOf(value, own)
    if (part === undefined || !isValidValue(own, part, isQuirky)) return []
    found.push([own, part])
  }
  return found
}

const SYSTEM_FONT = /^(?:caption|icon|menu|message-box|small-caption|status-bar)$/

/** Maximum parts of a shorthand. Fonts have more. */
const MAX_PARTS = 20

/** Returns the part of a value for the begin or the end of a line or of a block. */
function pairPart(value: string, own: string): string | undefined {
  const [begin, end = begin] = splitAtSpaces(value)
  return own === 'right' || own === 'bottom' ? end : begin
}

const SIDES: ReadonlyMap<string, number> = new Map([
  ['top', 0],
  ['right', 1],
  ['bottom', 2],
  ['left', 3],
  ['padding-top', 0],
  ['padding-bottom', 2],
  ['margin-top', 0],
  ['margin-left', 3],
])

/** Returns the part of a value that is for one property, where it is that of several. */
export function partOf(value: string, name: string): string | undefined {
  if (name === 'font-size')
    return value.includes(' ')
      ? /(?:^|\s)((?:\d+\.?\d*|\.\d+)(?:[a-z]+|%)?)(?=[\s/]|$)/.exec(value.replace(/\b[1-9]00\b/g, ''))?.[1]
      : value
  if (!/\s/.test(value)) return value
  const side = SIDES.get(name)
  const parts = splitAtSpaces(value)
  if (side === undefined) return name === 'overflow-y' ? (parts[1] ?? parts[0]) : parts[0]
  return parts[side] ?? parts[side - 2] ?? parts[0]
}

/** Maximum length of a value. Longer ones are shadows, pictures and the like. */
const MAX_VALUE = 1000

/** Reads the name of a property. Those of custom properties have a case. */
function nameIn(text: string): string {
  const name = readEscapes(text).trim()
  return name.startsWith('--') ? name : name.toLowerCase()
}

/** Reads the escapes of a name or a value. */
export const readEscapes = (text: string): string => (text.includes('\\') ? text.replace(ESCAPE, readEscape) : text)

const ESCAPE = /\\(?:([\da-f]{1,6})\s?|([^\da-f]))/gi

function readEscape(_: string, code: string | undefined, sign: string): string {
  if (code === undefined) return sign
  const point = Number.parseInt(code, 16)
  return point > 0 && point < 0x11_0000 ? String.fromCodePoint(point) : ''
}
