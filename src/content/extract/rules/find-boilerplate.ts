import { type ChildNode, type Element, findElement, isElement, walk } from '../../html/tree.js'
import { type Boilerplate, boilerplateByTag, boilerplateKind } from './boilerplate.js'
import type { MeasureOf } from './measure.js'
import type { ContentKind } from '../blocks/page-kind.js'
import { isPartOfText } from './button-in-text.js'

/** Maximum share of the page's prose in an element that is dropped as this kind. */
const MAX_PROSE_SHARE: Readonly<Record<Boilerplate, number>> = {
  navigation: 0.5,
  header: 0.1,
  footer: 0.5,
  aside: 0.4,
  dialog: 0.9,
  extra: 0.4,
  teaser: 0.3,
  poster: 0.2,
  comments: 0.5,
  control: 0.3,
}

/** The same for the comments below an article, which are often longer than the article. */
const MAX_ARTICLE_COMMENTS = 0.85

/** Minimum prose in an element that is kept although its markup declares it boilerplate. Characters. */
const MIN_PROSE = 200

/**
 * Minimum share of prose, and maximum share of links, in an element that is content although it is named navigation.
 */
const MIN_NAVIGATION_PROSE = 0.5
const MAX_NAVIGATION_LINKS = 0.3

const LISTS: ReadonlySet<string> = new Set(['ul', 'ol', 'dl', 'table'])
/** Minimum text of a list without a link that is no menu. Characters. */
const MIN_DISHES = 25

/** Share of the page's text above which an `extra` is content, except on articles. */
const MAX_EXTRA_TEXT = 0.35

/** Kinds that are boilerplate on one kind of page only. */
const PAGE_KIND_OF: Partial<Record<Boilerplate, ContentKind>> = { teaser: 'article', poster: 'discussion' }

/** The properties of a page that decide what is boilerplate. */
interface BoilerplateSearch {
  readonly body: Element
  readonly cleared: ReadonlySet<Element>
  readonly measureOf: MeasureOf
  readonly kind: ContentKind
  /** `all` reads class names, ids, tags and roles; `tags` reads tags and roles alone. */
  readonly signs: 'all' | 'tags'
}

/** Finds the outermost elements that their markup declares boilerplate. */
export function findBoilerplate(search: BoilerplateSearch): Set<Element> {
  const dropped = new Set<Element>()
  walk(search.body, judgeNode, undefined, { search, dropped })
  return dropped
}

interface Judging {
  readonly search: BoilerplateSearch
  readonly dropped: Set<Element>
}

function judgeNode(node: ChildNode, { search, dropped }: Judging): boolean {
  if (!isElement(node) || search.cleared.has(node)) return false
  const kind = search.signs === 'tags' ? boilerplateByTag(node) : boilerplateKind(node)
  if (kind === undefined || isContent(node, kind, search)) return true
  dropped.add(node)
  return false
}

/** True for content that the markup declares boilerplate. */
function isContent(element: Element, kind: Boilerplate, search: BoilerplateSearch): boolean {
  const { body, measureOf, kind: page } = search
  const own = measureOf(element)
  const all = measureOf(body)
  if (kind === 'comments' && page === 'discussion') return true
  if ((PAGE_KIND_OF[kind] ?? page) !== page) return true
  const most = kind === 'comments' && page === 'article' ? MAX_ARTICLE_COMMENTS : MAX_PROSE_SHARE[kind]
  if (own.prose > most * all.prose && own.prose > MIN_PROSE) return true
  switch (kind) {
    case 'navigation':
      // A list that is named a menu and leads nowhere is one of dishes.
      if (own.link === 0 && own.text >= MIN_DISHES && LISTS.has(element.name)) return true
      return (
        element.name !== 'nav' &&
        own.prose > MIN_NAVIGATION_PROSE * own.text &&
        own.link < MAX_NAVIGATION_LINKS * own.text
      )
    case 'header':
      return own.prose >= MIN_PROSE || holds(element, ['h1'])
    case 'comments':
      return holds(element, ['h1'])
    case 'dialog':
      return holds(element, ['main', 'article', 'pre'])
    case 'extra':
      return (page !== 'article' && own.text > MAX_EXTRA_TEXT * all.text) || holds(element, ['pre', 'th'])
    case 'control':
      return element.name === 'button' && isPartOfText(element)
    case 'teaser':
    case 'poster':
      return holds(element, ['pre'])
    default:
      return false
  }
}

const holds = (element: Element, names: readonly string[]): boolean =>
  findElement(element, ({ name }) => names.includes(name)) !== undefined
