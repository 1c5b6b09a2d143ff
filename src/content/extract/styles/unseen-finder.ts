import { type PageNodes, TEXT } from '../../html/page-nodes.js'
import { type Element, isElement, isText, parentElement, type Text } from '../../html/tree.js'
import { type HidingRule, hidingRules, shows } from './hiding-rules.js'
import { LaterSigns } from './later-signs.js'
import { namesSomething } from './names-something.js'
import type { PageStyles } from './page-styles.js'

/** Text that the style sheets of a page hide. */
export interface Unseen {
  /** Predicate that says how. */
  readonly why: string
  /** True if a control or a script may show it: see {@link HidingRule.mayOpen}. */
  readonly mayOpen: boolean
}

/** Hidden texts of a page. */
export interface FoundUnseen {
  readonly elements: ReadonlyMap<Element, Unseen>
  /** Texts beside others that are seen. */
  readonly texts: readonly { readonly text: Text; readonly why: string }[]
  /** True if the search ended before the page did. */
  readonly isCut?: boolean
}

export const NOTHING_UNSEEN: FoundUnseen = { elements: new Map(), texts: [] }

/** Rules by the properties that may apply them. */
const rulesOf = new Map<string, readonly HidingRule[]>()
for (const rule of hidingRules)
  for (const property of rule.properties) rulesOf.set(property, [...(rulesOf.get(property) ?? []), rule])

const NO_RULES: ReadonlySet<HidingRule> = new Set()

/** Finds the hidden texts among elements that a style sheet may hide. */
export class UnseenFinder {
  readonly #list: PageNodes
  readonly #styles: PageStyles
  readonly #signs: LaterSigns
  /** Characters of text before each node. */
  readonly #textBefore: Int32Array
  readonly #found: { readonly at: number; readonly reason: UnseenReason }[] = []
  readonly #applied = new Map<string, readonly HidingRule[]>()
  readonly #verdicts = new Map<HidingRule, Map<Element, boolean>>()

  constructor(list: PageNodes, styles: PageStyles, textBefore: Int32Array) {
    this.#list = list
    this.#styles = styles
    this.#signs = new LaterSigns(list, styles)
    this.#textBefore = textBefore
  }

  find(candidates: readonly number[]): FoundUnseen {
    const { nodes, ends } = this.#list
    let hiddenEnd = 0
    /** End of the outermost element that is hidden for now. What is hidden in it in such a way is hidden for now as well. */
    let laterEnd = 0
    const testedEnds = new Map<HidingRule, number>()
    const texts = new Map<number, HidingRule>()
    for (const at of candidates) {
      const node = nodes[at]
      const end = ends[at] ?? 0
      if (node === undefined || !isElement(node) || at < hiddenEnd) continue
      const isLater = (rule: HidingRule): boolean => rule.mayOpen === true && at < laterEnd
      const rules = this.#rulesFor(node)
      if (rules.size === 0) continue
      const ofElement = (one: HidingRule): boolean => one.isInherited !== true && rules.has(one)
      const rule = hidingRules.find((one) => ofElement(one) && !isLater(one) && one.hides(node, this.#styles))
      if (rule !== undefined && !this.#staysFor(node, node, rule)) {
        this.#found.push({ at, reason: rule })
        hiddenEnd = end
        continue
      }
      if (rule?.mayOpen === true) laterEnd = Math.max(laterEnd, end)
      for (const inherited of rules) {
        if (inherited.isInherited !== true || isLater(inherited) || at < (testedEnds.get(inherited) ?? 0)) continue
        if (inherited.mayOpen === true && this.#staysFor(node, node, inherited)) {
          laterEnd = Math.max(laterEnd, end)
          continue
        }
        this.#testTexts(at, end, inherited, texts)
        testedEnds.set(inherited, end)
      }
    }
    return this.#collect(texts)
  }

  /** Returns the rules that what an element declares itself may apply. */
  #rulesFor(element: Element): ReadonlySet<HidingRule> {
    let found: Set<HidingRule> | undefined
    for (const [name, value] of this.#styles.declarationsOf(element, rulesOf))
      for (const rule of this.#rulesBy(name, value)) (found ??= new Set()).add(rule)
    return found ?? NO_RULES
  }

  /** Returns the rules that one declaration may apply. Pages repeat most of theirs. */
  #rulesBy(name: string, value: string): readonly HidingRule[] {
    const key = `${name}:${value}`
    const known = this.#applied.get(key)
    if (known !== undefined) return known
    const rules = (rulesOf.get(name) ?? []).filter((rule) => rule.mayHide(value, name, this.#styles))
    this.#applied.set(key, rules)
    return rules
  }

  #testTexts(from: number, end: number, rule: HidingRule, texts: Map<number, HidingRule>): void {
    const { nodes, kinds, trimmedLengths } = this.#list
    for (let at = from; at < end; at += 1) {
      if (((kinds[at] ?? 0) & TEXT) === 0 || (trimmedLengths[at] ?? 0) === 0) continue
      const around = nodes[at]?.parent
      if (around === null || around === undefined || !isElement(around)) continue
      if (!texts.has(at) && this.#isHidden(around, rule)) texts.set(at, rule)
    }
  }

  /** Tests whether a rule hides the text of an element itself. */
  #isHidden(element: Element, rule: HidingRule): boolean {
    const verdicts = this.#verdicts.get(rule) ?? new Map<Element, boolean>()
    this.#verdicts.set(rule, verdicts)
    const known = verdicts.get(element)
    if (known !== undefined) return known
    const isHidden =
      rule.hides(element, this.#styles) && !this.#staysFor(element, this.#declaringElement(element, rule), rule)
    verdicts.set(element, isHidden)
    return isHidden
  }

  /** Returns the element that declares what another inherits. */
  #declaringElement(element: Element, { properties }: HidingRule): Element {
    for (let at: Element | undefined = element; at !== undefined; at = parentElement(at)) {
      const place = at
      if (properties.some((name) => this.#styles.valueOf(place, name) !== undefined)) return at
    }
    return element
  }

  /** True for a hidden text that a reader may get to see, or that a screen reader has for what is seen. */
  #staysFor(element: Element, declaring: Element, rule: HidingRule): boolean {
    if (rule.isForScreenReaders === true && namesSomething(element)) return true
    if (rule.mayOpen !== true && rule.isForScreenReaders !== true) return false
    return (
      this.#styles.cascade.isShownInAnotherState(declaring, (declarations) => shows(rule, declarations)) ||
      (rule.mayOpen === true && (this.#signs.has(declaring, rule) || this.#mayBeScripted(declaring, rule)))
    )
  }

  /**
   * True for what a linked sheet hides on a page with a script that was not read: those of libraries hide what their scripts open, by
   * hundreds of names.
   */
  #mayBeScripted(declaring: Element, { properties }: HidingRule): boolean {
    const { cascade } = this.#styles
    const isLinked = (name: string): boolean => cascade.isLinked(declaring, name)
    return [...properties, 'animation', 'animation-name'].some(isLinked) && this.#signs.hasUnreadScript()
  }

  #collect(texts: ReadonlyMap<number, HidingRule>): FoundUnseen {
    const collected = collectHidden(this.#list, texts, this.#textBefore)
    const elements = new Map<Element, Unseen>()
    for (const { at, reason } of [...this.#found, ...collected.elements]) {
      const node = this.#list.nodes[at]
      if (node !== undefined && isElement(node))
        elements.set(node, { why: reason.why, mayOpen: reason.mayOpen === true })
    }
    return { elements, texts: collected.texts.map(({ text, reason }) => ({ text, why: reason.why })) }
  }
}

/** A way in which text is hidden, as far as what is kept of it goes. */
export type UnseenReason = Pick<HidingRule, 'why' | 'mayOpen' | 'isForScreenReaders'>

/** Hidden parts of a page: elements by their indexes, and texts beside others that are seen. */
interface HiddenParts {
  readonly elements: readonly { readonly at: number; readonly reason: UnseenReason }[]
  readonly texts: readonly { readonly text: Text; readonly reason: UnseenReason }[]
}

/**
 * Finds the outermost elements all of whose text is hidden. A text beside others that are seen is taken out alone.
 *
 * @param texts reasons by the indexes of texts
 */
export function collectHidden(
  { nodes, ends, parents, trimmedLengths }: PageNodes,
  texts: ReadonlyMap<number, UnseenReason>,
  textBefore: Int32Array,
): HiddenParts {
  const elements: { at: number; reason: UnseenReason }[] = []
  const single: { text: Text; reason: UnseenReason }[] = []
  if (texts.size === 0) return { elements, texts: single }
  const hiddenBefore = sumUp(trimmedLengths.map((length, at) => (texts.has(at) ? length : 0)))
  const isAllHidden = (at: number): boolean => {
    const end = ends[at] ?? 0
    return (hiddenBefore[end] ?? 0) - (hiddenBefore[at] ?? 0) === (textBefore[end] ?? 0) - (textBefore[at] ?? 0)
  }
  let end = 0
  for (const [at, reason] of [...texts].sort(([one], [other]) => one - other)) {
    if (at < end) continue
    let outermost = parents[at] ?? -1
    const node = nodes[at]
    if (outermost === -1 || node === undefined || !isText(node)) continue
    const around = nodes[outermost]
    if (!isAllHidden(outermost) || (around !== undefined && isElement(around) && MEDIA.has(around.name))) {
      single.push({ text: node, reason })
      continue
    }
    for (let up = parents[outermost] ?? -1; up !== -1 && isAllHidden(up); up = parents[up] ?? -1) {
      const outer = nodes[up]
      if (outer === undefined || !isElement(outer) || /^(?:body|html)$/.test(outer.name) || MEDIA.has(outer.name)) break
      outermost = up
    }
    elements.push({ at: outermost, reason })
    end = ends[outermost] ?? 0
  }
  return { elements, texts: single }
}

/** Elements that stay without their text. */
const MEDIA: ReadonlySet<string> = new Set('video audio'.split(' '))

/** Sums up what the nodes before each one have. */
export function sumUp(amounts: Int32Array): Int32Array {
  const sums = new Int32Array(amounts.length + 1)
  for (let at = 0; at < amounts.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (amounts[at] ?? 0)
  return sums
}
