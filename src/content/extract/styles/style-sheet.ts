import { codeAt } from '../../../base/collections/code-at.js'
import { type Declaration, type Declarations, readDeclarations, stripComments } from './read-declarations.js'
import { kindOfMedia } from './media-query.js'
import { readSelectors, type StyleSelector } from './selector.js'

/** A rule of a style sheet. It is read when it is asked for: a page applies few of those that it has. */
export class StyleRule {
  /** True within a condition that holds for some readers only, such as a width of the window. */
  readonly isConditional: boolean
  /** True within a cascade layer, which rules outside of layers override. */
  readonly isLayered: boolean
  /** Number of the rule on the page. */
  readonly order: number
  /** Name of the animation that the rule is a frame of. */
  readonly frames: string | undefined
  /** Its selectors, or the moment of a frame. */
  readonly prelude: string
  readonly #body: string
  #declarations: Declarations | undefined
  #selectors: Map<string, StyleSelector | undefined> | undefined

  constructor(prelude: string, body: string, order: number, { isConditional, isLayered, frames }: Block) {
    this.frames = frames
    this.prelude = prelude
    this.#body = body
    this.order = order
    this.isConditional = isConditional
    this.isLayered = isLayered
  }

  /** Reads its selectors. @param isWanted leaves out selectors as they are written */
  readSelectors(isWanted: (selector: string) => boolean): readonly StyleSelector[] {
    return readSelectors(this.prelude, isWanted, (this.#selectors ??= new Map()))
  }

  get declarations(): Declarations {
    return (this.#declarations ??= readDeclarations(this.#body) ?? NO_DECLARATIONS)
  }

  /** Tests its declarations as they are written. */
  isLike(pattern: RegExp): boolean {
    return pattern.test(this.#body)
  }
}

/** True for a selector with a class or an id that is not on the page. One with escapes or functions is not judged. */
export const hasOtherName = (selector: string, names: ReadonlySet<string>): boolean =>
  !selector.includes('\\') && !selector.includes('(') && hasName(selector, 0, (name) => !names.has(name))

/**
 * Tests the names of classes and ids in a selector. With a loop, since a match of each name takes several times as long, and pages have
 * thousands of selectors.
 */
function hasName(selector: string, from: number, test: (name: string) => boolean): boolean {
  for (let begin = from; begin < selector.length;) {
    const code = codeAt(selector, begin)
    begin += 1
    if (code !== DOT && code !== HASH) continue
    let end = begin
    while (end < selector.length && isNameCode(codeAt(selector, end))) end += 1
    if (end > begin && test(selector.slice(begin, end))) return true
    begin = end
  }
  return false
}

const [DOT, HASH, HYPHEN, LOW_LINE, LAST_ASCII] = [46, 35, 45, 95, 127]

/** True for a sign of a name: a letter, a digit, `-`, `_`, and all beyond ASCII. */
const isNameCode = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === HYPHEN ||
  code === LOW_LINE ||
  code > LAST_ASCII

/** True for a selector of elements with one of some names. */
export function endsInName(selector: string, names: ReadonlySet<string>): boolean {
  if (selector.includes('\\')) return true
  const text = selector.trim()
  const subject =
    Math.max(text.lastIndexOf(' '), text.lastIndexOf('>'), text.lastIndexOf('+'), text.lastIndexOf('~')) + 1
  return hasName(text, subject, (name) => names.has(name))
}

const NO_DECLARATIONS: Declarations = new Map()

/** Maximum rules of a page that are read. Those after them are not applied. */
const MAX_RULES = 20_000

/** Maximum nesting of blocks. Deeper ones are skipped. */
const MAX_DEPTH = 12

/** Declarations that animations leave an element with, by their names. */
export type Keyframes = ReadonlyMap<string, { readonly end: Declarations; readonly always: Declarations }>

/** A block of a style sheet that is open. */
interface Block {
  /** Name of the animation that it has the frames of. */
  readonly frames?: string
  /** Selectors of the style rule that it is; absent for the sheet and for a block of rules, such as that of `@media`. */
  readonly selectors?: string | undefined
  readonly isConditional: boolean
  readonly isLayered: boolean
  /** True for a block that is not applied to a page on a screen. */
  readonly isSkipped: boolean
}

const SHEET: Block = { isConditional: false, isLayered: false, isSkipped: false }

/** Matches the begin of a string that would be taken for the structure of a sheet. */
const MAY_BE_BRACED = /["'][^"'\n]{0,5000}[{};]/

/**
 * Divides a style sheet into its rules, in their order, in time linear in its length. What a browser does not apply to a page on a
 * screen is left out; what it does not understand is skipped as it skips it.
 *
 * @param rules list to which its rules are added
 * @param first number of its first rule on the page. @default that behind those of the list
 * @param media the media that the sheet is for, as of a `style` element
 * @see https://www.w3.org/TR/css-syntax-3/
 */
export function addRules(sheet: string, rules: StyleRule[], media = '', first = rules.length): void {
  const bare = stripComments(sheet)
  const css = MAY_BE_BRACED.test(bare) ? withoutBraces(bare) : bare
  const open: Block[] = [media === '' ? SHEET : openBlock(`@media ${media}`, SHEET)]
  let [start, end] = [css.indexOf('{'), css.indexOf('}')]
  for (let at = 0; at < css.length && rules.length < MAX_RULES;) {
    const block = open[open.length - 1] ?? SHEET
    // Looked for once: without one of the two, each step would search to the end.
    if (start !== -1 && start < at) start = css.indexOf('{', at)
    if (end !== -1 && end < at) end = css.indexOf('}', at)
    if (end === -1 && start === -1) {
      addRule(css.slice(at), block, rules, first)
      return
    }
    if (start === -1 || (end !== -1 && end < start)) {
      addRule(css.slice(at, end), block, rules, first)
      if (open.length > 1) open.pop()
      at = end + 1
      continue
    }
    const before = css.slice(at, start)
    // Statements, and the declarations before a nested rule.
    const statements = before.lastIndexOf(';') + 1
    if (statements > 0) addRule(before.slice(0, statements), block, rules, first)
    const prelude = before.slice(statements).trim()
    open.push(open.length > MAX_DEPTH ? { ...block, isSkipped: true } : openBlock(prelude, block))
    at = start + 1
  }
}

/** Replaces signs within strings that are part of the structure of a sheet elsewhere. */
function withoutBraces(css: string): string {
  const parts: string[] = []
  let from = 0
  for (let start = css.search(/["']/); start !== -1;) {
    const end = endOfString(css, start)
    parts.push(css.slice(from, start), css.slice(start, end).replace(/[{};]/g, ' '))
    from = end
    const next = css.slice(end, end + MAX_BETWEEN).search(/["']/)
    start = next === -1 ? nextQuote(css, end + MAX_BETWEEN) : end + next
  }
  return `${parts.join('')}${css.slice(from)}`
}

/** Characters behind a string that are searched for the next one at first. */
const MAX_BETWEEN = 500

function nextQuote(css: string, from: number): number {
  const double = css.indexOf('"', from)
  const single = css.indexOf("'", from)
  return double === -1 ? single : single === -1 ? double : Math.min(double, single)
}

/** Returns the index behind a string. One that is not closed ends with its line. */
function endOfString(css: string, from: number): number {
  const quote = codeAt(css, from)
  for (let at = from + 1; at < css.length; at += 1) {
    const code = codeAt(css, at)
    if (code === BACKSLASH) at += 1
    else if (code === quote || code === LINE_FEED) return at + 1
  }
  return css.length
}

const BACKSLASH = 92
const LINE_FEED = 10

function addRule(body: string, block: Block, rules: StyleRule[], first: number): void {
  if (block.selectors === undefined || block.isSkipped || body.length < 3) return
  rules.push(new StyleRule(block.selectors, body, first + rules.length, block))
}

/** Opens a block by what stands before it. */
function openBlock(prelude: string, outer: Block): Block {
  const { isConditional, isLayered, isSkipped, frames } = outer
  if (!prelude.startsWith('@')) {
    if (frames !== undefined) return { ...outer, selectors: prelude }
    const selectors = outer.selectors === undefined ? prelude : nest(prelude, outer.selectors)
    return { selectors, isConditional, isLayered, isSkipped: isSkipped || selectors === '' }
  }
  const [, name = '', rest = ''] = /^@([\w-]+)\s*([^]*)$/.exec(prelude) ?? []
  switch (name.toLowerCase()) {
    case 'media': {
      const kind = kindOfMedia(rest)
      return { ...outer, isConditional: isConditional || kind === 'some', isSkipped: isSkipped || kind === 'none' }
    }
    case 'supports':
      return { ...outer, isSkipped: isSkipped || /^not\b/i.test(rest) }
    case 'layer':
      return { ...outer, isLayered: true }
    case 'container':
    case 'scope':
      return { ...outer, isConditional: true }
    case 'keyframes':
    case '-webkit-keyframes':
      return {
        ...outer,
        frames: rest
          .trim()
          .replace(/^["']|["']$/g, '')
          .toLowerCase(),
        selectors: undefined,
      }
    default:
      return { ...outer, isSkipped: true }
  }
}

/** Reads what the animations of a page leave, from the rules that are their frames. */
export function readKeyframes(frames: readonly StyleRule[]): Keyframes {
  const found = new Map<string, { end: Map<string, Declaration>; start: Map<string, Declaration> }>()
  for (const rule of frames) {
    const name = rule.frames ?? ''
    const known = found.get(name) ?? { end: new Map(), start: new Map() }
    found.set(name, known)
    const moments = rule.prelude.toLowerCase()
    for (const [property, declaration] of rule.declarations) {
      if (/\bto\b|100%/.test(moments)) known.end.set(property, declaration)
      if (/\bfrom\b|(?<!\d)0%/.test(moments)) known.start.set(property, declaration)
    }
  }
  return new Map(
    Array.from(found, ([name, { start, end }]) => [
      name,
      { end, always: new Map([...end].filter(([property, { value }]) => start.get(property)?.value === value)) },
    ]),
  )
}

/** Maximum length of the selectors of a nested rule. Each level multiplies those around it. */
const MAX_NESTED = 2000

/** Writes the selectors of a nested rule as a browser reads them. */
function nest(inner: string, outer: string): string {
  if (inner.length * outer.length > MAX_NESTED ** 2 / 8) return ''
  const around = outer.split(',').map((one) => one.trim())
  const nested = inner
    .split(',')
    .flatMap((one) =>
      around.map((parent) => (one.includes('&') ? one.replaceAll('&', parent) : `${parent} ${one.trim()}`)),
    )
    .join(',')
  return nested.length > MAX_NESTED ? '' : nested
}
