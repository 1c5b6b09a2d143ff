import {
  ELEMENT,
  HAS_CLASS,
  HAS_ID,
  HAS_OTHER,
  HAS_STYLE,
  type PageNodes,
  STYLE_SHEET,
  TEXT,
} from '../../html/page-nodes.js'
import { type Element, isElement, isText, parentElement, type Text, textOf } from '../../html/tree.js'
import { Cascade } from './cascade.js'
import { type HidingRule, hidingRules, shows } from './hiding-rules.js'
import { LaterSigns } from './later-signs.js'
import { colourIn, PageStyles } from './page-styles.js'
import { MAY_HIDE, MAY_HIDE_BY_ANY_COLOUR, MAY_HIDE_OTHERWISE } from './may-hide.js'
import { READ_PROPERTIES } from './read-declarations.js'
import { addRules, endsInName, hasOtherName, type StyleRule } from './style-sheet.js'
import { namesSomething } from './names-something.js'
import { StepBudget } from './selector.js'
import { type Rgba, colourOf, WHITE } from './style-values.js'

/** Text that the style sheets of a page hide. */
export interface Unseen {
  /** Predicate that says how. */
  readonly why: string
  /** True if a control or a script may show it: see {@link HidingRule.mayOpen}. */
  readonly mayOpen: boolean
}

/** Steps that the tests of selectors may take on a page. A usual one takes some thousands. */
const MAX_STEPS = 2_000_000

/** Maximum length of the style sheets of a page that are read. Characters. */
const MAX_CSS = 2_000_000

/**
 * Finds the elements whose text a reader at a screen does not see, by the page's own style sheets: its `style` elements and
 * attributes. Sheets that it links to are not known. In time linear in the page, within {@link MAX_STEPS}.
 *
 * Texts that a screen reader reads and that name something visible are not among them, nor is what a script brings into view.
 */
export function findUnseen(list: PageNodes): FoundUnseen {
  const sheets = readSheets(list)
  const isShort = sheets.reduce((sum, { css }) => sum + css.length, 0) <= MAX_SHORT_CSS
  const pattern = isShort ? MAY_HIDE_BY_ANY_COLOUR : MAY_HIDE
  const inline = hidingStyles(list)
  const mayHide = sheets.some(({ css }) => pattern.test(css))
  if (!mayHide && inline.length === 0) return NOTHING_UNSEEN
  const budget = new StepBudget(MAX_STEPS)
  const rules: StyleRule[] = []
  for (const { css, media } of sheets) addRules(css, rules, media)
  const names = rules.length > 0 ? namesOn(list) : NO_NAMES
  const isOther = hasOtherSheets(list)
  // Where other sheets may colour what is behind a text, only a rule for both colours can say that it is not seen.
  const hiding = mayHide
    ? rules.filter(
        (rule) =>
          rule.isLike(isOther && !isShort ? MAY_HIDE_OTHERWISE : pattern) || (isOther && rule.isLike(COLOURED_TWICE)),
      )
    : []
  const textBefore = sumUp(list.trimmedLengths)
  const candidates = findCandidates(list, {
    cascade: new Cascade(hiding, budget, (selector) => !hasOtherName(selector, names)),
    inline,
    textBefore,
  })
  if (candidates.length === 0) return NOTHING_UNSEEN
  const own = namesOn(list, candidates)
  const related = rules.filter((rule) => rule.isLike(RELATED))
  const cascade = new Cascade(related, budget, (one) => !hasOtherName(one, names) || endsInName(one, own))
  const styles = new PageStyles(cascade, {
    grounds: findGrounds(list, sheets),
    ownNames: isOther ? namesIn(sheets) : undefined,
  })
  return new UnseenFinder(list, styles, textBefore).find(candidates)
}

/** Maximum length of all sheets for every colour of text to be compared with its background. Characters. */
const MAX_SHORT_CSS = 20_000

const GROUND = /background(?:-color)?\s*:\s*([^;}]{3,40})/gi

/** Returns the names of classes and ids that the page's own sheets have rules for. */
function namesIn(sheets: readonly Sheet[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { css } of sheets) for (const [, name = ''] of css.matchAll(/[.#](-?[a-z_][\w-]*)/gi)) names.add(name)
  return names
}

/** Maximum colours of backgrounds of a page. Further ones are not compared with those of text. */
const MAX_GROUNDS = 60

/** Returns the colours of backgrounds that the page names, and white. */
function findGrounds({ nodes, kinds }: PageNodes, sheets: readonly Sheet[]): readonly Rgba[] {
  const written = new Set<string>()
  const add = (css: string): void => {
    for (const [, value = ''] of css.matchAll(GROUND)) if (written.size < MAX_GROUNDS) written.add(value.toLowerCase())
  }
  for (const { css } of sheets) add(css)
  for (let at = 0; at < nodes.length; at += 1) {
    const node = ((kinds[at] ?? 0) & (HAS_STYLE | HAS_OTHER)) === 0 ? undefined : nodes[at]
    if (node === undefined || !isElement(node)) continue
    const { style, bgcolor } = node.attribs
    if (style?.includes('background') === true) add(style)
    if (bgcolor !== undefined) written.add(bgcolor.toLowerCase())
  }
  const found = [...written].map((value) => colourOf(colourIn(value.replace(/\s*!important/, '').trim())))
  return [WHITE, ...found.filter((colour): colour is Rgba => colour !== undefined && colour[3] > 0.5)]
}

/** Matches declarations of properties that count for whether text is seen. */
const RELATED = new RegExp(`(?:^|[;{\\s])(?:${[...READ_PROPERTIES, '--[\\w-]+'].join('|')})\\s*:`, 'i')

const NO_NAMES: ReadonlySet<string> = new Set()

/** Returns the classes and ids of elements. @param places their indexes. @default all of the page */
function namesOn({ nodes, kinds }: PageNodes, places?: readonly number[]): ReadonlySet<string> {
  const names = new Set<string>()
  const known = new Set<string>()
  const count = places?.length ?? nodes.length
  for (let next = 0; next < count; next += 1) {
    const at = places === undefined ? next : (places[next] ?? 0)
    if (((kinds[at] ?? 0) & (HAS_CLASS | HAS_ID)) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node)) continue
    const { id, class: classes } = node.attribs
    if (id !== undefined) names.add(id)
    if (classes === undefined || known.has(classes)) continue
    known.add(classes)
    for (const one of classes.split(/\s+/)) names.add(one)
  }
  return names
}

/** Hidden texts of a page. */
export interface FoundUnseen {
  readonly elements: ReadonlyMap<Element, Unseen>
  /** Texts beside others that are seen. */
  readonly texts: readonly { readonly text: Text; readonly why: string }[]
}

const NOTHING_UNSEEN: FoundUnseen = { elements: new Map(), texts: [] }

interface Sheet {
  readonly css: string
  readonly media: string | undefined
}

function readSheets({ nodes, kinds }: PageNodes): Sheet[] {
  const sheets: Sheet[] = []
  let left = MAX_CSS
  for (let at = 0; at < nodes.length; at += 1) {
    if (((kinds[at] ?? 0) & STYLE_SHEET) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node) || node.name !== 'style' || left <= 0) continue
    // The styles of a `noscript` hold for readers without scripts.
    if (parentElement(node)?.name === 'noscript') continue
    const css = textOf(node).slice(0, left)
    left -= css.length
    sheets.push({ css, media: node.attribs['media'] })
  }
  return sheets
}

const hasOtherSheets = ({ nodes }: PageNodes): boolean =>
  nodes.some((node) => isElement(node) && node.name === 'link' && /\bstylesheet\b/i.test(node.attribs['rel'] ?? ''))

/** Returns the indexes of the elements whose own style may hide them. */
function hidingStyles({ nodes, kinds }: PageNodes): number[] {
  const found: number[] = []
  for (let at = 0; at < nodes.length; at += 1) {
    const kind = kinds[at] ?? 0
    const node = (kind & (HAS_STYLE | STYLE_SHEET)) === 0 ? undefined : nodes[at]
    if (node === undefined || !isElement(node) || node.name === 'style') continue
    const { style, color } = node.attribs
    const isOld = node.name === 'font' && color !== undefined
    if (isOld || (style !== undefined && (MAY_HIDE.test(style) || COLOURED_TWICE.test(style)))) found.push(at)
  }
  return found
}

/** Matches a style with the colours of text and background. */
const COLOURED_TWICE = /background[^;]*:[^;]*;(?:[^;]*;){0,20}\s*color\s*:|(?:^|;)\s*color\s*:[^]*background/i

interface CandidateSearch {
  /** The rules that may hide text. */
  readonly cascade: Cascade
  /** Indexes of elements whose own style may hide them. */
  readonly inline: readonly number[]
  readonly textBefore: Int32Array
}

/** Returns the indexes of the elements with text that a rule or their own style may hide, in document order. */
function findCandidates({ nodes, kinds, ends }: PageNodes, { cascade, inline, textBefore }: CandidateSearch): number[] {
  const own = new Set(inline)
  const found: number[] = []
  for (let at = 0; at < nodes.length; at += 1) {
    if (((kinds[at] ?? 0) & ELEMENT) === 0 || textBefore[ends[at] ?? 0] === textBefore[at]) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node) || UNREAD.has(node.name)) continue
    if (own.has(at) || cascade.hasRule(node)) found.push(at)
  }
  return found
}

const UNREAD: ReadonlySet<string> = new Set('script style template head title meta link noscript base'.split(' '))

const ownRules = hidingRules.filter(({ isInherited }) => isInherited !== true)
const inheritedRules = hidingRules.filter(({ isInherited }) => isInherited === true)

class UnseenFinder {
  readonly #list: PageNodes
  readonly #styles: PageStyles
  readonly #signs: LaterSigns
  /** Characters of text before each node. */
  readonly #textBefore: Int32Array
  readonly #found: { readonly at: number; readonly rule: HidingRule }[] = []
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
      const rule = ownRules.find((one) => !isLater(one) && one.hides(node, this.#styles))
      if (rule !== undefined && !this.#staysFor(node, node, rule)) {
        this.#found.push({ at, rule })
        hiddenEnd = end
        continue
      }
      if (rule?.mayOpen === true) laterEnd = Math.max(laterEnd, end)
      for (const inherited of inheritedRules) {
        if (isLater(inherited) || at < (testedEnds.get(inherited) ?? 0) || !this.#mayHide(node, inherited)) continue
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

  /** Tests what an element declares itself. */
  #mayHide(element: Element, { properties, mayHide }: HidingRule): boolean {
    return properties.some((name) => {
      const value = this.#styles.valueOf(element, name)
      return value !== undefined && mayHide(value, name, this.#styles)
    })
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
      (rule.mayOpen === true && this.#signs.has(declaring, rule))
    )
  }

  /** Finds the outermost elements all of whose text is hidden. A text beside others that are seen is taken out alone. */
  #collect(texts: ReadonlyMap<number, HidingRule>): FoundUnseen {
    const { nodes, ends, parents, trimmedLengths } = this.#list
    const hiddenBefore =
      texts.size === 0 ? this.#textBefore : sumUp(trimmedLengths.map((length, at) => (texts.has(at) ? length : 0)))
    const isAllHidden = (at: number): boolean => {
      const end = ends[at] ?? 0
      return (
        (hiddenBefore[end] ?? 0) - (hiddenBefore[at] ?? 0) ===
        (this.#textBefore[end] ?? 0) - (this.#textBefore[at] ?? 0)
      )
    }
    const single: { readonly text: Text; readonly why: string }[] = []
    let end = 0
    for (const [at, rule] of [...texts].sort(([one], [other]) => one - other)) {
      if (at < end) continue
      let outermost = parents[at] ?? -1
      const node = nodes[at]
      if (outermost === -1 || node === undefined || !isText(node)) continue
      if (!isAllHidden(outermost)) {
        single.push({ text: node, why: rule.why })
        continue
      }
      for (let up = parents[outermost] ?? -1; up !== -1 && isAllHidden(up); up = parents[up] ?? -1) {
        const around = nodes[up]
        if (around === undefined || !isElement(around) || around.name === 'body' || around.name === 'html') break
        outermost = up
      }
      this.#found.push({ at: outermost, rule })
      end = ends[outermost] ?? 0
    }
    const elements = new Map<Element, Unseen>()
    for (const { at, rule } of this.#found) {
      const node = nodes[at]
      if (node !== undefined && isElement(node)) elements.set(node, { why: rule.why, mayOpen: rule.mayOpen === true })
    }
    return { elements, texts: single }
  }
}

/** Sums up what the nodes before each one have. */
function sumUp(amounts: Int32Array): Int32Array {
  const sums = new Int32Array(amounts.length + 1)
  for (let at = 0; at < amounts.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (amounts[at] ?? 0)
  return sums
}
