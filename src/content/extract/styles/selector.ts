import { readEscapes } from './read-declarations.js'
import { splitAtCommas } from './split-value.js'

/** Tests of one element: its name, id, classes, attributes and place. */
export interface ElementTest {
  readonly name?: string
  readonly id?: string
  readonly classes: readonly string[]
  readonly attributes: readonly AttributeCondition[]
  /** Names of pseudo-classes for the place among siblings. */
  readonly places: readonly string[]
  /** Selectors of which one must select the element itself, none may, or one must select something relative to it. */
  readonly others: readonly OtherTest[]
}

export interface AttributeCondition {
  readonly name: string
  readonly operator: string
  readonly value: string
  readonly ignoresCase: boolean
}

interface OtherTest {
  readonly kind: 'is' | 'not' | 'has'
  readonly selectors: readonly StyleSelector[]
}

/** A selector without commas. */
export interface StyleSelector {
  /** From the subject to the left: the combinator is that between the compound and the one before it in this list. */
  readonly steps: readonly { readonly compound: ElementTest; readonly combinator: string }[]
  readonly specificity: number
  /**
   * True for one that holds in some states of the page only, such as `:hover`, or that is not understood. It matches nothing
   * here, but says that what it selects may look different.
   */
  readonly isState: boolean
}

/** Maximum length of a selector, and number of selectors of a rule. Others are not read. */
const MAX_LENGTH = 300
const MAX_SELECTORS = 200

const NAME = '(?:[\\w-]|[^\\0-\\x7f]|\\\\(?:[\\da-fA-F]{1,6}\\s?|[^\\da-fA-F]))+'
const PART = new RegExp(
  `\\s*([>+~])\\s*|(\\s+)|\\*|(${NAME})|#(${NAME})|\\.(${NAME})|` +
    `\\[\\s*(${NAME})\\s*(?:([~|^$*]?=)\\s*(?:"([^"]*)"|'([^']*)'|([^\\]\\s]+))\\s*([is])?\\s*)?\\]|` +
    `(::?)([\\w-]+)(\\()?`,
  'y',
)

/** Pseudo-classes for the place among siblings, and those that hold for every link. */
const PLACES = /^(?:(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type))$/
const ALWAYS: ReadonlySet<string> = new Set(['root', 'link', 'any-link', 'scope'])

/** Reads the selectors of a rule. Those of pseudo-elements and of shadow trees are left out. @param known selectors that were read before */
export function readSelectors(
  text: string,
  isWanted: (selector: string) => boolean,
  known = new Map<string, StyleSelector | undefined>(),
): StyleSelector[] {
  const found: StyleSelector[] = []
  for (const one of splitAtCommas(text).slice(0, MAX_SELECTORS)) {
    if (one.length > MAX_LENGTH || !isWanted(one)) continue
    if (!known.has(one)) known.set(one, readSelector(one.trim()))
    const selector = known.get(one)
    if (selector !== undefined) found.push(selector)
  }
  return found
}

interface MutableTest {
  name?: string
  id?: string
  classes: string[]
  attributes: AttributeCondition[]
  places: string[]
  others: OtherTest[]
}

const emptyCompound = (): MutableTest => ({ classes: [], attributes: [], places: [], others: [] })

/** Reads one selector. @returns undefined for one that selects no element of the page itself */
export function readSelector(text: string, depth = 0): StyleSelector | undefined {
  const steps: { compound: MutableTest; combinator: string }[] = []
  let compound = emptyCompound()
  let combinator = ''
  let specificity = 0
  let isState = false
  const part = new RegExp(PART)
  for (let at = 0; at < text.length; at = part.lastIndex) {
    part.lastIndex = at
    const found = part.exec(text)
    if (found === null || text === '') return undefined
    const [
      ,
      sign,
      space,
      name,
      id,
      className,
      attribute,
      operator,
      double,
      single,
      bare,
      flag,
      colons,
      pseudo,
      bracket,
    ] = found
    if (sign !== undefined || space !== undefined) {
      steps.unshift({ compound, combinator })
      compound = emptyCompound()
      combinator = sign ?? ' '
    } else if (name !== undefined) {
      compound.name = readEscapes(name).toLowerCase()
      specificity += 1
    } else if (id !== undefined) {
      compound.id = readEscapes(id)
      specificity += 1_000_000
    } else if (className !== undefined) {
      compound.classes.push(readEscapes(className))
      specificity += 1000
    } else if (attribute !== undefined) {
      const value = readEscapes(double ?? single ?? bare ?? '')
      compound.attributes.push({
        name: attribute.toLowerCase(),
        operator: operator ?? '',
        value,
        ignoresCase: flag === 'i' || flag === 'I',
      })
      specificity += 1000
    } else if (pseudo !== undefined) {
      const kind = pseudo.toLowerCase()
      if (colons === '::' || PSEUDO_ELEMENTS.test(kind)) return undefined
      let inner = ''
      if (bracket !== undefined) {
        const end = closeOf(text, part.lastIndex)
        inner = text.slice(part.lastIndex, end).trim()
        part.lastIndex = end + 1
      }
      const list = LISTS.get(kind)
      if (list !== undefined && bracket !== undefined && depth < MAX_DEPTH) {
        const read = readOthers(list, inner, depth)
        isState ||= read.isState
        if (read.alone === undefined) compound.others.push(read.others)
        else mergeInto(compound, read.alone)
        if (kind !== 'where') specificity += read.specificity
      } else {
        if (PLACES.test(kind) && !inner.includes(' of '))
          compound.places.push(inner === '' ? kind : `${kind}(${inner.toLowerCase()})`)
        else if (kind === 'root') compound.name = 'html'
        else if (!ALWAYS.has(kind)) isState = true
        specificity += 1000
      }
    }
  }
  steps.unshift({ compound, combinator })
  return { steps, specificity, isState }
}

const PSEUDO_ELEMENTS = /^(?:before|after|first-line|first-letter|host|slotted|part)$/

/** Pseudo-classes with selectors. */
const LISTS: ReadonlyMap<string, OtherTest['kind']> = new Map([
  ['is', 'is'],
  ['where', 'is'],
  ['matches', 'is'],
  ['-webkit-any', 'is'],
  ['not', 'not'],
  ['has', 'has'],
])

/** Reads the selectors of a pseudo-class. One test of the element itself is returned alone. */
function readOthers(kind: OtherTest['kind'], inner: string, depth: number) {
  const selectors = splitAtCommas(inner).map((one) => {
    const text = one.trim()
    const isRelative = kind === 'has'
    return readSelector(isRelative ? `*${/^[>+~]/.test(text) ? '' : ' '}${text}` : text, depth + 1)
  })
  const known = selectors.filter((one) => one !== undefined)
  const [first] = known
  return {
    others: { kind, selectors: known },
    alone: kind === 'is' && known.length === 1 && first?.steps.length === 1 ? first.steps[0]?.compound : undefined,
    isState: known.length < selectors.length || known.some((one) => one.isState),
    specificity: Math.max(0, ...known.map((one) => one.specificity)),
  }
}

/** Maximum nesting of selectors in brackets. */
const MAX_DEPTH = 4

function mergeInto(compound: MutableTest, other: ElementTest): void {
  if (other.name !== undefined) compound.name = other.name
  if (other.id !== undefined) compound.id = other.id
  compound.classes.push(...other.classes)
  compound.attributes.push(...other.attributes)
  compound.places.push(...other.places)
  compound.others.push(...other.others)
}

/** Returns the index of the bracket that closes. */
function closeOf(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at
  }
  return text.length
}
