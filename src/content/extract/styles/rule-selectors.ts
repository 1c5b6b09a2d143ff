import { joinToParent, readSelector, type SelectorFrame, specificityOf, type StyleSelector } from './selector.js'
import { splitAtCommas } from './split-value.js'

/** Maximum length of a selector. Longer ones are not read. */
const MAX_LENGTH = 2000
/** Maximum selectors of a rule that may select something on a page, and those that nested ones are written out with. */
const MAX_SELECTORS = 300

/** The part of a page that rules are for. */
export interface StyleScope {
  /** Selectors of its roots. */
  readonly roots: RuleSelectors
  /** Selectors of the elements that end it. */
  readonly limits: RuleSelectors | undefined
}

/** Surroundings of the selectors of a rule. */
interface Surroundings {
  /** Selectors of the rule that it is nested in. */
  readonly outer?: RuleSelectors | undefined
  readonly scope?: StyleScope | undefined
  readonly isQuirky?: boolean
}

/** Matches what simple selectors do not have: they are understood by every browser, and need not be read to know it. */
const MAY_BE_NONE = /[^\w .#>~*+-]|[.#](?![a-z_-])|[>+~] ?[>+~]|^[>+~]|[>+~]$|\*[\w*]|\w\*|(?:^|[ >+~])-?\d/i

const isSimple = (selector: string): boolean => selector !== '' && !MAY_BE_NONE.test(selector.replaceAll(/\s+/g, ' '))

const ANY = (): boolean => true

/** The selectors of a rule, as they are written. Few of them are read: those that may select something on a page. */
export class RuleSelectors {
  readonly #text: string
  readonly #around: Surroundings
  readonly #read = new Map<string, readonly StyleSelector[] | undefined>()
  #parts: readonly string[] | undefined
  #isValid: boolean | undefined
  #frame: SelectorFrame | undefined
  #all: readonly StyleSelector[] | undefined

  constructor(text: string, around: Surroundings) {
    this.#text = text
    this.#around = around
  }

  /** Number of rules that it is nested in. */
  get depth(): number {
    return this.#around.outer === undefined ? 0 : this.#around.outer.depth + 1
  }

  /** Selectors that are read, as they are written; an empty one where what they select depends on rules around. */
  get texts(): readonly string[] {
    const { outer, scope, isQuirky } = this.#around
    if (outer !== undefined || scope !== undefined) return ['']
    const text = isQuirky === true ? this.#text.toLowerCase() : this.#text
    return splitAtCommas(text).filter((one) => one.length <= MAX_LENGTH)
  }

  /**
   * Reads the selectors of elements. There are none in a list with one that browsers do not understand, since they drop its rule.
   *
   * @param isWanted leaves out selectors as they are written
   */
  read(isWanted: (selector: string) => boolean): readonly StyleSelector[] {
    const found = new Set<StyleSelector>()
    const parts = this.#parts ?? splitAtCommas(this.#text)
    this.#parts = parts
    for (const one of parts) {
      const isOfFrame = one.includes('&') || (this.#around.outer !== undefined && one.includes(':'))
      if (one.length > MAX_LENGTH || found.size >= MAX_SELECTORS || !(isOfFrame || isWanted(one))) continue
      this.#isValid ??= this.#test()
      if (!this.#isValid) return []
      for (const selector of this.#readOne(one) ?? []) found.add(selector)
    }
    return [...found]
  }

  #test(): boolean {
    return splitAtCommas(this.#text).every(
      (one) => one.length > MAX_LENGTH || isSimple(one.trim()) || this.#readOne(one) !== undefined,
    )
  }

  /** Reads all of them. */
  readAll(): readonly StyleSelector[] {
    return (this.#all ??= this.read(ANY))
  }

  #readOne(one: string): readonly StyleSelector[] | undefined {
    if (!this.#read.has(one)) this.#read.set(one, this.#readNew(one.trim()))
    return this.#read.get(one)
  }

  #readNew(text: string): readonly StyleSelector[] | undefined {
    const { outer, scope, isQuirky } = this.#around
    if (outer === undefined && scope === undefined) {
      const selector = text === '' ? undefined : readSelector(text, { isQuirky })
      return typeof selector === 'string' ? [] : selector && [selector]
    }
    const parents = outer?.readAll()
    const roots = scope?.roots.readAll()
    this.#frame ??= { parents, roots, isQuirky }
    const isRelative = /^[>+~]/.test(text)
    const begin = isRelative
      ? outer === undefined
        ? ':scope'
        : '&'
      : outer === undefined || text.includes('&')
        ? ''
        : '& '
    const selector = text === '' ? undefined : readSelector(`${begin}${text}`, this.#frame)
    if (typeof selector !== 'object') return selector && []
    const written = parents === undefined ? [selector] : joinToParents(selector, parents)
    return scope === undefined || roots === undefined
      ? written
      : written.map((one) => within(one, roots, scope.limits?.readAll()))
  }
}

/** Writes the parents of a nested selector out, where it begins with them. */
function joinToParents(selector: StyleSelector, parents: readonly StyleSelector[]): readonly StyleSelector[] {
  const { steps, specificity } = selector
  const others = steps[steps.length - 1]?.compound.others ?? []
  if (!others.some(({ selectors }) => selectors === parents) || parents.length > MAX_SELECTORS / 3) return [selector]
  const isAlone = steps.length === 1 && others.length === 1 && isOnlyFrame(selector)
  const most = specificityOf(parents)
  const joined = parents.map((parent) =>
    isAlone && parent.specificity === most ? parent : joinToParent(selector, parent, parents, specificity),
  )
  return joined.filter((one) => one !== undefined)
}

/** True for `&` alone. */
function isOnlyFrame({ steps }: StyleSelector): boolean {
  const { name, id, classes = [], attributes = [], places = [] } = steps[0]?.compound ?? {}
  return name === undefined && id === undefined && classes.length + attributes.length + places.length === 0
}

function within(
  { steps, specificity, isState }: StyleSelector,
  selectors: readonly StyleSelector[],
  limits: readonly StyleSelector[] | undefined,
): StyleSelector {
  const [first, ...rest] = steps
  if (first === undefined) return { steps, specificity, isState }
  const test = { kind: 'within', selectors, limits } as const
  const compound = { ...first.compound, others: [...first.compound.others, test] }
  return { steps: [{ ...first, compound }, ...rest], specificity, isState }
}
