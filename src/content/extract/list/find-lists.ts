import {
  type ChildNode,
  collapse,
  type Element,
  isElement,
  isHeading,
  parentElement,
  textOf,
  walk,
} from '../../html/tree.js'
import { type EntryGroup, findGroups } from './find-groups.js'
import { chooseMain, isList, preferEntries } from './choose-main.js'
import { describeForm, type FewEntries, findFewEntries, type ListForm } from './few-entries.js'
import { type JudgedGroup, judgeGroup, weighGroup } from './judge-group.js'
import { findListEnd, type EndScope, type CountedRows } from './list-end.js'
import { type PageMeasures, measurePage } from './measure-page.js'
import { type ListPlan, type ListTemplate, MAX_ROWS, type PageList } from './page-list.js'
import { describeContainer, readList, type RowScope } from './read-list.js'
import { findSingleEntry, type SingleScope } from './single-entry.js'
import { findTables, type TableGroup } from './table-groups.js'

/** A page whose lists are read. */
interface ListSource extends RowScope, EndScope, SingleScope {
  readonly body: Element
  /** True for a page that calls itself an article. */
  readonly isArticle: boolean
  /** Roots of the main content. */
  readonly roots: readonly Element[]
  readonly isDropped: (node: ChildNode) => boolean
}

/** Lists of a page, and with `learns` what a job compares with its other pages. */
interface DetectedLists {
  /** The main list first. */
  readonly lists: readonly PageList[]
  /** Structure of the main list. */
  readonly listForm?: ListForm
  /** Entries of a page without a list, which are one if the page is like others. */
  readonly fewEntries?: readonly FewEntries[]
}

/** Groups that are judged by their entries. The others have less text. */
const MAX_JUDGED = 40
/** Tables that are judged as well if each list of the page is wanted. */
const MAX_TABLES = 200

/**
 * Finds the lists of a page, the main one first: its entries as rows, with fields that the alignment of alike elements
 * gives. There are none on a page without a list, or without the list of the template.
 */
export function findLists(source: ListSource, plan: ListPlan): DetectedLists {
  const measures = measurePage(source.body, source)
  const tables = findTables(measures, source.isInvisible)
  const inTables = listElements(tables)
  const groups = [
    ...findGroups(measures, plan.template?.entry).filter(({ container }) => !inTables.has(container)),
    ...tables,
  ]
  const read = (group: EntryGroup | TableGroup): PageList => {
    const list = readList(group, source, plan)
    const heading = headingOf(group, measures)
    const { end, ...facts } = findListEnd(group, countRows(list), source)
    const isWhole = group.entries.length <= (plan.most ?? MAX_ROWS)
    return {
      ...list,
      heading,
      ...facts,
      end: isWhole ? end : undefined,
    }
  }
  if (plan.template !== undefined) {
    const same = findSame(groups, plan.template, measures)
    return { lists: same === undefined ? [] : [read(same)] }
  }
  const weighed = groups
    .map((group) => ({ group, weight: weighGroup(group, measures) }))
    .sort((one, other) => other.weight - one.weight)
    .map(({ group }) => group)
  const chosen = new Set([...weighed.slice(0, MAX_JUDGED), ...(plan.all === true ? tables.slice(0, MAX_TABLES) : [])])
  const judged = preferEntries([...chosen].map((group) => judgeGroup(group, measures, source.isInvisible))).sort(
    (one, other) => other.score - one.score,
  )
  const keptText = measures.get(source.body)?.keptText ?? 0
  const main = chooseMain(judged, { keptText, isArticle: source.isArticle })
  // A list of one entry is looked for on a page that has no other list.
  const only = main === undefined && !source.isArticle ? findSingleEntry(measures, source) : undefined
  const first = main?.group ?? only
  const mainList = first && read(first)
  if (plan.all !== true) return { lists: mainList ? [mainList] : [], ...learn(mainList) }
  const others = listAll(judged, main, measures).filter(({ group }) => group !== first)
  return { lists: [...(mainList ? [mainList] : []), ...others.map(({ group }) => read(group))], ...learn(mainList) }

  function learn(list: PageList | undefined): Partial<DetectedLists> {
    if (plan.learns !== true) return {}
    const listForm = list && main && describeForm(main.group, list, source.url)
    if (first !== undefined || source.isArticle) return listForm ? { listForm } : {}
    const fewEntries = findFewEntries(measures, source, read)
    return fewEntries.length > 0 ? { fewEntries } : {}
  }
}

const countRows = ({ items, ads = [] }: PageList): CountedRows => ({
  rows: items.length,
  entries: items.length - ads.length,
})

/** Finds the list that has the entries of a template, in the same place or else anywhere. */
function findSame(
  groups: readonly (EntryGroup | TableGroup)[],
  template: ListTemplate,
  measures: PageMeasures,
): EntryGroup | TableGroup | undefined {
  const alike = groups.filter(({ kind }) => kind === template.entry)
  const there = alike.filter(({ container }) => describeContainer(container) === template.container)
  return (there.length > 0 ? there : alike).reduce<{ group?: EntryGroup; weight: number }>(
    (best, group) => {
      const weight = weighGroup(group, measures)
      return weight > best.weight ? { group, weight } : best
    },
    { weight: 0 },
  ).group
}

/** Share of the text of each entry that is in entries of other lists, if they are no list of their own. */
const COVERED_SHARE = 0.95
/** Elements around an entry that may be entries themselves. */
const MAX_AROUND = 8

/** Lists the lists that are not a part of another one: the main one, and the others in document order. */
function listAll(judged: readonly JudgedGroup[], main: JudgedGroup | undefined, measures: PageMeasures): JudgedGroup[] {
  const chosen: JudgedGroup[] = main === undefined ? [] : [main]
  const taken = new Set<Element>()
  /** Characters of chosen entries in the elements around them. */
  const covered = new Map<Element, number>()
  const textOfEntry = (element: Element): number => measures.get(element)?.text ?? 0
  const take = ({ group }: JudgedGroup): void => {
    for (const element of group.entries.flat()) {
      taken.add(element)
      const text = textOfEntry(element)
      let at = parentElement(element)
      for (let up = 0; at && up < MAX_AROUND; up += 1, at = parentElement(at))
        covered.set(at, (covered.get(at) ?? 0) + text)
    }
  }
  // The rows of a grid have no other text than its entries.
  const isCovered = ({ group }: JudgedGroup): boolean =>
    group.entries.flat().every((element) => (covered.get(element) ?? 0) > textOfEntry(element) * COVERED_SHARE)
  if (main) take(main)
  for (const one of judged) {
    if (!isList(one) || one === main || isCovered(one)) continue
    if (one.group.entries.flat().some((element) => isWithinOne(element, taken))) continue
    chosen.push(one)
    take(one)
  }
  const placeOf = ({ group }: JudgedGroup): number =>
    group === main?.group ? -1 : (measures.get(group.container)?.at ?? 0)
  return chosen.sort((one, other) => placeOf(one) - placeOf(other))
}

/** Lists the elements of tables, whose rows are read by their columns only. */
function listElements(tables: readonly TableGroup[]): ReadonlySet<Element> {
  const inside = new Set<Element>()
  for (const table of tables.flatMap(({ container, parts = [] }) => [container, ...parts])) {
    if (inside.has(table)) continue
    inside.add(table)
    walk(table, (node) => {
      if (isElement(node)) inside.add(node)
    })
  }
  return inside
}

/** True for an element that is one of the others, or inside of one. */
function isWithinOne(element: Element, taken: ReadonlySet<Element>): boolean {
  for (let at: Element['parent'] = element; at !== null && isElement(at); at = at.parent) if (taken.has(at)) return true
  return false
}

const MAX_HEADING = 200
const MAX_LEVELS = 4

/** Returns the caption of a table, or the heading right before the entries. */
function headingOf({ container }: EntryGroup, measures: PageMeasures): string | undefined {
  const caption = container.children.find((child) => isElement(child) && child.name === 'caption')
  if (caption !== undefined && isElement(caption)) return nonEmpty(collapse(textOf(caption)))
  for (let at: Element = container, up = 0; up < MAX_LEVELS; up += 1) {
    const heading = headingBefore(at, measures)
    if (heading !== undefined) return heading
    if (at.parent === null || !isElement(at.parent) || at.name === 'main' || at.name === 'body') return undefined
    at = at.parent
  }
  return undefined
}

function headingBefore(element: Element, measures: PageMeasures): string | undefined {
  for (let at = element.prev, steps = 0; at !== null && steps < 10; at = at.prev, steps += 1) {
    if (!isElement(at) || (measures.get(at)?.headings ?? 0) === 0) continue
    const heading = findHeading(at)
    if (heading !== undefined) return nonEmpty(collapse(textOf(heading)))
  }
  return undefined
}

function findHeading(element: Element): Element | undefined {
  let at: Element | undefined = element
  while (at !== undefined && !isHeading(at)) {
    const inner: readonly Element[] = at.children.filter(isElement)
    at =
      inner.length > 0 && inner.length < 10 ? inner.find((one) => isHeading(one) || one.children.length > 0) : undefined
  }
  return at
}

const nonEmpty = (text: string): string | undefined => (text === '' ? undefined : text.slice(0, MAX_HEADING))
