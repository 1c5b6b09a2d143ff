import { type Element, isElement, isHeading, parentElement } from '../../html/tree.js'
import { entryKind } from './kind.js'
import { leadsElsewhere, type VisibleMeasure, type PageMeasures } from './measure-page.js'

/** An entry of a list: one element, or several in a row that belong together. */
export type Entry = readonly Element[]

/** Alike parts of a page, which may be the entries of a list. */
export interface EntryGroup {
  /** The element around all entries. */
  readonly container: Element
  readonly entries: readonly Entry[]
  /** Kinds of the elements of an entry, and of those between it and the container. */
  readonly kind: string
}

/** Minimum number of entries. */
export const MIN_ENTRIES = 3

/** Elements that are a part of an entry, and never one. Rows of tables are read by their columns. */
export const PARTS: ReadonlySet<string> = new Set(
  'td th col colgroup caption thead tbody tfoot dd option br hr wbr img source path input label b i em strong small font sup sub head'.split(
    ' ',
  ),
)

/**
 * Finds groups of alike elements: siblings of one kind, elements of one kind under alike siblings (the cards in the rows
 * of a grid), and runs of siblings that repeat (a heading, a text, a heading, a text).
 *
 * @param known kind of the only groups that are wanted: those of the list of another page, which may have one entry here
 */
export function findGroups(measures: PageMeasures, known?: string): EntryGroup[] {
  const groups: EntryGroup[] = []
  const least = known === undefined ? MIN_ENTRIES : 1
  const isWanted = (kind: string): boolean => known === undefined || kind === known
  const leaf = known?.slice(known.lastIndexOf('>') + 1)
  const cousins = new Cousins(known)
  for (const [parent, { elements }] of measures) {
    if (elements < 2) continue
    const children = parent.children.filter(isElement).filter((child) => holdsContent(measures.get(child)))
    const kinds = new Map<string, Element[]>()
    const tags = new Map<string, Element[]>()
    for (const child of children) {
      if (PARTS.has(child.name)) continue
      const kind = entryKind(child)
      addTo(kinds, kind, child)
      addTo(tags, child.name, child)
      if (leaf === undefined || kind === leaf) cousins.add(child, kind)
    }
    const lengths = new Set([...kinds.values()].map(({ length }) => length))
    for (const [kind, alike] of kinds) if (isWanted(kind)) addGroup(groups, alike, { container: parent, kind, least })
    for (const [tag, alike] of tags)
      if (isWanted(tag)) {
        // The entries of another page may have had several classes.
        const isOneKind = known === undefined && lengths.has(alike.length)
        if (!isOneKind) addGroup(groups, alike, { container: parent, kind: tag, least })
      }
    // A run is a kind of several elements.
    const run = known?.includes('+') === false ? undefined : findRun(parent, listTerms(parent, children), least)
    if (run !== undefined && isWanted(run.kind)) groups.push(run)
  }
  return [...groups, ...cousins.list(), ...cousins.listAcross(measures)]
}

const holdsContent = (measure: VisibleMeasure | undefined): boolean =>
  measure !== undefined && measure.text + measure.images > 0

function addTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, [value])
  else known.push(value)
}

function addGroup(
  groups: EntryGroup[],
  alike: readonly Element[],
  { container, kind, least }: { container: Element; kind: string; least: number },
): void {
  if (alike.length >= least) groups.push({ container, entries: alike.map((element) => [element]), kind })
}

/** Maximum elements between an entry and the alike siblings that contain the entries. */
const MAX_LEVELS = 3

/** Elements of one kind whose parents, or elements further out, are alike siblings. */
class Cousins {
  readonly #groups = new Map<Element, Map<string, Map<Element, Element[]>>>()
  readonly #known: string | undefined

  /** @param known kind of the only groups that are wanted. @default all */
  constructor(known: string | undefined) {
    this.#known = known
  }

  add(element: Element, kind: string): void {
    let path = kind
    let parent = parentElement(element)
    for (let up = 0; up < MAX_LEVELS && parent !== undefined; up += 1) {
      const outer = parentElement(parent)
      if (outer === undefined || outer.name === 'html') return
      path = `${entryKind(parent)}>${path}`
      if (this.#isWanted(path)) this.#addBelow(outer, path, element)
      parent = outer
    }
  }

  #isWanted(kind: string): boolean {
    return this.#known === undefined || kind === this.#known || withoutOuterClasses(kind) === this.#known
  }

  #addBelow(container: Element, kind: string, element: Element): void {
    const parent = parentElement(element)
    if (parent === undefined) return
    const kinds = this.#groups.get(container) ?? new Map<string, Map<Element, Element[]>>()
    this.#groups.set(container, kinds)
    const parents = kinds.get(kind) ?? new Map<Element, Element[]>()
    kinds.set(kind, parents)
    addTo(parents, parent, element)
  }

  /** Lists the groups of several parents of which one has several of the elements: else the parents are the entries. */
  list(): EntryGroup[] {
    const known = this.#known
    return [...this.#groups].flatMap(([container, kinds]) =>
      [...kinds].flatMap(([kind, parents]): EntryGroup[] => {
        const entries = [...parents.values()].flat()
        const isGrid = parents.size > 1 && entries.length > parents.size
        if (known === undefined ? entries.length < MIN_ENTRIES || !isGrid : kind !== known) return []
        return [{ container, entries: entries.map((element) => [element]), kind }]
      }),
    )
  }

  /**
   * Lists the groups whose parents have different classes, such as the columns and rows of a grid, and contain nothing but
   * entries of one form. For the list of another page, one kind of parents is enough.
   */
  listAcross(measures: PageMeasures): EntryGroup[] {
    const isKnown = this.#known !== undefined
    return [...this.#groups].flatMap(([container, kinds]) => {
      const children = new ContentChildren(container, measures)
      const byTags = new Map<string, Map<Element, Element[]>[]>()
      for (const [kind, parents] of kinds) addTo(byTags, withoutOuterClasses(kind), parents)
      return [...byTags].flatMap(([kind, all]): EntryGroup[] => {
        if (isKnown ? kind !== this.#known : all.length < 2) return []
        const entries = all
          .flatMap((parents) => [...parents.values()].flat())
          .sort((one, other) => (measures.get(one)?.at ?? 0) - (measures.get(other)?.at ?? 0))
        const count = all.reduce((sum, parents) => sum + parents.size, 0)
        const isGrid = entries.length >= MIN_ENTRIES && entries.length > count
        if (!isKnown && !(isGrid && areOneList(children, entries, measures))) return []
        return [{ container, entries: entries.map((element) => [element]), kind }]
      })
    })
  }
}

/** Removes the classes of the elements around an entry: `div.left>article.card` is `div>article.card`. */
export const withoutOuterClasses = (kind: string): string => {
  const end = kind.lastIndexOf('>')
  return kind.slice(0, end).replace(/\.[^>]*/gu, '') + kind.slice(end)
}

/** Minimum share of the text of a part, such as a column, that is in its entries. */
const ENTRY_SHARE = 0.95
/** Minimum share of the entries that consist of the same elements. */
const SAME_SHARE = 0.8

/** The children of a container that have content. Their places are counted once, for all kinds of entries in it. */
class ContentChildren {
  readonly container: Element
  readonly #measures: PageMeasures
  #places: ReadonlyMap<Element, number> | undefined

  constructor(container: Element, measures: PageMeasures) {
    this.container = container
    this.#measures = measures
  }

  /** Returns true if no other child with content stands between some children, which have content. */
  areInRow(some: Iterable<Element>): boolean {
    this.#places ??= this.#count()
    let [first, last, count] = [Infinity, -Infinity, 0]
    for (const child of some) {
      const place = this.#places.get(child)
      if (place === undefined) return false
      first = Math.min(first, place)
      last = Math.max(last, place)
      count += 1
    }
    return last - first + 1 === count
  }

  #count(): ReadonlyMap<Element, number> {
    const children = this.container.children.filter(isElement)
    return new Map(children.filter((child) => holdsContent(this.#measures.get(child))).map((child, at) => [child, at]))
  }
}

/**
 * Tests whether entries in several parts of a container are one list: the parts follow each other, contain nothing else, have no
 * names of their own, and the entries of each are made alike.
 */
function areOneList(children: ContentChildren, entries: readonly Element[], measures: PageMeasures): boolean {
  const parts = new Map<Element, Element[]>()
  const byParent = new Map<Element, Element[]>()
  for (const entry of entries) {
    const around = listAround(entry, children.container)
    const [parent] = around
    const part = around.at(-1)
    if (!parent || !part || around.some(isNamed)) return false
    addTo(byParent, parent, entry)
    addTo(parts, part, entry)
  }
  // The parts of an only child are a list of their own.
  if (parts.size < 2) return false
  for (const [part, inside] of parts) if (!containsOnly(part, inside, measures)) return false
  // What stands between the parts, such as a heading, divides them.
  if (!children.areInRow(parts.keys())) return false
  const [first, ...others] = [...byParent.values()].map(commonShape)
  return first !== undefined && others.every((shape) => shape === first)
}

const NAMES = ['aria-label', 'aria-labelledby']

const isNamed = ({ attribs }: Element): boolean =>
  NAMES.some((name) => attribs[name] !== undefined) || attribs['role'] === 'tabpanel'

function containsOnly(part: Element, entries: readonly Element[], measures: PageMeasures): boolean {
  const text = entries.reduce((sum, entry) => sum + (measures.get(entry)?.text ?? 0), 0)
  return text >= (measures.get(part)?.text ?? 0) * ENTRY_SHARE
}

/** Returns the kinds of the children of most entries; undefined if the entries differ. */
function commonShape(entries: readonly Element[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { children } of entries) {
    const kinds = children.slice(0, MAX_CHILDREN).flatMap((child) => (isElement(child) ? entryKind(child) : []))
    const shape = [...new Set(kinds)].sort().join(' ')
    counts.set(shape, (counts.get(shape) ?? 0) + 1)
  }
  const [[shape, count] = ['', 0]] = [...counts].sort(([, one], [, other]) => other - one)
  return shape !== '' && count >= entries.length * SAME_SHARE ? shape : undefined
}

const MAX_CHILDREN = 100

/** Lists the elements between an entry and the container around it, the innermost first. */
function listAround(entry: Element, container: Element): Element[] {
  const around: Element[] = []
  for (let at = parentElement(entry); at && at !== container && around.length <= MAX_LEVELS; at = parentElement(at))
    around.push(at)
  return around
}

/** Range of the number of a run's parts, as a share of the number of runs. */
const PART_COUNT = { least: 0.6, most: 1.4 }

/**
 * Finds siblings that repeat in runs, each begun by an element of the same kind: `dt` and `dd`, or the rows of an entry
 * that takes several. A heading begins a run only if it is a link to another page, because sections of a text have
 * headings as well.
 */
function findRun(container: Element, children: readonly Element[], least: number): EntryGroup | undefined {
  const counts = new Map<string, number>()
  for (const child of children) counts.set(entryKind(child), (counts.get(entryKind(child)) ?? 0) + 1)
  if (counts.size < 2 || counts.size > MAX_RUN_KINDS) return undefined
  const first = children.find((child) => (counts.get(entryKind(child)) ?? 0) >= least)
  if (first === undefined) return undefined
  const leader = entryKind(first)
  const runs = counts.get(leader) ?? 0
  const parts = [...counts].filter(
    ([kind, count]) => kind !== leader && count >= runs * PART_COUNT.least && count <= runs * PART_COUNT.most,
  )
  if (
    parts.length === 0 ||
    (isHeading(first) && !children.every((child) => entryKind(child) !== leader || isLinked(child)))
  )
    return undefined
  const kinds = new Set([leader, ...parts.map(([kind]) => kind)])
  const entries: Element[][] = []
  for (const child of children) {
    const kind = entryKind(child)
    if (kind === leader) entries.push([child])
    else if (kinds.has(kind)) entries.at(-1)?.push(child)
  }
  return { container, entries, kind: [...kinds].join('+') }
}

/** Returns the terms and descriptions of a definition list, which may be in pairs: `<dl><div><dt>…<dd>…</div></dl>`. */
function listTerms({ name }: Element, children: readonly Element[]): readonly Element[] {
  if (name !== 'dl') return children
  return children.flatMap((child) => (child.name === 'div' ? child.children.filter(isElement) : child))
}

const MAX_RUN_KINDS = 8

const isLinked = (element: Element): boolean =>
  leadsElsewhere(element) || element.children.some((child) => isElement(child) && leadsElsewhere(child))
