import { onceFor } from '../../../base/collections/once-for.js'
import { type LinkedSheet, readSheetLink } from '../../../base/text/linked-sheet.js'
import { ELEMENT, HAS_CLASS, HAS_ID, HAS_OTHER, HAS_STYLE, type PageNodes, STYLE_SHEET } from '../../html/page-nodes.js'
import { type Element, isElement, parentElement, textOf } from '../../html/tree.js'
import { Cascade } from './cascade.js'
import { MAY_HIDE, MAY_HIDE_BY_ANY_COLOUR, MAY_HIDE_OTHERWISE } from './may-hide.js'
import { StepBudget } from './match-selector.js'
import { colourIn, PageStyles } from './page-styles.js'
import { READ_PROPERTIES } from './read-declarations.js'
import { stripComments } from './scan-css.js'
import { colourOf, type Rgba, WHITE } from './style-colours.js'
import { linkedSheet, placeOfRule, type PageSheet, rulesOfSheet, type SheetFacts } from './known-sheets.js'
import { linkedRules } from './linked-rules.js'
import { kindOfMedia } from './media-query.js'
import { readImports } from './read-imports.js'
import { endsInName, hasOtherName, type Keyframes, orderLayers, readKeyframes, type StyleRule } from './style-sheet.js'
import { type FoundUnseen, NOTHING_UNSEEN, sumUp, UnseenFinder } from './unseen-finder.js'

/** Steps that the tests of selectors may take on a page. A usual one takes some thousands. */
const MAX_STEPS = 2_000_000

/** Maximum rules of a page that are applied: its own, and those of the sheets that it links to. */
const MAX_RULES = 20_000

/** Maximum length of the style sheets in a page that are read, and of those that it links to. Characters. */
const MAX_CSS = 2_000_000

/** Maximum number of linked sheets that are read: a page may name one again and again. */
const MAX_LINKED = 40

/**
 * Finds the elements whose text a reader at a screen does not see, by the page's style sheets: its `style` elements and attributes, and
 * those of the sheets that it links to which are known. In time linear in the page, within {@link MAX_STEPS}.
 *
 * Texts that a screen reader reads and that name something visible are not among them, nor is what a script brings into view.
 *
 * @param linked the sheets that the page links to, as far as they are known
 */
export function findUnseen(list: PageNodes, facts: SheetFacts, linked: readonly LinkedSheet[] = []): FoundUnseen {
  const { isQuirky } = facts
  const { sheets, isWhole, hasOthers } = new SheetList(linked, facts.keepsNothing).read(list)
  const inline = hidingStyles(list)
  if (sheets.length + inline.length === 0) return isWhole ? NOTHING_UNSEEN : { ...NOTHING_UNSEEN, isCut: true }
  const isOther = linked.length > 0 ? hasOthers : hasLinks(list)
  const isShort = [false, true].map(
    (isOfLinked) => lengthOf(sheets.filter((one) => isOfLinked === isLinkedSheet(one))) <= MAX_SHORT_CSS,
  )
  const isLinked = (order: number): boolean => isLinkedSheet(sheets[placeOfRule(order)])
  const isOfShort = (isOfLinked: boolean): boolean => isShort[Number(isOfLinked)] === true
  const mayHide = sheets.some(
    (sheet) => mayHideBySheet(sheet) || (isOfShort(isLinkedSheet(sheet)) && MAY_HIDE_BY_ANY_COLOUR.test(sheet.css)),
  )
  if (!mayHide && inline.length === 0) return isWhole ? NOTHING_UNSEEN : { ...NOTHING_UNSEEN, isCut: true }
  const budget = new StepBudget(MAX_STEPS)
  const read = sheets.map((sheet, place) => rulesOfSheet(sheet, place, facts))
  const inPage = read.flatMap((sheet, at) => (isLinkedSheet(sheets[at]) ? [] : sheet.rules))
  const ofLinked = read.filter((_, at) => isLinkedSheet(sheets[at])).map((sheet) => linkedRules(sheet))
  const own = divide(inPage.slice(0, MAX_RULES))
  const keyframes = new Map([...ofLinked, own].flatMap((one) => [...one.keyframes]))
  const cut = (found: FoundUnseen): FoundUnseen =>
    isWhole && budget.left >= 0 && inPage.length < MAX_RULES ? found : { ...found, isCut: true }
  const layers = orderLayers(read.flatMap((sheet) => sheet.layers))
  const named = own.rules.length + ofLinked.length > 0 ? namesOn(list) : NO_NAMES
  const names = isQuirky ? withoutCase(named) : named
  const fold = (selector: string): string => (isQuirky ? selector.toLowerCase() : selector)
  // Where other sheets may colour what is behind a text, only a rule for both colours can say that it is not seen.
  const isHiding = (rule: StyleRule): boolean =>
    rule.isLike(isOfShort(isLinked(rule.order)) ? MAY_HIDE_BY_ANY_COLOUR : isOther ? MAY_HIDE_OTHERWISE : MAY_HIDE) ||
    (isOther && rule.isLike(BACKGROUND) && rule.isLike(TEXT_COLOUR)) ||
    (keyframes.size > 0 && rule.isLike(ANIMATED))
  const kind = `hiding ${isOfShort(true)} ${isOther} ${keyframes.size > 0}`
  const hiding = mayHide
    ? [...own.rules.filter(isHiding), ...ofLinked.flatMap((one) => one.find(kind, isHiding, names))]
    : []
  const textBefore = sumUp(list.trimmedLengths)
  const candidates = findCandidates(list, {
    cascade: new Cascade({ rules: hiding, budget, isQuirky, isWanted: (one) => !hasOtherName(fold(one), names) }),
    inline,
    textBefore,
  })
  if (candidates.length === 0) return cut(NOTHING_UNSEEN)
  const ofCandidates = namesOn(list, candidates)
  const ownNames = isQuirky ? withoutCase(ofCandidates) : ofCandidates
  const isRelated = (rule: StyleRule): boolean => rule.isLike(RELATED)
  const related = [...own.rules.filter(isRelated), ...ofLinked.flatMap((one) => one.find('related', isRelated, names))]
  const isWanted = (one: string): boolean => !hasOtherName(fold(one), names) || endsInName(fold(one), ownNames)
  const cascade = new Cascade({ rules: related, budget, isQuirky, isWanted, keyframes, layers, isLinked })
  const styles = new PageStyles(cascade, {
    findGrounds: () => findGrounds(list, sheets),
    findNames: isOther ? () => sheets.map(namesIn) : undefined,
    findPainted: () => sheets.map(paintedIn),
    registered: read.flatMap((sheet) => sheet.properties),
    isQuirky,
  })
  return cut(new UnseenFinder(list, styles, textBefore).find(candidates))
}

/** Divides rules into those that select elements, and the frames of animations that may hide. */
function divide(all: readonly StyleRule[]): { readonly rules: readonly StyleRule[]; readonly keyframes: Keyframes } {
  const frames = all.filter((rule) => rule.frames !== undefined)
  if (frames.length === 0) return { rules: all, keyframes: new Map() }
  return { rules: all.filter((rule) => rule.frames === undefined), keyframes: readKeyframes(frames) }
}

/** Maximum length of all sheets of one kind for every colour of text to be compared with its background. Characters. */
const MAX_SHORT_CSS = 20_000

const lengthOf = (sheets: readonly PageSheet[]): number => sheets.reduce((sum, { css }) => sum + css.length, 0)
const isLinkedSheet = (sheet: PageSheet | undefined): boolean => sheet?.rulesByPlace !== undefined

const ANIMATED = /(?:^|[;\s-])animation(?:-name)?\s*:/i

const GROUND = /background(?:-color)?\s*:\s*([^;}]{3,80})/gi

// What is known of a sheet that the pages of a site link to is found once.
const mayHideBySheet = onceFor(({ css }: PageSheet) => MAY_HIDE.test(css))

const NAMES = /[.#](-?[a-z_][\w-]*)/gi

/** Returns the names of classes and ids that a sheet has rules for. */
const namesIn = onceFor(
  ({ css }: PageSheet): ReadonlySet<string> => new Set(Array.from(css.matchAll(NAMES), ([, name = '']) => name)),
)

const BESIDE = /:(?:before|after)\b/gi
/** Maximum length of a selector, and of the declarations of a rule that are looked through. Characters. */
const MAX_SELECTOR = 200
const MAX_DECLARATIONS = 2000

/** Returns the names in the selectors of what a sheet paints before or behind the content of an element. */
const paintedIn = onceFor(({ css }: PageSheet): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { index } of css.matchAll(BESIDE)) {
    const begin = css.slice(index, index + MAX_SELECTOR).search(/[{}]/) + index
    if (css[begin] !== '{') continue
    const [declarations = ''] = css.slice(begin + 1, begin + MAX_DECLARATIONS).split(/[{}]/, 1)
    if (!/background/i.test(declarations)) continue
    const before = css.slice(Math.max(0, index - MAX_SELECTOR), index)
    const selector = before.slice(Math.max(...[',', '{', '}', ';'].map((sign) => before.lastIndexOf(sign))) + 1)
    for (const [, name = ''] of selector.matchAll(NAMES)) names.add(name)
  }
  return names
})

/** Maximum colours of backgrounds of a page. Further ones are not compared with those of text. */
const MAX_GROUNDS = 100

const groundsOf = (css: string): ReadonlySet<string> =>
  new Set(Array.from(css.matchAll(GROUND), ([, value = '']) => value.toLowerCase()))
const groundsIn = onceFor(({ css }: PageSheet) => groundsOf(css))
const variablesIn = onceFor(
  ({ css }: PageSheet) =>
    new Map(Array.from(css.matchAll(VARIABLE), ([, name = '', value = '']) => [name.toLowerCase(), value])),
)

/** Returns the colours of backgrounds that the page names, and white. */
function findGrounds({ nodes, kinds }: PageNodes, sheets: readonly PageSheet[]): readonly Rgba[] {
  const written = new Set<string>()
  const variables = new Map<string, string>()
  const add = (values: Iterable<string>): void => {
    for (const value of values) if (written.size < MAX_GROUNDS) written.add(value)
  }
  for (const sheet of sheets) {
    add(groundsIn(sheet))
    for (const [name, value] of variablesIn(sheet)) variables.set(name, value)
  }
  for (let at = 0; at < nodes.length; at += 1) {
    const node = ((kinds[at] ?? 0) & (HAS_STYLE | HAS_OTHER)) === 0 ? undefined : nodes[at]
    if (node === undefined || !isElement(node)) continue
    const { style, bgcolor } = node.attribs
    if (style?.includes('background') === true) add(groundsOf(style))
    if (bgcolor !== undefined) written.add(bgcolor.toLowerCase())
  }
  const found = [...written].flatMap((value) => {
    const text = value.replace(/\s*!important/, '').trim()
    const [, name] = /var\(\s*(--[\w-]+)/.exec(text) ?? []
    const plain = name === undefined ? text : (variables.get(name)?.trim().toLowerCase() ?? '')
    // A gradient names several.
    return [colourIn(plain), ...(plain.includes('gradient') ? plain.split(/[(),\s]+/) : [])].map((one) => colourOf(one))
  })
  return [WHITE, ...found.filter((colour): colour is Rgba => colour !== undefined && colour[3] > 0.5)]
}

const VARIABLE = /(?<![\w-])(--[\w-]{1,80})\s{0,9}:([^;}]{1,80})/g

/** Matches declarations of properties that count for whether text is seen. */
const RELATED = new RegExp(`(?:^|[;{\\s])(?:${[...READ_PROPERTIES, '--[^\\s:;{}]*'].join('|')})\\s*:|\\\\`, 'i')

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

const withoutCase = (names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(Array.from(names, (name) => name.toLowerCase()))

/** The style sheets of a page, in their order. */
class SheetList {
  readonly #linked: ReadonlyMap<string, LinkedSheet>
  readonly #keepsNothing: boolean
  readonly #sheets: PageSheet[] = []
  #left = MAX_CSS
  #leftOfLinked = MAX_CSS
  #leftLinked = MAX_LINKED
  #hasOthers = false

  constructor(linked: readonly LinkedSheet[], keepsNothing: boolean) {
    this.#linked = new Map(linked.map((one) => [one.href, one]))
    this.#keepsNothing = keepsNothing
  }

  /** @returns the sheets, whether they are all of those that are in the page; where some are known, whether there are others */
  read({ nodes, kinds }: PageNodes): {
    readonly sheets: readonly PageSheet[]
    readonly isWhole: boolean
    readonly hasOthers: boolean
  } {
    let title: string | undefined
    for (let at = 0; at < nodes.length && this.#left >= 0; at += 1) {
      const node = ((kinds[at] ?? 0) & STYLE_SHEET) === 0 ? undefined : nodes[at]
      if (node === undefined || !isElement(node)) continue
      // Of the sheets with a title, those with that of the first one are applied.
      const own = node.attribs['title'] ?? ''
      const text = textOfSheet(node)
      const link = this.#linked.size > 0 && text === undefined && node.name === 'link' ? linkOf(node) : undefined
      if ((text === undefined && link === undefined) || (own !== '' && own !== (title ??= own))) continue
      if (text !== undefined) this.#addText(text, node.attribs['media'])
      else if (link !== undefined) this.#addLinked(link.href, link.media)
    }
    return { sheets: this.#sheets, isWhole: this.#left >= 0, hasOthers: this.#hasOthers }
  }

  #addText(text: string, media: string | undefined): void {
    for (const one of this.#linked.size > 0 ? readImports(text) : [])
      this.#addLinked(one.href, bothMedia(media, one.media))
    const css = stripComments(text.length > this.#left ? text.slice(0, this.#left) : text)
    this.#sheets.push({ css, media })
    this.#left -= text.length > this.#left ? this.#left + 1 : css.length
  }

  #addLinked(href: string, media: string | undefined): void {
    if (kindOfMedia(media ?? '') === 'none') return
    const linked = this.#linked.get(href)
    this.#hasOthers ||= linked === undefined
    for (const text of linked?.texts ?? []) {
      const sheet = linkedSheet(text, bothMedia(media, text.media), this.#keepsNothing)
      this.#leftOfLinked -= sheet.css.length
      this.#leftLinked -= 1
      if (this.#leftOfLinked >= 0 && this.#leftLinked >= 0) this.#sheets.push(sheet)
      else this.#hasOthers = true
    }
  }
}

/** Returns the media of what is for two: that which holds for fewer readers. */
function bothMedia(outer = '', inner = ''): string {
  const isOuter = kindOfMedia(outer) === 'none' || kindOfMedia(inner) === 'all'
  return isOuter ? outer : inner
}

/** Returns the link to a style sheet; undefined for another one, and for readers without scripts. */
function linkOf(element: Element): ReturnType<typeof readSheetLink> {
  return isForOthers(element) ? undefined : readSheetLink((name) => element.attribs[name])
}

/** True in a `noscript`, which is for readers without scripts, and in a template, which is for what scripts make of it. */
function isForOthers(element: Element): boolean {
  for (let at = parentElement(element), step = 0; at !== undefined && step < MAX_AROUND; step += 1) {
    if (at.name === 'noscript' || at.name === 'template') return true
    at = parentElement(at)
  }
  return false
}

/** Returns the text of a style sheet that is in the page; undefined for one that browsers do not apply. */
function textOfSheet(element: Element): string | undefined {
  const { type = '', rel = '', href = '' } = element.attribs
  if (element.name === 'link')
    return /(?:^|\s)stylesheet(?:$|\s)/i.test(rel) && !/(?:^|\s)alternate(?:$|\s)/i.test(rel)
      ? textOfData(href.trim())
      : undefined
  if (element.name !== 'style' || !/^(?:text\/css)?$/i.test(type.trim())) return undefined
  return isForOthers(element) ? undefined : textOf(element)
}

/** Returns the text of an address that is a style sheet itself. */
function textOfData(address: string): string | undefined {
  const comma = address.indexOf(',')
  if (comma === -1 || address.length > MAX_CSS || !/^data:text\/css[;,]/i.test(address)) return undefined
  const data = address.slice(comma + 1)
  try {
    return /;base64$/i.test(address.slice(0, comma))
      ? atob(data.replaceAll(/%3d/gi, '='))
      : decodeURIComponent(data.replaceAll(/%(?![\da-f]{2})/gi, '%25'))
  } catch {
    return undefined
  }
}

const hasLinks = ({ nodes, kinds }: PageNodes): boolean =>
  nodes.some(
    (node, at) =>
      ((kinds[at] ?? 0) & STYLE_SHEET) !== 0 &&
      isElement(node) &&
      node.name === 'link' &&
      /\bstylesheet\b/i.test(node.attribs['rel'] ?? '') &&
      !/^\s*data:/i.test(node.attribs['href'] ?? ''),
  )

/** Returns the indexes of the elements whose own style may hide them, or that are drawings. */
function hidingStyles(list: PageNodes): number[] {
  const { nodes, kinds } = list
  const found: number[] = []
  const known = new Map<string, boolean>()
  for (let at = 0; at < nodes.length; at += 1) {
    const kind = kinds[at] ?? 0
    const node = (kind & (HAS_STYLE | STYLE_SHEET)) === 0 ? undefined : nodes[at]
    if (node === undefined || !isElement(node) || node.name === 'style' || node.name === 'link') continue
    if ((kind & STYLE_SHEET) !== 0) {
      found.push(at)
      // What hides a drawn text is often a part of the drawing around it.
      for (
        let up = parentElement(node), step = 0;
        node.name === 'text' && up !== undefined && step < MAX_AROUND;
        step += 1
      ) {
        found.push(list.indexOf(up))
        up = up.name === 'svg' ? undefined : parentElement(up)
      }
      continue
    }
    const { style = '' } = node.attribs
    let mayHide = known.get(style)
    if (mayHide === undefined) {
      const bare = stripComments(style)
      mayHide = MAY_HIDE_BY_ANY_COLOUR.test(bare) || (BACKGROUND.test(bare) && TEXT_COLOUR.test(bare))
      known.set(style, mayHide)
    }
    if (mayHide) found.push(at)
  }
  return found
}

/** Maximum parts of a drawing around a text. */
const MAX_AROUND = 12

/** Match a style with the colours of text and background, together. One pattern for both would take more than linear time. */
const BACKGROUND = /background/i
const TEXT_COLOUR = /(?:^|[;{\s])color\s*:/i

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
    if (own.has(at) || (!cascade.isEmpty && cascade.hasRule(node))) found.push(at)
  }
  return found
}

const UNREAD: ReadonlySet<string> = new Set('script style template head title meta link noscript base'.split(' '))
