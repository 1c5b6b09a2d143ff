import { ELEMENT, HAS_CLASS, HAS_ID, HAS_OTHER, HAS_STYLE, type PageNodes, STYLE_SHEET } from '../../html/page-nodes.js'
import { type Element, isElement, parentElement, textOf } from '../../html/tree.js'
import { Cascade } from './cascade.js'
import { MAY_HIDE, MAY_HIDE_BY_ANY_COLOUR, MAY_HIDE_OTHERWISE } from './may-hide.js'
import { StepBudget } from './match-selector.js'
import { colourIn, PageStyles } from './page-styles.js'
import { READ_PROPERTIES } from './read-declarations.js'
import { stripComments } from './scan-css.js'
import { colourOf, type Rgba, WHITE } from './style-colours.js'
import { type PageSheet, rulesOfSheet, type SheetFacts } from './known-sheets.js'
import { endsInName, hasOtherName, type Keyframes, orderLayers, readKeyframes, type StyleRule } from './style-sheet.js'
import { type FoundUnseen, NOTHING_UNSEEN, sumUp, UnseenFinder } from './unseen-finder.js'

/** Steps that the tests of selectors may take on a page. A usual one takes some thousands. */
const MAX_STEPS = 2_000_000

/** Maximum rules of a page that are applied. */
const MAX_RULES = 20_000

/** Maximum length of the style sheets of a page that are read. Characters. */
const MAX_CSS = 2_000_000

/**
 * Finds the elements whose text a reader at a screen does not see, by the page's own style sheets: its `style` elements and
 * attributes. Sheets that it links to are not known. In time linear in the page, within {@link MAX_STEPS}.
 *
 * Texts that a screen reader reads and that name something visible are not among them, nor is what a script brings into view.
 */
export function findUnseen(list: PageNodes, facts: SheetFacts): FoundUnseen {
  const { isQuirky } = facts
  const { sheets, isWhole } = readSheets(list)
  const isShort = sheets.reduce((sum, { css }) => sum + css.length, 0) <= MAX_SHORT_CSS
  const pattern = isShort ? MAY_HIDE_BY_ANY_COLOUR : MAY_HIDE
  const inline = hidingStyles(list)
  const mayHide = sheets.some(({ css }) => pattern.test(css))
  if (!mayHide && inline.length === 0) return isWhole ? NOTHING_UNSEEN : { ...NOTHING_UNSEEN, isCut: true }
  const budget = new StepBudget(MAX_STEPS)
  const read = sheets.map((sheet, place) => rulesOfSheet(sheet, place, facts))
  const all = read.flatMap((sheet) => sheet.rules)
  const { rules, keyframes } = divide(all.slice(0, MAX_RULES))
  const cut = (found: FoundUnseen): FoundUnseen =>
    isWhole && budget.left >= 0 && all.length < MAX_RULES ? found : { ...found, isCut: true }
  const layers = orderLayers(read.flatMap((sheet) => sheet.layers))
  const named = rules.length > 0 ? namesOn(list) : NO_NAMES
  const names = isQuirky ? withoutCase(named) : named
  const fold = (selector: string): string => (isQuirky ? selector.toLowerCase() : selector)
  const isOther = hasOtherSheets(list)
  // Where other sheets may colour what is behind a text, only a rule for both colours can say that it is not seen.
  const isHiding = (rule: StyleRule): boolean =>
    rule.isLike(isOther && !isShort ? MAY_HIDE_OTHERWISE : pattern) ||
    (isOther && rule.isLike(BACKGROUND) && rule.isLike(TEXT_COLOUR)) ||
    (keyframes.size > 0 && rule.isLike(ANIMATED))
  const hiding = mayHide ? rules.filter(isHiding) : []
  const textBefore = sumUp(list.trimmedLengths)
  const candidates = findCandidates(list, {
    cascade: new Cascade({ rules: hiding, budget, isQuirky, isWanted: (one) => !hasOtherName(fold(one), names) }),
    inline,
    textBefore,
  })
  if (candidates.length === 0) return cut(NOTHING_UNSEEN)
  const ofCandidates = namesOn(list, candidates)
  const own = isQuirky ? withoutCase(ofCandidates) : ofCandidates
  const related = rules.filter((rule) => rule.isLike(RELATED))
  const isWanted = (one: string): boolean => !hasOtherName(fold(one), names) || endsInName(fold(one), own)
  const cascade = new Cascade({ rules: related, budget, isQuirky, isWanted, keyframes, layers })
  const styles = new PageStyles(cascade, {
    findGrounds: () => findGrounds(list, sheets),
    findNames: isOther ? () => namesIn(sheets) : undefined,
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

/** Maximum length of all sheets for every colour of text to be compared with its background. Characters. */
const MAX_SHORT_CSS = 20_000

const ANIMATED = /(?:^|[;\s-])animation(?:-name)?\s*:/i

const GROUND = /background(?:-color)?\s*:\s*([^;}]{3,80})/gi

/** Returns the names of classes and ids that the page's own sheets have rules for. */
function namesIn(sheets: readonly PageSheet[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { css } of sheets) for (const [, name = ''] of css.matchAll(/[.#](-?[a-z_][\w-]*)/gi)) names.add(name)
  return names
}

/** Maximum colours of backgrounds of a page. Further ones are not compared with those of text. */
const MAX_GROUNDS = 100

/** Returns the colours of backgrounds that the page names, and white. */
function findGrounds({ nodes, kinds }: PageNodes, sheets: readonly PageSheet[]): readonly Rgba[] {
  const written = new Set<string>()
  const variables = new Map<string, string>()
  const add = (css: string): void => {
    for (const [, value = ''] of css.matchAll(GROUND)) if (written.size < MAX_GROUNDS) written.add(value.toLowerCase())
  }
  for (const { css } of sheets) {
    add(css)
    for (const [, name = '', value = ''] of css.matchAll(VARIABLE)) variables.set(name.toLowerCase(), value)
  }
  for (let at = 0; at < nodes.length; at += 1) {
    const node = ((kinds[at] ?? 0) & (HAS_STYLE | HAS_OTHER)) === 0 ? undefined : nodes[at]
    if (node === undefined || !isElement(node)) continue
    const { style, bgcolor } = node.attribs
    if (style?.includes('background') === true) add(style)
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

function readSheets({ nodes, kinds }: PageNodes): { readonly sheets: readonly PageSheet[]; readonly isWhole: boolean } {
  const sheets: PageSheet[] = []
  let left = MAX_CSS
  let title: string | undefined
  for (let at = 0; at < nodes.length; at += 1) {
    if (((kinds[at] ?? 0) & STYLE_SHEET) === 0) continue
    const node = nodes[at]
    const text = node !== undefined && isElement(node) ? textOfSheet(node) : undefined
    if (node === undefined || !isElement(node) || text === undefined) continue
    // Of the sheets with a title, those with that of the first one are applied.
    const own = node.attribs['title'] ?? ''
    if (own !== '' && own !== (title ??= own)) continue
    const isCut = text.length > left
    const css = stripComments(isCut ? text.slice(0, left) : text)
    sheets.push({ css, media: node.attribs['media'] })
    if (isCut) return { sheets, isWhole: false }
    left -= css.length
  }
  return { sheets, isWhole: true }
}

/** Returns the text of a style sheet that is in the page; undefined for one that browsers do not apply. */
function textOfSheet(element: Element): string | undefined {
  const { type = '', rel = '', href = '' } = element.attribs
  if (element.name === 'link')
    return /(?:^|\s)stylesheet(?:$|\s)/i.test(rel) && !/(?:^|\s)alternate(?:$|\s)/i.test(rel)
      ? textOfData(href.trim())
      : undefined
  if (element.name !== 'style' || !/^(?:text\/css)?$/i.test(type.trim())) return undefined
  // The styles of a `noscript` hold for readers without scripts, and those of a template for what scripts make of it.
  for (let at = parentElement(element), step = 0; at !== undefined && step < MAX_AROUND; step += 1) {
    if (at.name === 'noscript' || at.name === 'template') return undefined
    at = parentElement(at)
  }
  return textOf(element)
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

const hasOtherSheets = ({ nodes, kinds }: PageNodes): boolean =>
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
