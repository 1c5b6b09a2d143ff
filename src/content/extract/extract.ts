import type { FoundLink } from './extracted-page.js'
import type { ParsedPage } from '../parse/parser.js'
import { findPageKind } from './blocks/page-kind.js'
import { labelPanels, MAY_BE_TABS } from './content/label-panels.js'
import { moveContent } from './content/move-content.js'
import { describeLine } from './fidelity/dropped-block.js'
import type {
  ComparedContent,
  ExtractPlan,
  ExtractedPage,
  PageLists,
  PageStatements,
  TreeFindings,
  TreeReading,
} from './extracted-page.js'
import { measureFidelity, withDroppedWords, withHiddenWords } from './fidelity/fidelity.js'
import { findMoreOfList } from './fidelity/find-more-of-list.js'
import { PageLinks, warnOfLinks } from './links.js'
import { findLists } from './list/find-lists.js'
import { collectStatedNames } from './list-names/stated-names.js'
import { findNextPage } from './pagination/find-next-page.js'
import { findMainContent, type MainContent, type ContentSource } from './main-content/main-content.js'
import { readJsonLd } from './structured-data/structured-data.js'
import { licensesOf, MetadataSources, writeMetadata } from './structured-data/metadata.js'
import { createNoscriptReader } from './content/noscript-images.js'
import type { PageOutline } from './outline/page-outline.js'
import { readLinks, resolveLinks, warnOfContentLinks } from './outline/read-links.js'
import type { TextSink } from './outline/visible-content.js'
import { Verdicts } from './selection/content-rule.js'
import { traceDropped } from './fidelity/trace.js'
import { matchTags, NO_MATCHES, outermost } from './tags.js'
import { BY_MARKUP, listHidden } from './fidelity/hidden-text.js'
import { linksWithin, MAY_BE_UNSEEN, noteUnseen, type SearchedPage, takeOutUnseen } from './styles/take-out-unseen.js'
import { TAG_SIGN } from './styles/unseen-signs.js'
import { warnOfDropped } from './main-content/warn-of-dropped.js'
import { queryTree, type TreeQuery, type TreeTasks } from './tree-task.js'
import { findNeverShown, findVisibility, isHidden, type Visibility } from './visibility/visibility.js'
import { CharacterBudget, type DocumentLimits, limitWarning, NO_LIMITS } from '../html/document-limits.js'
import { AddressWriter, LinkResolver } from '../html/link-resolver.js'
import { FACT, NOSCRIPT, PageNodes } from '../html/page-nodes.js'
import { type ChildNode, copyTree, type Element, isElement, type NodeSet, parentElement } from '../html/tree.js'

/**
 * Extracts the content of a page, cleaned, with the metadata and links of the whole page. The content is taken out of
 * the page's tree, so that a page is extracted once only.
 *
 * Elements that match `excludeTags` are always dropped. With `includeTags`, the matching elements are the content, and
 * the main content is not searched for in them.
 *
 * @param tasks has that of {@link ExtractPlan.reading}
 * @see docs/compatibility/documents.md#content
 */
export function extract(page: ParsedPage, plan: ExtractPlan, tasks?: TreeTasks): ExtractedPage {
  const { limits = NO_LIMITS } = plan
  const resolver = new LinkResolver(page.baseUrl, limits.part)
  const { body, nodes, excluded, visibility, choice, unseen, ...found } = select(page, plan, resolver, tasks)
  const { invisible, disclosed } = visibility
  const whyDropped = (node: ChildNode): string => {
    if (!isElement(node) || !(excluded.has(node) || invisible.has(node))) return choice.whyDropped(node)
    return excluded.has(node) ? 'matches a selector of `excludeTags`' : (unseen?.elements.get(node)?.why ?? BY_MARKUP)
  }
  const left = unseen && noteUnseen(unseen, invisible, makeChosen(choice))
  const {
    fidelity,
    partialList,
    withheld = [],
  } = plan.fidelity === false || body === undefined
    ? NOT_COMPARED
    : compareWithPage(page, body, { nodes, visibility, choice, left })
  const trace = plan.trace
    ? [
        ...(page.dropped?.lines ?? []).map(describeLine),
        ...(body === undefined ? [] : traceDropped(body, choice, whyDropped)),
      ]
    : undefined
  const cleared = joinSets(invisible, excluded)
  const listWarnings: string[] = []
  const lists =
    plan.list &&
    readLists(page, plan.list, {
      body,
      nodes,
      choice,
      cleared,
      resolver,
      language: found.metadata.language,
      limits,
      warn: (text) => void listWarnings.push(text),
    })
  const warning =
    fidelity === undefined || body === undefined || !isSearched(page, plan)
      ? undefined
      : warnOfDropped(body, cleared, choice, { ...fidelity, nodes })
  const hiddenLinks =
    left &&
    linksWithin(left.filter((element) => !isHidden(element) && makeChosen(choice)(parentElement(element) ?? element)))
  const remaining = plan.keepsPage === true ? copyPage(page) : page
  const readNoscript = (nodes.flags & NOSCRIPT) === 0 ? NO_IMAGES : createNoscriptReader(page)
  if ((nodes.flags & MAY_BE_TABS) !== 0) labelPanels(nodes, choice.dropped)
  const addresses = new AddressWriter(resolver, limits.added)
  const content = moveContent({ ...choice, readNoscript, disclosed, addresses })
  const mayHide =
    plan.visibleOnly !== false && (unseen !== undefined || page.dropped !== undefined || withheld.length > 0)
  // What style sheets hide is listed with its reason.
  const byMarkup = withheld.filter((element) => unseen?.elements.has(element) !== true)
  const hidden = mayHide ? listHidden(page, unseen?.hidden, byMarkup) : undefined
  const { visibleWords = 0, hiddenWords = 0 } = fidelity ?? {}
  const own = [
    ...(hiddenWords > visibleWords
      ? [
          `The page hides more text than it shows: ${hiddenWords} words are left out, beside ${visibleWords} visible ones.`,
        ]
      : []),
    ...(warning === undefined ? [] : [warning]),
    ...(hidden?.warnings() ?? []),
    ...listWarnings,
    ...(addresses.leftOut === 0
      ? []
      : [
          limitWarning(
            addresses.leftOut,
            'addresses in the content stay as the page writes them, not absolute',
            limits.part,
          ),
        ]),
  ]
  const warnings = [...found.warnings, ...own]
  const tree = page.tree.withRoot(content)
  const made = { page: remaining, tree, resolver, limits, ...found, fidelity, partialList, trace, ...lists, warnings }
  return hidden === undefined || hidden.list.length === 0 ? made : { ...made, hidden: hidden.list, hiddenLinks }
}

const NO_IMAGES = (): readonly Element[] => []

const isWebPage = ({ markdown, isFile }: ParsedPage): boolean => markdown === undefined && isFile === undefined

/** True if the main content of a page is searched for. */
const isSearched = (page: ParsedPage, { onlyMainContent, includeTags }: ExtractPlan): boolean =>
  onlyMainContent && includeTags.length === 0 && isWebPage(page)

function copyPage(page: ParsedPage): ParsedPage {
  const { tree } = page
  return { ...page, tree: tree.withRoot(copyTree(tree.root)) }
}

/**
 * Extracts the links and, if it is wanted, the text of a page's content, without taking the content out of the page.
 *
 * @param text receives the content's elements and texts. @default they are not read
 */
export function extractOutline(page: ParsedPage, plan: ExtractPlan, text?: TextSink): PageOutline {
  const { limits = NO_LIMITS } = plan
  const resolver = new LinkResolver(page.baseUrl, limits.part)
  // Links are those of the page, whether a reader sees them or not.
  const { choice, metadata, links, licenses, warnings } = select(page, { ...plan, visibleOnly: false }, resolver)
  const inContent = resolveLinks(readLinks(choice, text), resolver, limits)
  const all = [...warnings, ...warnOfContentLinks(inContent.leftOut, limits)]
  return { metadata, links, licenses, contentLinks: inContent.addresses, warnings: all }
}

/** Content of a page, with the facts that decided. */
interface Selection extends PageStatements {
  readonly warnings: readonly string[]
  readonly found: unknown
  readonly body: Element | undefined
  readonly nodes: PageNodes
  readonly excluded: ReadonlySet<Element>
  readonly visibility: Visibility
  readonly choice: MainContent
  /** Text that nobody sees; absent for a page without styles and rare characters, and if it is kept. */
  readonly unseen: SearchedPage | undefined
}

/** Has a task read the page, before anything is taken out of it. */
function readBeside(
  page: ParsedPage,
  reading: TreeQuery,
  { links, resolver }: { readonly links: readonly FoundLink[]; readonly resolver: LinkResolver },
  tasks: TreeTasks,
): { readonly links: readonly FoundLink[]; readonly found: unknown } {
  const argument: TreeReading = { argument: reading.argument, links, resolver }
  const findings = queryTree(page, { task: reading.task, argument }, tasks) as TreeFindings
  return { links: links.map((link, nth) => ({ ...link, found: findings.links[nth] })), found: findings.page }
}

function select(page: ParsedPage, plan: ExtractPlan, resolver: LinkResolver, tasks: TreeTasks = {}): Selection {
  const included = plan.includeTags.length > 0 ? matchTags(page.tree, plan.includeTags) : NO_MATCHES
  const excluded = plan.excludeTags.length > 0 ? matchTags(page.tree, plan.excludeTags) : NO_MATCHES
  const body = bodyOf(page)
  const all = new PageNodes(page.tree.root)
  const mayHide =
    page.unseen !== undefined ||
    (all.flags & MAY_BE_UNSEEN) !== 0 ||
    (page.isFile === undefined && page.text.includes(TAG_SIGN))
  const unseen = mayHide && plan.visibleOnly !== false ? takeOutUnseen(page, all, plan.keepsNothing) : undefined
  const nodes = unseen?.nodes ?? all
  const visibility = body === undefined ? visibilityWithoutBody(page) : findVisibility(body, nodes, unseen?.elements)
  const { invisible, disclosed } = visibility
  const cleared = joinSets(invisible, excluded.elements)
  const warnings = [...included.warnings, ...excluded.warnings]
  const { metadata, links, licenses } = readFacts(page, nodes, { resolver, limits: plan.limits ?? NO_LIMITS, warnings })
  const verdicts = plan.trace === true ? new Verdicts() : undefined
  const request = { page, nodes, metadata, body, cleared, panels: disclosed, verdicts }
  const choice = chooseContent(request, plan, included.elements)
  const beside = plan.reading && readBeside(page, plan.reading, { links, resolver }, tasks)
  const facts = { metadata, licenses, warnings, links, found: undefined, ...beside }
  return { body, nodes, excluded: excluded.elements, visibility, choice, unseen, ...facts }
}

/** Reads the metadata and the links of a page in one loop. */
function readFacts(
  page: ParsedPage,
  { nodes, kinds, ends }: PageNodes,
  { resolver, limits, warnings }: { resolver: LinkResolver; limits: DocumentLimits; warnings: string[] },
): PageStatements {
  const sources = new MetadataSources()
  const links = new PageLinks(resolver, limits.part)
  let drawingEnd = 0
  for (let at = 0; at < nodes.length; at += 1) {
    if (((kinds[at] ?? 0) & FACT) === 0) continue
    const node = nodes[at]
    if (node === undefined || !isElement(node)) continue
    // The title of a drawing is not that of the page, but its links lead to pages as others do.
    if (at >= drawingEnd) sources.add(node)
    links.add(node)
    if (node.name === 'svg' && at >= drawingEnd) drawingEnd = ends[at] ?? 0
  }
  const stated = sources.resolve(page.baseUrl)
  const licenses = licensesOf(stated)
  const warn = (warning: string): void => void warnings.push(warning)
  if (links.leftOut > 0) warnings.push(warnOfLinks(links.leftOut, limits))
  return { metadata: writeMetadata(stated, warn), links: links.list, licenses }
}

/** The choice of content on a page. */
interface Chosen {
  readonly nodes: PageNodes
  readonly visibility: Visibility
  readonly choice: MainContent
  /** Elements that style sheets hide. */
  readonly left: readonly Element[] | undefined
}

/** Elements that the content leaves out, beside how much it is. */
interface Compared extends ComparedContent {
  /** Elements that the markup hides and that may be content. */
  readonly withheld?: readonly Element[]
}

const NOT_COMPARED: Compared = {}

/** Compares the content with what the page shows. */
function compareWithPage(
  page: ParsedPage,
  body: Element,
  { nodes, visibility: { invisible, findWithheld }, choice, left = [] }: Chosen,
): Compared {
  const isCounted = page.isFile === undefined || page.dropped !== undefined
  const partialList = isWebPage(page)
    ? findMoreOfList(body, { invisible, isKept: makeChosen(choice) }, nodes)
    : undefined
  const visible = isCounted ? measureFidelity(body, invisible, choice, nodes) : undefined
  const withheld = findWithheld()
  const all = left.length === 0 ? withheld : [...new Set([...withheld, ...left])]
  // Of most pages, neither the markup nor a parser leaves out anything.
  const fidelity =
    visible && (page.dropped !== undefined || all.length > 0)
      ? withDroppedWords(withHiddenWords(visible, all, page.dropped?.hiddenWords), page.dropped?.words ?? 0)
      : visible
  return { fidelity, partialList, withheld }
}

/** Reads the lists of a web page, and the link to the page that continues them; none of a file. */
function readLists(
  page: ParsedPage,
  list: NonNullable<ExtractPlan['list']>,
  { body, nodes, choice, cleared, resolver, language = '', limits, warn }: ListRequest,
): PageLists {
  if (body === undefined || page.markdown !== undefined || page.base64 !== undefined) return { lists: [] }
  const { roots, dropped } = choice
  const isDropped = (node: ChildNode): boolean => dropped.has(node)
  const isInvisible = (element: Element): boolean => cleared.has(element)
  const isArticle = findPageKind(page, nodes) === 'article'
  const whole = parentElement(body)
  const source = { body, nodes, page: whole, roots, isDropped, isInvisible, isArticle, url: page.url }
  const linkedData = readJsonLd(page)
  const stated = collectStatedNames(linkedData)
  // A row has its address twice: as a value, and as its key.
  const addresses = new AddressWriter(resolver, limits.added / 2)
  const budget = new CharacterBudget(limits.part / 2)
  const found = findLists({ ...source, resolver, addresses, budget, language, stated, linkedData }, list)
  if (addresses.leftOut > 0)
    warn(limitWarning(addresses.leftOut, 'addresses in lists stay as the page writes them', limits.part))
  if (budget.leftOut > 0)
    warn(
      limitWarning(
        budget.leftOut,
        `${budget.leftOut === 1 ? 'list is without its' : 'lists are without their'} last rows`,
        limits.part,
      ),
    )
  const nextPage = findNextPage({ root: whole ?? body, isInvisible, resolver, url: page.url })
  return { ...found, nextPage }
}

interface ListRequest {
  readonly body: Element | undefined
  readonly nodes: PageNodes
  readonly choice: MainContent
  readonly cleared: ReadonlySet<Element>
  readonly resolver: LinkResolver
  readonly language: string | undefined
  readonly limits: DocumentLimits
  readonly warn: (warning: string) => void
}

type ContentRequest = Omit<ContentSource, 'body'> & { readonly body: Element | undefined }

/** Chooses the parts that `includeTags` matches, or else the main content, or else the whole page. */
function chooseContent(request: ContentRequest, plan: ExtractPlan, included: ReadonlySet<Element>): MainContent {
  const { page, body, cleared } = request
  if (plan.includeTags.length > 0)
    return {
      roots: outermost(included).filter((element) => !isInside(element, cleared)),
      dropped: cleared,
      whyDropped: () => 'matches no selector of `includeTags`',
    }
  if (isSearched(page, plan) && body !== undefined) return findMainContent({ ...request, body })
  return { roots: body === undefined ? [] : [body], dropped: cleared, whyDropped: () => '' }
}

const visibilityWithoutBody = ({ tree }: ParsedPage): Visibility => ({
  invisible: findNeverShown(tree.root),
  disclosed: new Set(),
  findWithheld: () => [],
})

const joinSets = (one: ReadonlySet<Element>, other: ReadonlySet<Element>): ReadonlySet<Element> =>
  other.size === 0 ? one : new Set([...one, ...other])

function bodyOf(page: ParsedPage): Element | undefined {
  const html = page.tree.root.children.find((node) => isElement(node) && node.name === 'html')
  return html !== undefined && isElement(html)
    ? html.children.filter(isElement).find(({ name }) => name === 'body')
    : undefined
}

/** True for an element of a set, or inside one of them. */
function isInside(element: Element, set: NodeSet): boolean {
  let at: Element | undefined = element
  while (at !== undefined && !set.has(at)) at = parentElement(at)
  return at !== undefined
}

/**
 * Returns a test for elements that the content includes at least in part. Ancestors of the roots are collected on the
 * first call.
 */
function makeChosen({ roots, dropped }: MainContent): (element: Element) => boolean {
  const whole = new Set(roots)
  let around: Set<Element> | undefined
  return (element) => {
    around ??= elementsAround(roots)
    return !isInside(element, dropped) && (around.has(element) || isInside(element, whole))
  }
}

function elementsAround(elements: readonly Element[]): Set<Element> {
  const around = new Set<Element>()
  for (const { parent } of elements) {
    for (let at = parent; at !== null && isElement(at) && !around.has(at); at = at.parent) around.add(at)
  }
  return around
}
