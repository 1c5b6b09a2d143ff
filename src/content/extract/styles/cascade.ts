import { type Element } from '../../html/tree.js'
import { type Declaration, type Declarations, readDeclarations } from './read-declarations.js'
import type { Keyframes, StyleRule } from './style-sheet.js'
import { type ClassReader, type MatchContext, matches, type StepBudget } from './match-selector.js'
import type { StyleSelector } from './selector.js'

/** A rule with one of its selectors. */
interface Entry {
  readonly selector: StyleSelector
  readonly rule: StyleRule
}

/** Winning declarations of an element, by their properties. */
type OwnStyle = ReadonlyMap<string, { readonly value: string }>

/** Facts that the rules state of all elements with one name and one list of classes. Pages repeat most of theirs. */
interface Kind {
  /** The rules that may select such an element, by what they are looked up by. */
  readonly entries: readonly (readonly Entry[])[]
  /** True if a rule selects every such element. */
  readonly isSelected: boolean
  /** True if rules select some of them: by what is around or beside them, or by other attributes. */
  readonly hasOthers: boolean
  /** Style of those without hints and a style of their own. */
  style: OwnStyle | undefined
}

/** Rules, by what their selectors end in. */
class RuleIndex {
  readonly #entries: ReadonlyMap<string, readonly Entry[]>
  readonly #context: MatchContext
  readonly #kinds = new Map<string, Map<string, Kind>>()
  readonly #styles = new Map<Element, OwnStyle>()
  readonly #forAll: readonly Entry[] | undefined

  constructor(entries: ReadonlyMap<string, readonly Entry[]>, context: MatchContext) {
    this.#entries = entries
    this.#context = context
    this.#forAll = entries.get('*')
  }

  /** Returns an index of the rules whose declarations, as they are written, match a pattern. */
  filter(pattern: RegExp): RuleIndex {
    const entries = new Map<string, readonly Entry[]>()
    for (const [key, all] of this.#entries) {
      const some = all.filter(({ rule }) => rule.isLike(pattern))
      if (some.length > 0) entries.set(key, some)
    }
    return new RuleIndex(entries, this.#context)
  }

  knownStyleOf(element: Element): OwnStyle | undefined {
    return this.#styles.get(element)
  }

  styleOf(element: Element): OwnStyle {
    const known = this.#styles.get(element)
    if (known !== undefined) return known
    const kind = this.kindOf(element)
    const hints = hintsOf(element)
    const { style } = element.attribs
    const isOfKind = style === undefined && hints.length === 0 && !kind.hasOthers
    const found = isOfKind
      ? (kind.style ??= this.#readStyle(element, kind, hints))
      : this.#readStyle(element, kind, hints)
    this.#styles.set(element, found)
    return found
  }

  #readStyle(element: Element, { entries: all }: Kind, hints: readonly Hint[]): OwnStyle {
    const winners = new Map<string, { value: string; rank: number }>()
    const put = (name: string, { value, isImportant }: Declaration, rank: number): void => {
      const place = rank + (isImportant ? IMPORTANT : 0)
      const before = winners.get(name)
      if (before === undefined || place >= before.rank) winners.set(name, { value, rank: place })
    }
    for (const [name, value] of hints) put(name, { value, isImportant: false }, -1)
    for (const entries of all)
      for (const { rule, selector } of entries) {
        if (rule.isConditional || selector.isState || !matches(element, selector, this.#context)) continue
        const rank = (rule.isLayered ? 0 : UNLAYERED) + selector.specificity * MAX_ORDER + rule.order
        for (const [name, declaration] of rule.declarations) put(name, declaration, rank)
      }
    const { style } = element.attribs
    const own = style === undefined ? undefined : readDeclarations(style)
    if (own !== undefined) for (const [name, declaration] of own) put(name, declaration, INLINE)
    return winners
  }

  /** Returns what the rules say of elements like one. */
  kindOf(element: Element): Kind {
    const { id, class: classes = '' } = element.attribs
    const byId = id === undefined ? undefined : this.#entries.get(`#${id}`)
    if (byId !== undefined) return this.#readKind(element, byId)
    let named = this.#kinds.get(element.name)
    if (named === undefined) this.#kinds.set(element.name, (named = new Map()))
    let kind = named.get(classes)
    if (kind === undefined) named.set(classes, (kind = this.#readKind(element)))
    return kind
  }

  #readKind(element: Element, byId?: readonly Entry[]): Kind {
    const lists = [
      this.#entries.get(element.name),
      this.#forAll,
      byId,
      ...this.#context.classesOf(element).map((one) => this.#entries.get(`.${one}`)),
    ]
    const entries = lists.filter((list) => list !== undefined)
    let isSelected = false
    let hasOthers = false
    for (const list of entries)
      for (const entry of list) {
        const { rule, selector } = entry
        if (rule.isConditional || selector.isState) continue
        if (!isOfKinds(selector)) hasOthers = true
        else isSelected ||= matches(element, selector, this.#context)
      }
    return { entries, isSelected, hasOthers, style: undefined }
  }
}

/** Rules of a page, and what they declare for its elements. */
export class Cascade {
  readonly #rules: RuleIndex
  /** True without rules. */
  readonly isEmpty: boolean
  #inherited: RuleIndex | undefined
  #custom: RuleIndex | undefined
  readonly #classes = new Map<string, readonly string[]>()
  readonly #context: MatchContext
  readonly #keyframes: Keyframes | undefined

  /**
   * @param isWanted leaves out selectors as they are written, before they are read
   * @param keyframes ends of the page's animations. @default animations are not applied
   */
  constructor(
    rules: readonly StyleRule[],
    budget: StepBudget,
    isWanted: (selector: string) => boolean,
    keyframes?: Keyframes,
  ) {
    this.#keyframes = keyframes
    this.#context = { classesOf: this.classesOf, budget }
    const all = new Map<string, Entry[]>()
    for (const rule of rules) {
      for (const selector of rule.readSelectors(isWanted)) {
        const key = keyOf(selector)
        const entries = all.get(key)
        if (entries === undefined) all.set(key, [{ selector, rule }])
        else entries.push({ selector, rule })
      }
    }
    this.isEmpty = all.size === 0
    this.#rules = new RuleIndex(all, this.#context)
  }

  readonly classesOf: ClassReader = (element) => {
    const { class: names = '' } = element.attribs
    if (names === '') return NONE
    const known = this.#classes.get(names)
    if (known !== undefined) return known
    const classes = names.split(/\s+/).filter(Boolean)
    this.#classes.set(names, classes)
    return classes
  }

  /** Tests whether a rule selects the element. */
  hasRule(element: Element): boolean {
    const { isSelected, hasOthers, entries: all } = this.#rules.kindOf(element)
    if (isSelected || !hasOthers) return isSelected
    const { budget } = this.#context
    for (const entries of all)
      for (const { rule, selector } of entries) {
        if (budget.left < 0) return false
        const isOther = !rule.isConditional && !selector.isState && !isOfKinds(selector)
        if (isOther && matches(element, selector, this.#context)) return true
      }
    return false
  }

  /** Returns what the element's own style and the rules that select it declare, without what it inherits. */
  styleOf(element: Element): OwnStyle {
    return this.#rules.styleOf(element)
  }

  /**
   * Returns the part of an element's style that has a property. Of the elements around a text, colours and the like are read, for which
   * few rules are tested.
   */
  partOfStyle(element: Element, name: string): OwnStyle {
    const known = this.#rules.knownStyleOf(element)
    if (known !== undefined) return known
    if (name.startsWith('--')) return (this.#custom ??= this.#rules.filter(CUSTOM)).styleOf(element)
    if (INHERITED.has(name)) return (this.#inherited ??= this.#rules.filter(INHERITED_RULE)).styleOf(element)
    return this.#rules.styleOf(element)
  }

  /** Returns what an element's animation leaves it with, once it has ended; undefined for one that does not stay at its end. */
  endOf(style: OwnStyle): Declarations | undefined {
    const frames = this.#keyframes
    if (frames === undefined || frames.size === 0) return undefined
    const all = `${style.get('animation')?.value ?? ''} ${style.get('animation-name')?.value ?? ''}`
    if (all === ' ') return undefined
    const name = all.split(/[\s,]+/).find((word) => frames.has(word))
    const found = name === undefined ? undefined : frames.get(name)
    if (found === undefined) return undefined
    const rest = `${all} ${style.get('animation-fill-mode')?.value ?? ''} ${style.get('animation-iteration-count')?.value ?? ''}`
    if (/\binfinite\b/.test(rest)) return found.always
    return /\b(?:forwards|both)\b/.test(rest) ? found.end : undefined
  }

  /**
   * True if a rule may show the element in another state of the page: with a further class on it or around it, under the pointer,
   * in a window of another width.
   *
   * @param shows tests the declarations of such a rule
   */
  isShownInAnotherState(element: Element, shows: (declarations: Declarations) => boolean): boolean {
    const own = new Set(this.classesOf(element))
    const { id } = element.attribs
    return this.#rules
      .kindOf(element)
      .entries.flat()
      .some(({ rule, selector }) => {
        const subject = selector.steps[0]?.compound
        if (subject === undefined || !shows(rule.declarations)) return false
        const isState = rule.isConditional || selector.isState
        if (!isState && matches(element, selector, this.#context)) return false
        if (subject.name !== undefined && subject.name !== element.name) return false
        if (subject.id !== undefined) return subject.id === id
        return subject.classes.length > 0
          ? subject.classes.some((one) => own.has(one))
          : subject.name !== undefined && (isState || selector.steps.length > 1)
      })
  }
}

/** True for a selector that selects an element by its name, its id and its classes alone. */
function isOfKinds({ steps }: StyleSelector): boolean {
  const [first] = steps
  if (first === undefined || steps.length > 1) return false
  const { attributes, places, others } = first.compound
  return attributes.length + places.length + others.length === 0
}

/** Properties that texts inherit, and the pattern of rules that declare one. The last property comes from no rule. */
const INHERITED: ReadonlySet<string> = new Set(
  'color -webkit-text-fill-color text-shadow visibility content-visibility text-indent zoom undrawn'.split(' '),
)
const INHERITED_RULE =
  /(?:^|[;{\s])(?:color|-webkit-text-fill-color|text-shadow|visibility|content-visibility|text-indent|zoom)\s*:|animation|\\/i
/** Matches rules for custom properties, and for animations, which may set any. */
const CUSTOM = /--|animation|\\/i

const NONE: readonly string[] = []

/** Ranks of declarations. Those of one specificity are in the order of the sheets. */
const MAX_ORDER = 1_000_000
const UNLAYERED = 1e14
const INLINE = 1e15
const IMPORTANT = 1e15 + 1

/** Returns what the subject of a selector is looked up by: its id, else its first class, else its name. */
function keyOf({ steps }: StyleSelector): string {
  const { id, classes = [], name } = steps[0]?.compound ?? {}
  if (id !== undefined) return `#${id}`
  return classes[0] === undefined ? (name ?? '*') : `.${classes[0]}`
}

/** Elements whose text a browser shows only where it cannot show them, and parts of drawings that are only used by others. */
const UNDRAWN: ReadonlySet<string> = new Set(['canvas', 'video', 'audio', 'defs', 'symbol', 'clipPath', 'clippath'])

/** Elements of drawings with text, and the attributes of drawings that are declarations. */
const DRAWN: ReadonlySet<string> = new Set(['svg', 'g', 'text', 'tspan', 'textpath', 'foreignobject', 'foreignObject'])
const DRAWING_PROPERTIES =
  'opacity fill fill-opacity stroke visibility display font-size width height transform clip-path mask'.split(' ')

type Hint = readonly [name: string, value: string]

const NO_HINTS: readonly Hint[] = []

/** Returns the declarations that attributes of old HTML stand for. */
function hintsOf({ name, attribs }: Element): readonly Hint[] {
  const { bgcolor, color, text, background } = attribs
  const isBare = bgcolor === undefined && color === undefined && text === undefined && background === undefined
  if (isBare && !UNDRAWN.has(name) && !DRAWN.has(name)) return NO_HINTS
  const hints: Hint[] = []
  if (bgcolor !== undefined) hints.push(['background-color', bgcolor.toLowerCase()])
  if (background !== undefined && name !== 'img') hints.push(['background-image', 'url()'])
  if (name === 'font' && color !== undefined) hints.push(['color', color.toLowerCase()])
  if (name === 'body' && text !== undefined) hints.push(['color', text.toLowerCase()])
  if (UNDRAWN.has(name)) hints.push(['undrawn', ''])
  if (DRAWN.has(name))
    for (const property of DRAWING_PROPERTIES) {
      const value = attribs[property]
      if (value !== undefined) hints.push([property, value.toLowerCase()])
    }
  return hints
}
