import { Element, findElement, isElement, isText, setChildren, Text, walk } from '../../html/tree.js'
import { joinGlyphs, makeMath as make, rowOf as join, tokensOf } from './drawn-glyphs.js'
import { readGlyphs } from './drawn-positions.js'

/** A part of a drawing with the place that its markup or its position gives it. */
interface Part {
  readonly element: Element
  readonly kind: string
  /** Name of the element around it that says what it is, such as `sup` or `num`; empty if there is none. */
  readonly slot: string
  /** Height above the line of the element around it, in a unit of the drawing; undefined if it is not stated. */
  readonly height: number | undefined
}

const KINDS: ReadonlySet<string> = new Set(
  (
    'mi mn mo mtext ms mrow texatom mstyle mpadded merror menclose mphantom mspace mfrac msqrt mroot msup msub ' +
    'msubsup mover munder munderover mtable mtr mlabeledtr mtd mmultiscripts math'
  ).split(' '),
)
const TOKENS: ReadonlySet<string> = new Set('mi mn mo mtext ms'.split(' '))
const SLOTS: ReadonlySet<string> = new Set(
  'base sup sub script under over op num numerator den denominator root surd line'.split(' '),
)

/**
 * Reads a formula that MathJax 2 or 3 has drawn, in HTML or SVG, as MathML. Each part says by its tag, attribute or class which element
 * of MathML it was made from; its characters are text, classes or attributes.
 *
 * @returns no elements if there is nothing that can be read
 */
export function readMathJax(drawing: Element): Element[] {
  const parts = partsOf(drawing)
  return parts.length > 0 ? parts.flatMap(build) : readGlyphs(drawing)
}

/** Returns the name that an element of a drawing states, without its prefix. */
function nameOf({ name, attribs }: Element): string {
  if (name.startsWith('mjx-')) return name.slice(4)
  const node = attribs['data-mml-node']
  if (node !== undefined) return node.toLowerCase()
  for (const token of (attribs['class'] ?? '').split(/\s+/, 5)) {
    const bare = token.startsWith('mjx-') ? token.slice(4) : token
    if (KINDS.has(bare) || (bare !== token && SLOTS.has(bare))) return bare
  }
  return ''
}

function partsOf(element: Element, slot = '', height?: number): Part[] {
  return element.children.filter(isElement).flatMap((child): Part[] => {
    const name = nameOf(child)
    const raised = heightOf(child) ?? height
    // The lower limit of a sum stands in an element of its own, in that of both.
    const isNested = name === 'munder' && nameOf(element) === 'box' && slot === ''
    if (name === 'math' || (isNested && isInLimits(element))) return partsOf(child, slot, raised)
    if (KINDS.has(name)) return [{ element: child, kind: name, slot, height: raised }]
    if (name === 'surd' || name === 'line') return []
    return partsOf(child, SLOTS.has(name) ? name : slot, raised)
  })
}

const isInLimits = ({ parent }: Element): boolean =>
  parent !== null && isElement(parent) && nameOf(parent) === 'munderover'

function heightOf({ attribs }: Element): number | undefined {
  const [, y] = /translate\(\s*-?[\d.]+[\s,]+(-?[\d.]+)/.exec(attribs['transform'] ?? '') ?? []
  if (y !== undefined) return Number(y)
  const [, top] = /(?:^|;)\s*top\s*:\s*(-?[\d.]+)em/.exec(attribs['style'] ?? '') ?? []
  return top === undefined ? undefined : -Number(top)
}

const rowOf = (parts: readonly Part[]): Element => join(parts.flatMap(build))

function build({ element, kind }: Part): Element[] {
  if (TOKENS.has(kind)) return buildToken(element, kind)
  if (kind === 'mphantom' || kind === 'mspace') return []
  const parts = partsOf(element)
  if (kind === 'mfrac') return [buildFraction(parts, findElement(element, isLine) !== undefined)]
  if (kind === 'msqrt' || kind === 'mroot') return [buildRoot(parts, kind === 'mroot')]
  if (/^m(?:su[bp]|subsup)$/.test(kind)) return [buildScripts(parts, kind, SCRIPTS)]
  if (/^m(?:under|over|underover)$/.test(kind)) return [buildLimits(parts, kind)]
  if (kind === 'mtable' || kind === 'mtr' || kind === 'mlabeledtr' || kind === 'mtd')
    return [make(kind, parts.flatMap(build))]
  return parts.length === 0 ? [] : [rowOf(parts)]
}

function buildToken(element: Element, kind: string): Element[] {
  const text = charactersOf(element)
  if (text.trim() === '') return []
  const token = new Element(kind, {})
  setChildren(token, [new Text(kind === 'mtext' ? text : text.trim())])
  return [token]
}

const isLine = ({ name, attribs }: Element): boolean =>
  name === 'mjx-line' ||
  name === 'rect' ||
  /mjx-line|border-(?:left|top|bottom)/.test(`${attribs['class']} ${attribs['style']}`)

function buildFraction(parts: readonly Part[], hasLine: boolean): Element {
  const below = parts.filter(({ slot }) => slot.startsWith('den'))
  const above = parts.filter(({ slot }) => slot.startsWith('num'))
  const isNamed = above.length > 0 && below.length > 0
  const pair = isNamed ? [above, below] : [parts.slice(0, 1), parts.slice(1)]
  const fraction = make('mfrac', pair.map(rowOf))
  if (!hasLine) fraction.attribs['linethickness'] = '0'
  return fraction
}

function buildRoot(parts: readonly Part[], hasDegree: boolean): Element {
  const inside = parts.filter(({ element, kind }) => kind !== 'mo' || charactersOf(element).trim() !== '√')
  if (!hasDegree) return make('msqrt', inside.flatMap(build))
  const degrees = inside.filter(({ slot }) => slot === 'root')
  const degree = degrees.length > 0 ? degrees : inside.slice(-1)
  return make('mroot', [rowOf(inside.filter((part) => !degree.includes(part))), rowOf(degree)])
}

const isNucleus = ({ slot }: Part): boolean => slot === 'base' || slot === 'op'

/** Names of elements with a part below, above, and on both sides. */
type SidedNames = readonly [lower: string, upper: string, both: string]

const SCRIPTS: SidedNames = ['msub', 'msup', 'msubsup']
const LIMITS: SidedNames = ['munder', 'mover', 'munderover']

/** Builds an element with a base, and one or two parts below and above it. */
function buildScripts(parts: readonly Part[], kind: string, [lower, upper, both]: SidedNames): Element {
  const bases = parts.filter(isNucleus)
  const [base, ...others] = bases.length > 0 ? [...bases, ...parts.filter((part) => !isNucleus(part))] : parts
  if (base === undefined) return make('mrow', [])
  const isUpper = (part: Part): boolean => {
    if (part.slot === 'sup' || part.slot === 'over') return true
    if (part.slot === 'sub' || part.slot === 'under') return false
    if (kind === lower || kind === upper) return kind === upper
    const level = base.height ?? (part.element.attribs['transform'] === undefined ? undefined : 0)
    if (part.height !== undefined && level !== undefined && part.height !== level) return part.height > level
    // Both stand in one element, the upper one first.
    return others.length > 1 ? others.indexOf(part) < others.length / 2 : kind.startsWith('msup')
  }
  const above = others.filter(isUpper)
  const below = others.filter((part) => !above.includes(part))
  const inner = rowOf([base])
  const line = kind.includes('over') ? lineOver(above) : undefined
  if (line !== undefined) return make('mover', [inner, line])
  if (below.length === 0) return above.length === 0 ? inner : make(upper, [inner, rowOf(above)])
  return above.length === 0 ? make(lower, [inner, rowOf(below)]) : make(both, [inner, rowOf(below), rowOf(above)])
}

/** Returns the line over a part, which is drawn as one sign or more. */
function lineOver(above: readonly Part[]): Element | undefined {
  const [only] = above
  return above.length === 1 && only?.kind === 'mo' && /^(?:[¯‾]+|–)$/.test(charactersOf(only.element).trim())
    ? tokensOf('¯')[0]
    : undefined
}

function buildLimits(parts: readonly Part[], kind: string): Element {
  // Beside the sign, they are drawn as scripts.
  if (parts.some(({ slot }) => slot === 'script'))
    return buildScripts(parts, kind === 'munder' ? 'msub' : kind === 'mover' ? 'msup' : 'msubsup', SCRIPTS)
  const hasNucleus = parts.some(isNucleus)
  // The upper part of a drawing in HTML precedes its base.
  const ordered = hasNucleus
    ? parts
    : parts.toSorted((one, other) => Number(one.slot !== '') - Number(other.slot !== ''))
  return buildScripts(ordered, kind, LIMITS)
}

/** Returns the characters of a token: those that classes or attributes name by their code, or else its text. */
function charactersOf(element: Element): string {
  let text = ''
  walk(element, (node) => {
    if (isText(node)) text += node.data.trim() === '' ? '' : node.data
    if (!isElement(node)) return true
    const code = codeOf(node)
    if (code === undefined) return true
    text += code
    return false
  })
  return joinGlyphs(text)
}

function codeOf({ name, attribs }: Element): string | undefined {
  const [, ofClass] = /(?:^|\s)mjx-c([\dA-F]{2,6})(?=\s|$)/.exec(attribs['class'] ?? '') ?? []
  const drawn = attribs['data-c'] ?? (name === 'use' ? hrefOf(attribs) : undefined)
  const code = ofClass ?? drawn
  const value = code !== undefined && /^[\da-f]{2,6}$/i.test(code) ? Number.parseInt(code, 16) : 0
  return value > 0x20 && value <= 0x10_ff_ff ? String.fromCodePoint(value) : undefined
}

const hrefOf = (attribs: Readonly<Record<string, string | undefined>>): string | undefined =>
  /-([\dA-F]{2,6})$/i.exec(attribs['href'] ?? attribs['xlink:href'] ?? '')?.[1]
