import { collapse, type Element, isElement, isText, walk } from '../../html/tree.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import { LOAD_MORE } from '../../../base/text/more-of-list.js'

/** The next page of a list that is divided into pages. */
export interface NextPage {
  /** Absolute URL without a fragment. */
  readonly url: string
  /** The link that leads to it, for readers. */
  readonly evidence: string
}

/** Parts of a page in which the links to further pages are found. */
interface PaginationSource {
  /** The whole page, with its head. */
  readonly root: Element
  readonly isInvisible: (element: Element) => boolean
  readonly resolver: LinkResolver
  /** URL of the page. */
  readonly url: string
}

const RELATION = /(?:^|\s)next(?:\s|$)/iu
const LOAD_MORE_LABEL = new RegExp(`^(?:${LOAD_MORE})`, 'iu')
const NEXT_NAME = /(?:^|[\s_-])(?:next|pagination-next|nextpage|next-page)(?:$|[\s_-])/iu
/** Names of links that lead to a slide, a month or a chapter. */
const OTHER_NAME = /carousel|slick|swiper|slide|calendar|chapter/iu
const DISABLED_NAME = /(?:^|[\s_-])disabled(?:$|[\s_-])/iu
const CURRENT_NAME = /(?:^|[\s_-])(?:current|active|selected|is-active|is-current)(?:$|[\s_-])/iu
const PAGE_NUMBER = /^\d{1,6}$/u
const LETTER = /^(?:\p{Lu}|#|0-9|0–9)$/u

/** Maximum links of a page that are read, and characters of a label. */
const MAX_LINKS = 20_000
const MAX_LABEL = 60
/** Maximum elements from a number to the element that contains all numbers. */
const MAX_AROUND = 3

interface Link {
  readonly element: Element
  readonly url: string
  readonly label: string
}

/** A number or letter of a pagination; without a URL it is the current one. */
interface Step {
  readonly element: Element
  readonly label: string
  readonly url: string | undefined
  readonly isCurrent: boolean
}

/**
 * Finds the link to the next page of a list: by its relation, by its label in 25 languages or its class, as the number
 * or letter after the current one, or as a link that loads more.
 */
export function findNextPage(source: PaginationSource): NextPage | undefined {
  const { links, steps } = readSteps(source)
  const isNext = (link: Link): boolean => link.url !== withoutHash(source.url) && !isDisabled(link.element)
  const related = links.find((link) => RELATION.test(link.element.attribs['rel'] ?? '') && isNext(link))
  if (related) return { url: related.url, evidence: '`rel="next"`' }
  const named = links.find((link) => isNext(link) && isNamedNext(link))
  if (named) return { url: named.url, evidence: `the link "${named.label || 'next'}"` }
  const step = findNextStep(steps, source.url)
  if (step) return step
  const more = links.find(
    (link) => isNext(link) && LOAD_MORE_LABEL.test(link.label) && hasSamePlace(link.url, source.url),
  )
  return more && { url: more.url, evidence: `the link "${more.label}"` }
}

const withoutHash = (url: string): string => url.split('#', 1)[0] ?? url

const isDisabled = ({ attribs }: Element): boolean =>
  attribs['aria-disabled'] === 'true' || DISABLED_NAME.test(attribs['class'] ?? '')

/** Tests for a link that is called "next": by its label, or by its name where its label is only a sign. */
function isNamedNext({ element, label }: Link): boolean {
  const { attribs } = element
  const names = `${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`
  if (OTHER_NAME.test(names)) return false
  if (NEXT_LABEL.test(label)) return true
  const title = collapse((attribs['aria-label'] ?? attribs['title'] ?? '').slice(0, MAX_LABEL))
  return label.length <= 2 && (NEXT_LABEL.test(title) || NEXT_NAME.test(names))
}

/** Tests whether two URLs differ in their query only. */
function hasSamePlace(one: string, other: string): boolean {
  const [place] = one.split('?', 1)
  return place === withoutHash(other).split('?', 1)[0]
}

interface Steps {
  readonly links: readonly Link[]
  readonly steps: readonly Step[]
}

function readSteps({ root, isInvisible, resolver }: PaginationSource): Steps {
  const links: Link[] = []
  const steps: Step[] = []
  walk(root, (node) => {
    if (!isElement(node)) return true
    // A pagination that a script shows is followed too, but not one in a part that no one is to see.
    if (node.name !== 'link' && node.name !== 'head' && isInvisible(node)) return false
    const href = node.name === 'a' || node.name === 'link' ? node.attribs['href'] : undefined
    if (href === undefined) {
      const label = isStepElement(node) ? labelOf(node) : undefined
      if (label !== undefined && isStep(label)) steps.push({ element: node, label, url: undefined, isCurrent: true })
      return true
    }
    const url = href.startsWith('#') ? undefined : resolver.resolve(href)
    if (url === undefined || !url.startsWith('http') || links.length >= MAX_LINKS) return true
    const label = labelOf(node) ?? ''
    const link = { element: node, url: withoutHash(url), label }
    links.push(link)
    if (isStep(label)) steps.push({ ...link, isCurrent: isMarkedCurrent(node) })
    return true
  })
  return { links, steps }
}

const isStep = (label: string): boolean => PAGE_NUMBER.test(label) || LETTER.test(label)

/** Tests for an element that may be the current number: it has text only, and no link around or in it. */
const isStepElement = ({ name, children, attribs }: Element): boolean =>
  /^(?:span|b|strong|em|li|td|div|button|a)$/u.test(name) &&
  children.length === 1 &&
  children.every((child) => isText(child)) &&
  (name !== 'button' || attribs['disabled'] !== undefined || isMarked(attribs))

const isMarked = (attribs: Element['attribs']): boolean => {
  const current = attribs['aria-current']
  return (current !== undefined && current !== 'false') || CURRENT_NAME.test(attribs['class'] ?? '')
}

/** Tests for a link that is marked as the current page, or whose item is. */
const isMarkedCurrent = ({ attribs, parent }: Element): boolean =>
  isMarked(attribs) || (parent !== null && isElement(parent) && parent.children.length <= 3 && isMarked(parent.attribs))

/** Finds the number or letter after the current one, in the same group of numbers or letters. */
function findNextStep(steps: readonly Step[], url: string): NextPage | undefined {
  for (const [index, step] of steps.entries()) {
    if (!step.isCurrent) continue
    const next = steps[index + 1]
    if (next?.url === undefined || next.isCurrent || !areNear(step.element, next.element)) continue
    const isNumber = PAGE_NUMBER.test(step.label)
    if (isNumber ? Number(next.label) !== Number(step.label) + 1 : PAGE_NUMBER.test(next.label)) continue
    return { url: next.url, evidence: `the link "${next.label}" after "${step.label}"` }
  }
  // Without a mark, the current page is the one that the URL names, or the first.
  const own = steps.findIndex((step) => step.url === withoutHash(url))
  const at = own === -1 ? findFirst(steps, url) : own
  const [first, second] = at === -1 ? [] : steps.slice(at, at + 2)
  if (first === undefined || second?.url === undefined || !areNear(first.element, second.element)) return undefined
  if (Number(second.label) !== Number(first.label) + 1) return undefined
  return { url: second.url, evidence: `the link "${second.label}" after "${first.label}"` }
}

/** Finds the link to the first page, in a group of numbers of which none is marked as the current one; or returns -1. */
function findFirst(steps: readonly Step[], url: string): number {
  const at = steps.findIndex((step) => step.label === '1' && leadsBelow(step.url, url))
  let last = steps[at]
  for (const step of steps.slice(at + 1)) {
    if (last === undefined || !(Number(step.label) > Number(last.label)) || !areNear(last.element, step.element)) break
    if (step.isCurrent) return -1
    last = step
  }
  return at
}

/** Tests for a link that adds a page to the URL of the list: in its query, or in a folder below: `/lamps/page/1`. */
function leadsBelow(link: string | undefined, url: string): boolean {
  if (link === undefined) return false
  const [place = '', query = ''] = withoutHash(url).split('?', 2)
  const added = new Set((link.split('?', 2)[1] ?? '').split('&'))
  // Another page than the first has a number of its own in its query.
  if (hasSamePlace(link, url)) return query === '' || query.split('&').every((parameter) => added.has(parameter))
  return link.startsWith(place.endsWith('/') ? place : `${place}/`)
}

/** Tests whether two elements have an ancestor in common that is close to both. */
function areNear(one: Element, other: Element): boolean {
  const around = new Set(ancestorsOf(one))
  return ancestorsOf(other).some((element) => around.has(element))
}

function ancestorsOf(element: Element): Element[] {
  const found: Element[] = []
  for (let { parent } = element; parent !== null && isElement(parent) && found.length < MAX_AROUND; { parent } = parent)
    if (parent.name !== 'body') found.push(parent)
    else break
  return found
}

/** Returns the text of an element, or undefined if it is longer than a label. */
function labelOf(element: Element): string | undefined {
  let text = ''
  walk(element, (node) => {
    if (isText(node)) text += node.data.slice(0, MAX_LABEL * 4)
    if (text.length > MAX_LABEL * 4) return 'stop'
    return !isElement(node) || (node.name !== 'style' && node.name !== 'script' && node.name !== 'svg')
  })
  const label = collapse(text)
  return label.length > MAX_LABEL ? undefined : label
}

/** Labels of links to the next page of a list, in 25 languages. The matching must ignore case. */
const NEXT_LABEL = new RegExp(
  `^(?:[«‹<←]\\s*)?(?:${[
    String.raw`(?:go to )?next(?: (?:page|results?|\d+))?`,
    String.raw`older(?: (?:posts|entries|articles|\p{L}+))?`,
    String.raw`(?:nächste|naechste)(?: seite)?|weiter|ältere(?: \p{L}+)?`,
    String.raw`(?:page )?suivante?s?`,
    String.raw`(?:página )?siguiente|(?:entradas )?anteriores`,
    String.raw`próxim[ao](?: página)?|(?:página )?seguinte`,
    String.raw`(?:pagina )?successiv[ao]|avanti|prossim[ao]`,
    String.raw`volgende(?: pagina)?`,
    String.raw`następna(?: strona)?|dalej`,
    String.raw`(?:следующая|след\.?)(?: страница)?|вперёд|вперед|дальше`,
    String.raw`наступна(?: сторінка)?|далі|вперед`,
    String.raw`nästa(?: sida)?|neste(?: side)?|næste(?: side)?`,
    String.raw`sonraki(?: sayfa)?|ileri`,
    String.raw`další(?: strana| stránka)?`,
    String.raw`következő(?: oldal)?`,
    String.raw`(?:pagina )?următoare`,
    String.raw`επόμενη(?: σελίδα)?|επόμενο`,
    String.raw`seuraava(?: sivu)?`,
    String.raw`(?:trang )?(?:tiếp(?: theo)?|sau)`,
    String.raw`(?:halaman )?(?:berikutnya|selanjutnya)`,
    'التالي|الصفحة التالية',
    'הבא|לעמוד הבא',
    'अगला(?: पृष्ठ)?',
    'ถัดไป|หน้าถัดไป',
    '次へ|次の(?:ページ|\\d+件)|次ページ',
    '下一[页頁]',
    '다음(?: ?페이지)?',
  ].join('|')})(?:\\s*[›»>→⟩]+)?$|^(?:>{1,2}|[›»→⟩▶])$`,
  'iu',
)
