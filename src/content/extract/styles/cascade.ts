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
type OwnStyle = ReadonlyMap<string, Winner>

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
  readonly #layers: Layers
  readonly #kinds = new Map<string, Map<string, Kind>>()
  readonly #styles = new Map<Element, OwnStyle>()
  readonly #forAll: readonly Entry[] | undefined

  constructor(entries: ReadonlyMap<string, readonly Entry[]>, context: MatchContext, layers: Layers) {
    this.#entries = entries
    this.#context = context
    this.#layers = layers
    this.#forAll = entries.get('*')
  }

  /** Returns an index of the rules whose declarations, as they are written, match a pattern. */
  filter(pattern: RegExp): RuleIndex {
    const entries = new Map<string, readonly Entry[]>()
    for (const [key, all] of this.#entries) {
      const some = all.filter(({ rule }) => rule.isLike(pattern))
      if (some.length > 0) entries.set(key, some)
    }
    return new RuleIndex(entries, this.#context, this.#layers)
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

  #readStyle(element: Element, kind: Kind, hints: readonly Hint[]): OwnStyle {
    const style = new StyleWinners(this.#layers.size)
    this.#addAll(style, element, kind, hints)
    if (!style.rollsBack) return style.close()
    // What a layer falls back to has lost before: everything is remembered.
    const whole = new StyleWinners(this.#layers.size, new Map())
    this.#addAll(whole, element, kind, hints)
    return whole.close()
  }

  #addAll(style: StyleWinners, element: Element, { entries: all }: Kind, hints: readonly Hint[]): void {
    for (const [name, value] of hints) style.put(name, { value, isImportant: false }, -1, 0)
    const { budget } = this.#context
    for (const entries of all)
      for (const { rule, selector } of entries) {
        if (budget.left < 0) break
        if (rule.isConditional || selector.isState || !matches(element, selector, this.#context)) continue
        const layer = rule.layer === undefined ? undefined : this.#layers.get(rule.layer)
        const rank = selector.specificity * MAX_ORDER + rule.order
        for (const [name, declaration] of rule.declarations) style.put(name, declaration, layer, rank)
      }
    const { style: written } = element.attribs
    const own = written === undefined ? undefined : readDeclarations(written, this.#context.isQuirky)
    if (own !== undefined) for (const [name, declaration] of own) style.put(name, declaration, this.#layers.size + 1, 0)
  }

  /** Returns what the rules say of elements like one. */
  kindOf(element: Element): Kind {
    const { id, class: classes = '' } = element.attribs
    const byId = id === undefined ? undefined : this.#entries.get(`#${this.#context.isQuirky ? id.toLowerCase() : id}`)
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
    const { budget } = this.#context
    // A rule is looked at in a fraction of the time of a step.
    budget.left -= entries.reduce((sum, { length }) => sum + length, 0) >> 4
    let isSelected = false
    let hasOthers = false
    for (const list of budget.left < 0 ? [] : entries)
      for (const entry of list) {
        const { rule, selector } = entry
        if (rule.isConditional || selector.isState) continue
        if (!isOfKinds(selector)) hasOthers = true
        else isSelected ||= matches(element, selector, this.#context)
      }
    return { entries, isSelected, hasOthers, style: undefined }
  }
}

interface Winner extends Declaration {
  /** Number of its layer: -1 for hints, that behind the last for rules without one, one more for the element's own style. */
  readonly layer: number
  readonly level: number
  readonly rank: number
}

/** Declarations of an element, of which the last in the order of the cascade wins. @see https://www.w3.org/TR/css-cascade-5/ */
class StyleWinners {
  readonly #winners = new Map<string, Winner>()
  readonly #count: number
  readonly #all: Map<string, Winner[]> | undefined
  /** True if a declaration takes those of its layer back. */
  rollsBack = false

  /**
   * @param count number of layers
   * @param all where all declarations are remembered. @default they are not
   */
  constructor(count: number, all?: Map<string, Winner[]>) {
    this.#count = count
    this.#all = all
  }

  put(name: string, { value, isImportant }: Declaration, layer = this.#count, rank: number): void {
    const level = this.#levelOf(layer, isImportant)
    const before = this.#winners.get(name)
    const isBefore = before !== undefined && (level < before.level || (level === before.level && rank < before.rank))
    this.rollsBack ||= value.startsWith('revert-')
    if (isBefore && this.#all === undefined) return
    const winner = { value, isImportant, layer, level, rank }
    if (!isBefore) this.#winners.set(name, winner)
    const all = this.#all?.get(name)
    if (all === undefined) this.#all?.set(name, [winner])
    else if (all.length < MAX_NOTED) all.push(winner)
  }

  /** Returns the order of a layer. That of important declarations is the reverse, but those of the element itself come last. */
  #levelOf(layer: number, isImportant: boolean): number {
    if (!isImportant) return layer
    return layer > this.#count ? 2 * this.#count + 3 : 2 * this.#count + 2 - layer
  }

  /** Returns the winners, without those that leave a property to the browser. */
  close(): OwnStyle {
    for (const [name, { value }] of this.#winners) {
      if (value === 'revert') this.#winners.delete(name)
      else if (value.startsWith('revert-')) this.#rollBack(name)
    }
    return this.#winners
  }

  /** Takes the layer of a declaration that rolls it back away. */
  #rollBack(name: string): void {
    let left: readonly Winner[] = this.#all?.get(name) ?? []
    let winner = this.#winners.get(name)
    while (winner?.value.startsWith('revert-') === true) {
      const { layer } = winner
      left = left.filter((one) => one.layer !== layer)
      winner = left.reduce<Winner | undefined>(
        (best, one) =>
          best === undefined || one.level > best.level || (one.level === best.level && one.rank >= best.rank)
            ? one
            : best,
        undefined,
      )
    }
    if (winner === undefined || winner.value === 'revert') this.#winners.delete(name)
    else this.#winners.set(name, winner)
  }
}

/** Maximum declarations of one property of an element that are remembered to roll layers back. */
const MAX_NOTED = 1000

/** Numbers of the layers of a page by their names. */
type Layers = ReadonlyMap<string, number>

const NO_LAYERS: Layers = new Map()

/** Rules of a page, and how they are applied. */
interface CascadeFacts {
  readonly rules: readonly StyleRule[]
  readonly budget: StepBudget
  /** Leaves out selectors as they are written, before they are read. */
  readonly isWanted: (selector: string) => boolean
  /** Ends of the page's animations. @default animations are not applied */
  readonly keyframes?: Keyframes
  /** @default none */
  readonly layers?: Layers
  /** Set for a page without a document type. */
  readonly isQuirky: boolean
  /** Tests whether the rule with a number is in a sheet that the page links to. @default none is */
  readonly isLinked?: (order: number) => boolean
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
  readonly #layerCount: number
  readonly #isLinked: ((order: number) => boolean) | undefined

  constructor({ rules, budget, isWanted, keyframes, layers = NO_LAYERS, isQuirky, isLinked }: CascadeFacts) {
    this.#layerCount = layers.size
    this.#isLinked = isLinked
    this.#keyframes = keyframes
    this.#context = {
      classesOf: this.classesOf,
      budget,
      isQuirky,
      numbers: [new Map(), new Map(), new Map(), new Map()],
    }
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
    this.#rules = new RuleIndex(all, this.#context, layers)
  }

  readonly classesOf: ClassReader = (element) => {
    const { class: names = '' } = element.attribs
    if (names === '') return NONE
    const known = this.#classes.get(names)
    if (known !== undefined) return known
    const classes = (this.#context.isQuirky ? names.toLowerCase() : names).split(/\s+/).filter(Boolean)
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

  /** True if a sheet that the page links to declares what an element has of a property. */
  isLinked(element: Element, name: string): boolean {
    const winner = this.#rules.styleOf(element).get(name)
    const isOfRule = winner !== undefined && winner.layer >= 0 && winner.layer <= this.#layerCount
    return isOfRule && this.#isLinked?.(winner.rank % MAX_ORDER) === true
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
        // No state makes a link of what is none.
        if (subject.places.some(({ kind }) => kind === 'link') && element.name !== 'a') return false
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
  /(?:^|[;{\s])(?:color|-webkit-text-fill-color|text-shadow|visibility|content-visibility|text-indent|zoom|all)\s*:|animation|\\/i
/** Matches rules for custom properties, and for animations, which may set any. */
const CUSTOM = /--|animation|\\/i

const NONE: readonly string[] = []

/** Numbers of rules of one specificity, which are in the order of the sheets. */
const MAX_ORDER = 1_000_000

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
  if (UNDRAWN.has(name)) hints.push(['undrawn', 'undrawn'])
  if (DRAWN.has(name))
    for (const property of DRAWING_PROPERTIES) {
      const value = attribs[property]
      if (value !== undefined) hints.push([property, value.toLowerCase()])
    }
  return hints
}
