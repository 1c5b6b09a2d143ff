import { createHash } from 'node:crypto'
import { type Element, isElement, parentElement } from '../../html/tree.js'
import { parseUrl, withoutSection } from '../../../base/url.js'
import { isList } from './choose-main.js'
import { type EntryGroup, MIN_ENTRIES, PARTS, withoutOuterClasses } from './find-groups.js'
import { judgeGroup } from './judge-group.js'
import { entryKind } from './kind.js'
import { leadsElsewhere, type PageMeasures } from './measure-page.js'
import type { ListField, ListRow, ListTemplate, PageList } from './page-list.js'

/** A column by which the lists of pages are compared. */
export interface FormColumn {
  readonly name: string
  /** Hashes of the places in an entry that its values are read from. */
  readonly places: readonly string[]
  /** True if nearly all entries have it. */
  readonly isCommon: boolean
}

/** Structure of a list, by which its entries are recognized on other pages of the site. Plain data. */
export interface ListForm {
  /** Hash of the elements around the entries, and of the kind of an entry. */
  readonly path: string
  readonly columns: readonly FormColumn[]
}

/** Facts that tell whether entries of a page are a list. */
export interface FewFacts {
  /** Hashes that a {@link ListForm} with such entries may have. */
  readonly paths: readonly string[]
  readonly columns: readonly FormColumn[]
  /** Share of the entries in the main content. */
  readonly share: number
}

/** One or two alike elements, which are a list if other pages of the site have longer ones of their structure. Plain data. */
export interface FewEntries extends FewFacts {
  readonly list: PageList
}

/** The page that has them. */
interface FewScope {
  readonly body: Element
  readonly url: string
  readonly isInvisible: (element: Element) => boolean
}

/** Minimum share of the entries with a column that they have in common. */
const COMMON_SHARE = 0.9
/** Minimum share of the main content. The texts of a shop may be much longer than its only product. */
const MIN_SHARE = 0.1
/** Minimum characters of an entry. */
const MIN_TEXT = 10
/** Groups that are judged, and those that are returned, the outermost first. */
const MAX_JUDGED = 60
const MAX_RETURNED = 6
/** Maximum columns that are compared. */
const MAX_COLUMNS = 40
/** Elements between an entry and the container of a list. */
const MAX_LEVELS = 3
/** Elements around the container of a list that are compared. */
const MAX_AROUND = 8

/** Describes a list for the comparison with those of other pages; undefined for one whose rows have no URLs, as many tables. */
export function describeForm({ container, kind }: EntryGroup, list: PageList, url: string): ListForm | undefined {
  const { items, template, fields } = list
  if (items.length < MIN_ENTRIES || kind.startsWith('table') || !template.key.startsWith('field ')) return undefined
  return { path: hashPath(container, kind, url), columns: describeColumns(template, fields) }
}

function describeColumns({ columns }: ListTemplate, fields: readonly ListField[]): FormColumn[] {
  const shares = new Map(fields.map(({ name, share }) => [name, share]))
  return columns.slice(0, MAX_COLUMNS).map(({ name, places }) => ({
    name,
    places: places.map(hash),
    isCommon: (shares.get(name) ?? 0) >= COMMON_SHARE,
  }))
}

/**
 * Finds single elements, and pairs, that may be the only entries of a list: with a link to another page, a share of the main
 * content, and the form of an entry.
 *
 * @param read reads the rows of a group
 */
export function findFewEntries(
  measures: PageMeasures,
  scope: FewScope,
  read: (group: EntryGroup) => PageList,
): FewEntries[] {
  const keptText = Math.max(1, measures.get(scope.body)?.keptText ?? 0)
  const found: FewEntries[] = []
  let judged = 0
  for (const [container, { isInFrame, links, elements }] of measures) {
    if (isInFrame || links === 0 || elements < 2) continue
    for (const group of listFew(container, measures)) {
      const share = group.entries.flat().reduce((sum, one) => sum + (measures.get(one)?.keptText ?? 0), 0) / keptText
      if (share < MIN_SHARE) continue
      if (judged === MAX_JUDGED || found.length === MAX_RETURNED) return found
      judged += 1
      if (!isList(judgeGroup(group, measures, scope.isInvisible))) continue
      const list = read(group)
      const { items, template, fields } = list
      if (items.length !== group.entries.length || items.some((item) => leadsTo(item, fields, scope.url))) continue
      const paths = listPaths(group, scope.url)
      found.push({ paths, columns: describeColumns(template, fields), list, share: Math.min(1, share) })
    }
  }
  return found
}

/** Lists the children of an element of which it has one or two of a kind. */
function listFew(container: Element, measures: PageMeasures): EntryGroup[] {
  const kinds = new Map<string, Element[]>()
  for (const child of container.children) {
    if (!isElement(child) || PARTS.has(child.name)) continue
    const measure = measures.get(child)
    if (measure === undefined || measure.isInFrame || measure.text < MIN_TEXT) continue
    const kind = entryKind(child)
    const alike = kinds.get(kind) ?? []
    kinds.set(kind, alike)
    // A third one is enough to know that they are no few.
    if (alike.length < MIN_ENTRIES) alike.push(child)
  }
  return [...kinds]
    .filter(([, alike]) => alike.length < MIN_ENTRIES && alike.every((one) => holdsLink(one, measures)))
    .map(([kind, alike]) => ({ container, kind, entries: alike.map((one) => [one]) }))
}

const holdsLink = (element: Element, measures: PageMeasures): boolean =>
  leadsElsewhere(element) || (measures.get(element)?.links ?? 0) > 0

/** Tests for a row that leads to its own page, as the title of an article does. */
function leadsTo(item: ListRow, fields: readonly ListField[], url: string): boolean {
  const own = addressOf(url)
  return fields.some(({ name, type }) => {
    const value = type === 'url' && Object.hasOwn(item, name) ? item[name] : undefined
    return typeof value === 'string' && addressOf(value) === own
  })
}

const addressOf = (url: string): string => withoutSection(url).replace(/\/$/u, '')

/** Lists the paths that a list of such entries may have: as children of a container, or in elements that divide it. */
function listPaths({ container, kind }: EntryGroup, url: string): string[] {
  const [tag = ''] = kind.split('.', 1)
  const paths = [...new Set([kind, tag])].map((one) => hashPath(container, one, url))
  let inner = kind
  let at = container
  for (let up = 0; up < MAX_LEVELS; up += 1) {
    const outer = parentElement(at)
    if (outer === undefined || outer.name === 'html') break
    inner = `${entryKind(at)}>${inner}`
    paths.push(hashPath(outer, inner, url), hashPath(outer, withoutOuterClasses(inner), url))
    at = outer
  }
  return paths
}

function hashPath(container: Element, kind: string, url: string): string {
  const kinds: string[] = []
  for (let at: Element | undefined = container; at && kinds.length < MAX_AROUND; at = parentElement(at))
    kinds.unshift(entryKind(at))
  return hash(`${parseUrl(url)?.host ?? ''} ${kinds.join('>')} ${kind}`)
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 11)
