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
export type OwnStyle = ReadonlyMap<string, { readonly value: string }>

/** Rules of a page, by what their selectors end in. */
export class Cascade {
  readonly #entries = new Map<string, Entry[]>()
  readonly #classes = new Map<string, readonly string[]>()
  readonly #styles = new Map<Element, OwnStyle>()
  readonly #context: MatchContext
  readonly #forAll: readonly Entry[] | undefined
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
    for (const rule of rules) {
      for (const selector of rule.readSelectors(isWanted)) {
        const key = keyOf(selector)
        const entries = this.#entries.get(key)
        if (entries === undefined) this.#entries.set(key, [{ selector, rule }])
        else entries.push({ selector, rule })
      }
    }
    this.#forAll = this.#entries.get('*')
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
    for (const entries of this.#entriesFor(element))
      for (const { rule, selector } of entries)
        if (!rule.isConditional && !selector.isState && matches(element, selector, this.#context)) return true
    return false
  }

  /** Returns what the element's own style and the rules that select it declare, without what it inherits. */
  styleOf(element: Element): OwnStyle {
    const known = this.#styles.get(element)
    if (known !== undefined) return known
    const winners = new Map<string, { value: string; rank: number }>()
    const put = (name: string, { value, isImportant }: Declaration, rank: number): void => {
      const place = rank + (isImportant ? IMPORTANT : 0)
      const before = winners.get(name)
      if (before === undefined || place >= before.rank) winners.set(name, { value, rank: place })
    }
    for (const [name, value] of hintsOf(element)) put(name, { value, isImportant: false }, -1)
    for (const entries of this.#entriesFor(element))
      for (const { rule, selector } of entries) {
        if (rule.isConditional || selector.isState || !matches(element, selector, this.#context)) continue
        const rank = (rule.isLayered ? 0 : UNLAYERED) + selector.specificity * MAX_ORDER + rule.order
        for (const [name, declaration] of rule.declarations) put(name, declaration, rank)
      }
    const { style } = element.attribs
    const own = style === undefined ? undefined : readDeclarations(style)
    for (const [name, declaration] of own ?? []) put(name, declaration, INLINE)
    this.#styles.set(element, winners)
    return winners
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
    return this.#entriesFor(element)
      .flat()
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

  /** Returns the rules that may select an element, by what they are looked up by. */
  #entriesFor(element: Element): readonly (readonly Entry[])[] {
    const { id, class: classes } = element.attribs
    const found: (readonly Entry[])[] = []
    const named = this.#entries.get(element.name)
    if (named !== undefined) found.push(named)
    if (this.#forAll !== undefined) found.push(this.#forAll)
    const byId = id === undefined ? undefined : this.#entries.get(`#${id}`)
    if (byId !== undefined) found.push(byId)
    if (classes !== undefined)
      for (const one of this.classesOf(element)) {
        const entries = this.#entries.get(`.${one}`)
        if (entries !== undefined) found.push(entries)
      }
    return found
  }
}

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

/** Returns the declarations that attributes of old HTML stand for. */
function hintsOf({ name, attribs }: Element): [name: string, value: string][] {
  const hints: [string, string][] = []
  const { bgcolor, color, text, background } = attribs
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
