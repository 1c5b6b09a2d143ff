import { readEscapes } from './read-declarations.js'
import { closeOf, splitAtCommas } from './split-value.js'

/** Tests of one element: its name, id, classes, attributes and place. */
export interface ElementTest {
  readonly name?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly attributes: readonly AttributeCondition[]
  readonly places: readonly PlaceTest[]
  /** Selectors of which one must select the element itself, none may, or one must select something relative to it. */
  readonly others: readonly OtherTest[]
}

export interface AttributeCondition {
  readonly name: string
  readonly operator: string
  readonly value: string
  readonly ignoresCase: boolean
}

/** A test of an element's place on the page. */
export type PlaceTest =
  | { readonly kind: 'empty' | 'link' }
  | { readonly kind: 'lang'; readonly values: readonly string[] }
  | { readonly kind: 'dir'; readonly value: string }
  | NthTest

/** The places of the series `an+b` among siblings. */
export interface NthTest {
  readonly kind: 'nth'
  readonly isLast: boolean
  readonly isOfType: boolean
  readonly a: number
  readonly b: number
  /** Selectors of the siblings that count. @default all */
  readonly of?: readonly StyleSelector[]
}

interface OtherTest {
  /** `within`: an element around it, or itself, is selected. */
  readonly kind: 'is' | 'not' | 'has' | 'within'
  readonly selectors: readonly StyleSelector[]
  /** Selectors of the elements that end what is `within`. */
  readonly limits?: readonly StyleSelector[] | undefined
}

/** A selector without commas. */
export interface StyleSelector {
  /** From the subject to the left: the combinator is that between the compound and the one before it in this list. */
  readonly steps: readonly StyleStep[]
  readonly specificity: number
  /**
   * True for one that holds in some states of the page only, such as `:hover`. It matches nothing here, but says that what it selects
   * may look different.
   */
  readonly isState: boolean
}

interface StyleStep {
  readonly compound: ElementTest
  readonly combinator: string
}

/** Selectors that the signs `&` and `:scope` of another one stand for. */
export interface SelectorFrame {
  /** Selectors of the rule around it. @default the root of the page */
  readonly parents?: readonly StyleSelector[] | undefined
  /** Selectors of the roots of a scope. @default the root of the page */
  readonly roots?: readonly StyleSelector[] | undefined
  /** Set for a page on which classes and ids have no case. */
  readonly isQuirky?: boolean | undefined
  /** Set where a list with one selector that is none is none itself, wherever it stands. */
  readonly isStrict?: boolean | undefined
}

const NAME = '(?:[\\w-]|[^\\0-\\x7f]|\\\\(?:[\\da-fA-F]{1,6}\\s?|[^\\da-fA-F]))+'
const PART = new RegExp(
  `\\s*([>+~])\\s*|(\\s+)|(&)|((?:\\*|${NAME})?\\|(?!=))?(\\*|${NAME})|#(${NAME})|\\.(${NAME})|` +
    `\\[\\s*(?:\\*?\\|)?(${NAME})\\s*(?:([~|^$*]?=)\\s*(?:"([^"]*)"|'([^']*)'|([^\\]\\s]+))\\s*([iIsS])?\\s*)?\\]|` +
    `(::?)([\\w-]+)(\\()?`,
  'y',
)
/** Matches the begin of what is a number rather than a name. */
const NO_NAME = /^-?\d|^-$/

/** Pseudo-classes for the place among siblings. */
const NTH = /^nth-(last-)?(?:child|(of-type))$/
const ENDS = /^(first|last|only)-(?:child|(of-type))$/
const SERIES = /^(?:(odd|even)|([+-]?\d+)|([+-]?\d*)n(?:\s*([+-])\s*(\d+))?)(?:\s+of\s+(.*))?$/is

/** Pseudo-classes of states that a page may come to, and those that browsers know beside them. */
const STATES = new Set(
  (
    'hover active focus focus-visible focus-within visited target target-current target-before target-after checked disabled enabled ' +
    'indeterminate required optional valid invalid in-range out-of-range read-only read-write placeholder-shown default autofill ' +
    '-webkit-autofill fullscreen -webkit-full-screen -webkit-full-page-media modal popover-open open picture-in-picture user-valid ' +
    'user-invalid active-view-transition future past current -webkit-drag window-inactive horizontal vertical start end corner-present ' +
    'decrement increment single-button double-button no-button interest-source interest-target xr-overlay playing paused muted ' +
    'seeking stalled buffering volume-locked has-slotted local-link blank'
  ).split(' '),
)
const STATE_FUNCTION = /^(?:state|active-view-transition-type|current)$/
/** Pseudo-classes and pseudo-elements that select nothing of the page's own tree. */
const HOSTS = /^(?:host|host-context)$/
const PSEUDO_ELEMENTS =
  /^(?:before|after|first-line|first-letter|marker|placeholder|selection|backdrop|cue|part|slotted|file-selector-button|view-transition(?:-[a-z-]+)?|spelling-error|grammar-error|target-text|search-text|highlight|details-content|scroll-marker(?:-group)?|scroll-button|column|checkmark|picker(?:-icon)?|-webkit-[\w-]+)$/
const OLD_PSEUDO_ELEMENTS = /^(?:before|after|first-line|first-letter)$/

interface MutableTest {
  name?: string
  id?: string
  classes: string[]
  attributes: AttributeCondition[]
  places: PlaceTest[]
  others: OtherTest[]
}

const emptyCompound = (): MutableTest => ({ classes: [], attributes: [], places: [], others: [] })

const NOTHING = 'nothing'
/** A selector that no element of the page itself can match. */
type NoSelector = typeof NOTHING

/**
 * Reads one selector.
 *
 * @returns `nothing` for one that selects no element of the page itself; undefined for one that no browser understands
 */
export function readSelector(
  text: string,
  frame: SelectorFrame = {},
  depth = 0,
): StyleSelector | NoSelector | undefined {
  return new SelectorReader(text, frame, depth).read()
}

class SelectorReader {
  readonly #text: string
  readonly #frame: SelectorFrame
  readonly #depth: number
  readonly #part = new RegExp(PART)
  #compound = emptyCompound()
  #isBegun = false
  #isNothing = false
  #isPseudo = false
  #isState = false
  #specificity = 0

  constructor(text: string, frame: SelectorFrame, depth: number) {
    this.#text = text
    this.#frame = frame
    this.#depth = depth
  }

  read(): StyleSelector | NoSelector | undefined {
    const text = this.#text
    const part = this.#part
    const steps: StyleStep[] = []
    let combinator = ''
    for (let at = 0; at < text.length; at = part.lastIndex) {
      part.lastIndex = at
      const found = part.exec(text)
      if (found === null) return undefined
      const sign = found[1] ?? found[2]
      if (sign === undefined) {
        if (!this.#readPart(found)) return undefined
        this.#isBegun = true
        continue
      }
      if (!this.#isBegun || this.#isPseudo) return undefined
      steps.unshift({ compound: this.#compound, combinator })
      this.#compound = emptyCompound()
      this.#isBegun = false
      combinator = sign.trim() === '' ? ' ' : sign
    }
    if (!this.#isBegun) return undefined
    if (this.#isNothing) return NOTHING
    steps.unshift({ compound: this.#compound, combinator })
    return { steps, specificity: this.#specificity, isState: this.#isState }
  }

  /** @returns false for what no browser understands */
  #readPart(found: RegExpExecArray): boolean {
    const [, , , parent, space, name, id, className, attribute] = found
    const compound = this.#compound
    if (this.#isPseudo && found[14] === undefined) return false
    if (parent !== undefined) this.#addFrame(this.#frame.parents ?? this.#frame.roots)
    else if (name !== undefined) return this.#readName(name, space)
    else if (id !== undefined) {
      if (NO_NAME.test(id)) return false
      const own = this.#fold(readEscapes(id))
      if (compound.id !== undefined && compound.id !== own) this.#isNothing = true
      compound.id = own
      this.#specificity += 1_000_000
    } else if (className !== undefined) {
      if (NO_NAME.test(className)) return false
      compound.classes.push(this.#fold(readEscapes(className)))
      this.#specificity += 1000
    } else if (attribute !== undefined) return this.#readAttribute(attribute, found)
    else return this.#readPseudo(found[15]?.toLowerCase() ?? '', found[14] === '::', found[16] !== undefined)
    return true
  }

  #fold(name: string): string {
    return this.#frame.isQuirky === true ? name.toLowerCase() : name
  }

  #readName(name: string, space: string | undefined): boolean {
    if (this.#isBegun) return false
    // `|p` is an element without a name space, and pages have none.
    if (space === '|') this.#isNothing = true
    else if (space !== undefined && space !== '*|') return false
    if (name === '*') return true
    if (NO_NAME.test(name)) return false
    this.#compound.name = readEscapes(name).toLowerCase()
    this.#specificity += 1
    return true
  }

  #readAttribute(name: string, found: RegExpExecArray): boolean {
    const [operator, double, single, bare, flag] = found.slice(9)
    if (NO_NAME.test(name) || (bare !== undefined && !/^(?!-?\d|-$)[\w\u0080-\uffff\\-]/.test(bare))) return false
    this.#compound.attributes.push({
      name: readEscapes(name).toLowerCase(),
      operator: operator ?? '',
      value: readEscapes(double ?? single ?? bare ?? ''),
      ignoresCase: flag === 'i' || flag === 'I',
    })
    this.#specificity += 1000
    return true
  }

  #readPseudo(kind: string, isElement: boolean, hasBracket: boolean): boolean {
    let inner: string | undefined
    if (hasBracket) {
      const from = this.#part.lastIndex
      const end = closeOf(this.#text, from)
      inner = this.#text.slice(from, end).trim()
      this.#part.lastIndex = end + 1
    }
    if (isElement || OLD_PSEUDO_ELEMENTS.test(kind)) {
      this.#isNothing = true
      this.#isPseudo = true
      return this.#depth === 0 && PSEUDO_ELEMENTS.test(kind)
    }
    if (HOSTS.test(kind)) this.#isNothing = true
    else if (LISTS.has(kind)) return inner !== undefined && this.#readList(kind, inner)
    else if (!(inner === undefined ? this.#readWord(kind) : this.#readFunction(kind, inner))) return false
    this.#specificity += 1000
    return true
  }

  #readWord(kind: string): boolean {
    const { places } = this.#compound
    const [, end, ofType] = ENDS.exec(kind) ?? []
    if (end !== undefined) {
      const nth = { kind: 'nth', isOfType: ofType !== undefined, a: 0, b: 1 } as const
      if (end !== 'last') places.push({ ...nth, isLast: false })
      if (end !== 'first') places.push({ ...nth, isLast: true })
    } else if (kind === 'root') this.#addRoot()
    else if (kind === 'scope') {
      this.#specificity -= 1000
      this.#addFrame(this.#frame.roots)
      this.#specificity += this.#frame.roots === undefined ? 0 : 1000
    } else if (kind === 'empty') places.push({ kind })
    else if (/^(?:-webkit-any-|any-)?link$/.test(kind)) places.push({ kind: 'link' })
    else if (STATES.has(kind)) this.#isState = true
    else return kind === 'defined'
    return true
  }

  #readFunction(kind: string, inner: string): boolean {
    const [isNth, last, ofType] = NTH.exec(kind) ?? []
    if (isNth !== undefined) return this.#readNth(inner, last !== undefined, ofType !== undefined)
    if (inner === '') return false
    if (kind === 'lang') {
      const values = inner
        .replaceAll(/["']/g, '')
        .toLowerCase()
        .split(/[\s,]+/)
      this.#compound.places.push({ kind, values })
    } else if (kind === 'dir') this.#compound.places.push({ kind, value: inner.toLowerCase() })
    else if (STATE_FUNCTION.test(kind)) this.#isState = true
    else return false
    return true
  }

  #readNth(text: string, isLast: boolean, isOfType: boolean): boolean {
    const [all, word, alone, factor, sign = '+', rest = '0', of] = SERIES.exec(text) ?? []
    if (all === undefined || (of !== undefined && isOfType)) return false
    const a =
      word !== undefined ? 2 : alone !== undefined ? 0 : /\d/.test(factor ?? '') ? Number(factor) : Number(`${factor}1`)
    const b = word !== undefined ? (word.toLowerCase() === 'odd' ? 1 : 0) : Number(alone ?? `${sign}${rest}`)
    if (of === undefined) {
      this.#compound.places.push({ kind: 'nth', isLast, isOfType, a, b })
      return true
    }
    const list = this.#readInner(of, false)
    if (list === undefined) return false
    this.#isState ||= list.isState
    this.#specificity += list.specificity
    this.#compound.places.push({ kind: 'nth', isLast, isOfType, a, b, of: list.selectors })
    return true
  }

  /** Reads a pseudo-class with selectors. */
  #readList(kind: string, text: string): boolean {
    const test = LISTS.get(kind) ?? 'is'
    if (this.#depth >= MAX_DEPTH) {
      this.#isState = true
      return true
    }
    const list = this.#readInner(text, test === 'is' && this.#frame.isStrict !== true, test === 'has')
    if (list === undefined) return false
    const { selectors } = list
    this.#isState ||= list.isState
    if (kind !== 'where') this.#specificity += list.specificity
    const alone = test === 'is' && selectors.length === 1 ? selectors[0] : undefined
    const own = alone?.steps.length === 1 ? alone.steps[0]?.compound : undefined
    if (own === undefined || !mergeInto(this.#compound, own)) this.#compound.others.push({ kind: test, selectors })
    return true
  }

  /** @returns undefined for a list with a selector that no browser understands, where it is not forgiven */
  #readInner(text: string, isForgiving: boolean, isRelative = false) {
    const selectors: StyleSelector[] = []
    if (text !== '' || !isForgiving)
      for (const one of splitAtCommas(text)) {
        const inner = one.trim()
        const whole = isRelative ? `*${/^[>+~]/.test(inner) ? '' : ' '}${inner}` : inner
        const selector = inner === '' ? undefined : readSelector(whole, this.#frame, this.#depth + 1)
        if (selector === undefined && !isForgiving) return undefined
        if (typeof selector === 'object') selectors.push(selector)
      }
    return {
      selectors,
      isState: selectors.some((one) => one.isState),
      specificity: Math.max(0, ...selectors.map((one) => one.specificity)),
    }
  }

  #addRoot(): void {
    if ((this.#compound.name ?? 'html') === 'html') this.#compound.name = 'html'
    else this.#isNothing = true
  }

  /** Adds what `&` or `:scope` stands for. */
  #addFrame(selectors: readonly StyleSelector[] | undefined): void {
    if (selectors === undefined) this.#addRoot()
    else this.#compound.others.push({ kind: 'is', selectors })
    this.#isState ||= selectors !== undefined && selectors.length > 0 && selectors.every((one) => one.isState)
    this.#specificity += specificityOf(selectors)
  }
}

export const specificityOf = (selectors: readonly StyleSelector[] | undefined): number =>
  selectors?.reduce((most, { specificity }) => Math.max(most, specificity), 0) ?? 0

/** Pseudo-classes with selectors. */
const LISTS: ReadonlyMap<string, 'is' | 'not' | 'has'> = new Map([
  ['is', 'is'],
  ['where', 'is'],
  ['-webkit-any', 'is'],
  ['not', 'not'],
  ['has', 'has'],
])

/** Maximum nesting of selectors in brackets. */
const MAX_DEPTH = 8

/** Adds the tests of another compound. @returns false where the two contradict each other */
function mergeInto(compound: MutableTest, other: ElementTest): boolean {
  if (compound.name !== undefined && other.name !== undefined && compound.name !== other.name) return false
  if (compound.id !== undefined && other.id !== undefined && compound.id !== other.id) return false
  if (other.name !== undefined) compound.name = other.name
  if (other.id !== undefined) compound.id = other.id
  compound.classes.push(...other.classes)
  compound.attributes.push(...other.attributes)
  compound.places.push(...other.places)
  compound.others.push(...other.others)
  return true
}

/**
 * Writes the first part of a nested selector, which stands for the rule around it, as that rule's selector: one that begins with a class
 * is looked up by it.
 *
 * @param selector whose leftmost part tests for any of several parents
 * @returns undefined if the two contradict each other
 */
export function joinToParent(
  { steps, isState }: StyleSelector,
  parent: StyleSelector,
  parents: readonly StyleSelector[],
  specificity: number,
): StyleSelector | undefined {
  const last = steps[steps.length - 1]
  const [first, ...rest] = parent.steps
  if (last === undefined || first === undefined) return undefined
  const compound = emptyCompound()
  const own = { ...last.compound, others: last.compound.others.filter(({ selectors }) => selectors !== parents) }
  if (!mergeInto(compound, own) || !mergeInto(compound, first.compound)) return undefined
  return {
    steps: [...steps.slice(0, -1), { compound, combinator: first.combinator }, ...rest],
    specificity,
    isState: isState || parent.isState,
  }
}
