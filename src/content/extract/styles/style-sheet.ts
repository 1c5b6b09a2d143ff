import { codeAt } from '../../../base/collections/code-at.js'
import { kindOfMedia } from './media-query.js'
import { type Declaration, type Declarations, readDeclarations } from './read-declarations.js'
import { RuleSelectors, type StyleScope } from './rule-selectors.js'
import { CLOSE, endOfBrackets, nextSign, OPEN, SEMICOLON, splitAtSemicolons } from './scan-css.js'
import type { StyleSelector } from './selector.js'
import { isSupported } from './supports.js'

/** A rule of a style sheet. It is read when it is asked for: a page applies few of those that it has. */
export class StyleRule {
  /** True within a condition that holds for some readers only, such as a width of the window. */
  readonly isConditional: boolean
  /** Name of the cascade layer that it is in. */
  readonly layer: string | undefined
  /** Number of the rule on the page. */
  readonly order: number
  /** Name of the animation that the rule is a frame of. */
  readonly frames: string | undefined
  /** The moments of a frame. */
  readonly moments: string
  readonly #selectors: RuleSelectors | undefined
  readonly #body: string
  readonly #isQuirky: boolean
  #declarations: Declarations | undefined

  constructor(body: string, order: number, block: Block, isQuirky: boolean) {
    this.frames = block.frames
    this.moments = block.moments ?? ''
    this.#selectors = block.selectors
    this.#body = body
    this.#isQuirky = isQuirky
    this.order = order
    this.isConditional = block.isConditional
    this.layer = block.layer
  }

  /** Its selectors as they are written; an empty one for a rule within another. */
  get selectorTexts(): readonly string[] {
    return this.#selectors?.texts ?? []
  }

  /** Reads its selectors. @param isWanted leaves out selectors as they are written */
  readSelectors(isWanted: (selector: string) => boolean): readonly StyleSelector[] {
    return this.#selectors?.read(isWanted) ?? []
  }

  get declarations(): Declarations {
    return (this.#declarations ??= readDeclarations(this.#body, this.#isQuirky) ?? NO_DECLARATIONS)
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

/** Maximum nesting of rules with selectors. Deeper ones are skipped, since each is tested within the ones around it. */
const MAX_NESTED = 60

/** Maximum length of the name of a layer. Those within it are taken for the same one. Characters. */
const MAX_LAYER = 300

/** Declarations that animations leave an element with, by their names. */
export type Keyframes = ReadonlyMap<string, { readonly end: Declarations; readonly always: Declarations }>

/** The rules of a style sheet, and what it says beside them. */
export interface SheetRules {
  readonly rules: readonly StyleRule[]
  /** Names of its layers, in the order in which they appear; those within others have the names of these before their own. */
  readonly layers: readonly string[]
  /** Custom properties that it registers. */
  readonly properties: readonly RegisteredProperty[]
}

/** A custom property with a value of its own. */
export interface RegisteredProperty {
  readonly name: string
  readonly inherits: boolean
  readonly initial: string | undefined
}

/** Circumstances in which a style sheet is read. */
interface SheetReading {
  /** The media that it is for, as of a `style` element. @default all */
  readonly media?: string | undefined
  /** Number of its first rule on the page. */
  readonly first: number
  /** Set for a page without a document type. */
  readonly isQuirky: boolean
}

/** A block of a style sheet that is open. */
interface Block {
  /** Name of the animation that it has the frames of, and the moments of one of these. */
  readonly frames?: string
  readonly moments?: string
  /** Selectors of the style rule that it is; absent for the sheet and for a block of rules, such as that of `@media`. */
  readonly selectors?: RuleSelectors | undefined
  readonly scope?: StyleScope
  /** Name of the custom property that it registers. */
  readonly property?: string
  readonly layer?: string
  readonly isConditional: boolean
  /** True for a block that is not applied to a page on a screen. */
  readonly isSkipped: boolean
}

const SHEET: Block = { isConditional: false, isSkipped: false }

/**
 * Divides a style sheet into its rules, in their order, in time linear in its length. What a browser does not apply to a page on a
 * screen is left out; what it does not understand is skipped as it skips it.
 *
 * @param css without comments
 * @see https://www.w3.org/TR/css-syntax-3/
 */
export const readSheet = (css: string, reading: SheetReading): SheetRules => new SheetReader(css, reading).read()

class SheetReader {
  readonly #css: string
  readonly #reading: SheetReading
  readonly #rules: StyleRule[] = []
  readonly #layers = new Set<string>()
  readonly #properties: RegisteredProperty[] = []
  #block: Block

  constructor(css: string, reading: SheetReading) {
    this.#css = css
    this.#reading = reading
    const { media = '' } = reading
    this.#block = media === '' ? SHEET : { ...SHEET, ...byMedia(media, SHEET) }
  }

  read(): SheetRules {
    const css = this.#css
    const around: Block[] = []
    let from = 0
    /** End of the last declaration before a nested rule. */
    let declared = 0
    for (let at = nextSign(css, 0); at < css.length && this.#rules.length < MAX_RULES; at = nextSign(css, at)) {
      const code = codeAt(css, at)
      const isOfRule = this.#hasDeclarations()
      if (code === SEMICOLON) {
        // Between rules it ends those with an at-sign alone: it is a part of the selectors of others.
        if (isOfRule) declared = at + 1
        else if (this.#readStatement(css.slice(from, at))) from = declared = at + 1
      } else if (code === OPEN) {
        const prelude = css.slice(isOfRule ? declared : from, at).trim()
        if (isOfRule && /^--[^\s:]*\s*:/.test(prelude)) {
          at = endOfBrackets(css, at)
          continue
        }
        if (isOfRule) this.#addRule(css.slice(from, declared))
        around.push(this.#block)
        this.#block = this.#open(around.length === 1 ? prelude.replace(/^(?:<!--|-->|\s+)+/, '') : prelude)
        from = declared = at + 1
      } else if (code === CLOSE && around.length > 0) {
        this.#close(css.slice(from, at))
        this.#block = around.pop() ?? SHEET
        from = declared = at + 1
      }
      at += 1
    }
    this.#close(css.slice(from))
    return { rules: this.#rules, layers: [...this.#layers], properties: this.#properties }
  }

  #hasDeclarations(): boolean {
    return this.#block.selectors !== undefined || this.#block.moments !== undefined
  }

  #close(body: string): void {
    if (this.#block.property !== undefined) this.#register(this.#block.property, body)
    else this.#addRule(body)
  }

  #addRule(body: string): void {
    if (!this.#hasDeclarations() || this.#block.isSkipped || body.length < 3 || this.#rules.length >= MAX_RULES) return
    const { first, isQuirky } = this.#reading
    this.#rules.push(new StyleRule(body, first + this.#rules.length, this.#block, isQuirky))
  }

  #register(name: string, body: string): void {
    const all = new Map(splitAtSemicolons(body).map((one) => divide(one, ':')))
    const initial = all.get('initial-value')
    this.#properties.push({
      name,
      inherits: all.get('inherits')?.toLowerCase() !== 'false',
      initial: initial?.toLowerCase(),
    })
  }

  /** Reads a statement between rules. @returns false for what is none */
  #readStatement(text: string): boolean {
    const statement = text.trim()
    if (!statement.startsWith('@')) return false
    const [, names] = /^@layer\s+([^]*)$/i.exec(statement) ?? []
    if (names !== undefined && !this.#block.isSkipped) for (const name of names.split(',')) this.#addLayer(name.trim())
    return true
  }

  #addLayer(name: string): string {
    const { layer: outer } = this.#block
    // One without a name is one for itself.
    const own = name === '' ? `\0${this.#reading.first + this.#rules.length}-${this.#layers.size}` : name
    const whole = outer === undefined ? own : `${outer}.${own}`
    if (whole.length > MAX_LAYER) return outer ?? own
    this.#layers.add(whole)
    return whole
  }

  /** Opens a block by what stands before it. */
  #open(prelude: string): Block {
    const outer = this.#block
    if (!prelude.startsWith('@')) return this.#openRule(prelude)
    const [, name = '', rest = ''] = /^@([\w-]+)\s*([^]*)$/.exec(prelude) ?? []
    switch (name.toLowerCase()) {
      case 'media':
        return { ...outer, ...byMedia(rest, outer) }
      case 'supports':
        return { ...outer, isSkipped: outer.isSkipped || !isSupported(rest) }
      case 'layer':
        return outer.isSkipped ? outer : { ...outer, layer: this.#addLayer(rest.trim()) }
      case 'container':
        return { ...outer, isConditional: true }
      case 'scope':
        return this.#openScope(rest)
      case 'property':
        return { ...outer, property: rest.trim(), selectors: undefined, isSkipped: true }
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
        return { ...outer, selectors: undefined, isSkipped: true }
    }
  }

  #openRule(prelude: string): Block {
    const outer = this.#block
    if (outer.isSkipped) return { ...outer, selectors: undefined }
    if (outer.frames !== undefined) return { ...outer, moments: prelude.toLowerCase() }
    const { selectors: parent, scope } = outer
    const { isQuirky } = this.#reading
    const selectors = new RuleSelectors(prelude, { outer: parent, scope, isQuirky })
    return { ...outer, selectors, isSkipped: selectors.depth > MAX_NESTED }
  }

  #openScope(rest: string): Block {
    const outer = this.#block
    const [, roots, limits] = /^\((.*?)\)(?:\s*to\s*\((.*)\))?$/s.exec(rest.trim()) ?? []
    // Without a root it is the element around the sheet, which is not known.
    if (roots === undefined || outer.isSkipped) return { ...outer, isConditional: true, selectors: undefined }
    const { isQuirky } = this.#reading
    const around = { outer: outer.selectors, scope: outer.scope, isQuirky }
    const scope = {
      roots: new RuleSelectors(roots, around),
      limits: limits === undefined ? undefined : new RuleSelectors(limits, { isQuirky }),
    }
    return { ...outer, scope, selectors: undefined }
  }
}

function byMedia(query: string, { isConditional, isSkipped }: Block) {
  const kind = kindOfMedia(query)
  return { isConditional: isConditional || kind === 'some', isSkipped: isSkipped || kind === 'none' }
}

function divide(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign)
  return [text.slice(0, Math.max(0, at)).trim().toLowerCase(), text.slice(at + 1).trim()]
}

/** Numbers the layers of a page in the order in which they override each other. Those within another come before it. */
export function orderLayers(names: Iterable<string>): ReadonlyMap<string, number> {
  interface Layer {
    readonly name: string
    readonly inner: Map<string, Layer>
  }
  const top: Layer = { name: '', inner: new Map() }
  for (const name of names) {
    let at = top
    for (const part of name.split('.')) {
      const known = at.inner.get(part)
      const next: Layer = known ?? { name: at === top ? part : `${at.name}.${part}`, inner: new Map() }
      if (known === undefined) at.inner.set(part, next)
      at = next
    }
  }
  const numbers = new Map<string, number>()
  const add = ({ name, inner }: Layer): void => {
    for (const one of inner.values()) add(one)
    numbers.set(name, numbers.size)
  }
  for (const one of top.inner.values()) add(one)
  return numbers
}

/** Reads what the animations of a page leave, from the rules that are their frames. */
export function readKeyframes(frames: readonly StyleRule[]): Keyframes {
  const found = new Map<string, { end: Map<string, Declaration>; start: Map<string, Declaration> }>()
  for (const rule of frames) {
    const name = rule.frames ?? ''
    const known = found.get(name) ?? { end: new Map(), start: new Map() }
    found.set(name, known)
    for (const [property, declaration] of rule.declarations) {
      // An important one is ignored in frames.
      if (declaration.isImportant) continue
      if (/\bto\b|100%/.test(rule.moments)) known.end.set(property, declaration)
      if (/\bfrom\b|(?<!\d)0%/.test(rule.moments)) known.start.set(property, declaration)
    }
  }
  return new Map(
    Array.from(found, ([name, { start, end }]) => [
      name,
      { end, always: new Map([...end].filter(([property, { value }]) => start.get(property)?.value === value)) },
    ]),
  )
}
