import { withoutLastSlashes, parseUrl } from '../../url.js'
import type { StructuredItem, StructuredValue } from '../../extract/structured-data/structured-item.js'

/** Kinds of items that a page may be about, by the names of schema.org types. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    'Product',
    /^(?:Product|ProductGroup|ProductModel|IndividualProduct|Vehicle|Car|Book|Movie|SoftwareApplication|MobileApplication|WebApplication|VideoGame)$/,
  ],
  ['Recipe', /^Recipe$/],
  ['JobPosting', /^JobPosting$/],
  ['Event', /(?:Event|Festival|EventSeries|CourseInstance)$/],
  ['Article', /(?:Article|Posting|Report|Review|Blog)$/],
  ['VideoObject', /^VideoObject$/],
  ['Course', /^Course$/],
]

/** Classifies an item; undefined for items that describe no page, such as the site, its owner or a breadcrumb. */
export const kindOf = ({ types }: StructuredItem): string | undefined =>
  KINDS.find(([, pattern]) => types.some((type) => pattern.test(type)))?.[0]

export const isItem = (value: StructuredValue): value is StructuredItem => typeof value === 'object'

/**
 * Yields the items that a page may be about: top-level items, and their `mainEntity`, `mainEntityOfPage` and `@graph`.
 */
function* candidates(items: readonly StructuredItem[], level = 0): Generator<StructuredItem> {
  for (const item of items) {
    yield item
    const inner = [item.properties['mainEntity'], item.properties['mainEntityOfPage'], item.properties['@graph']]
    const within = inner.flatMap((values) => (values ?? []).filter(isItem))
    if (level < 3 && within.length > 0) yield* candidates(within, level + 1)
  }
}

/** Maximum items of one syntax to compare: a longer list is not what a page is about. */
const MAX_CANDIDATES = 200

/** The item that one syntax names as the subject of the page. */
export interface PickedItem {
  readonly item: StructuredItem
  readonly kind: string | undefined
}

/**
 * Picks the subject of the page from each syntax (JSON-LD, microdata, …). Of several items of the kind that answers
 * most, it picks the one with the URL of the page. Where none has it, the syntax is ignored, because it describes a
 * list.
 *
 * @param count number of the requested properties that an item of a kind answers
 */
export function pickItems(
  items: readonly StructuredItem[],
  url: string,
  count: (item: StructuredItem, kind: string) => number,
): PickedItem[] {
  const picked: PickedItem[] = []
  for (const source of ['json-ld', 'microdata', 'rdfa', 'state', 'data-layer', 'meta'] as const) {
    const own = [...new Set(candidates(items.filter((item) => item.source === source)))]
    const scored = own.slice(0, MAX_CANDIDATES).flatMap((item) => {
      const kind = kindOf(item)
      const score = kind === undefined ? 0 : count(item, kind)
      return kind === undefined || score === 0 ? [] : [{ item, kind, score }]
    })
    const ofKind = picked[0] === undefined ? scored : scored.filter(({ kind }) => kind === picked[0]?.kind)
    const most = Math.max(0, ...ofKind.map(({ score }) => score))
    const best = ofKind.filter(({ kind }) => kind === ofKind.find(({ score }) => score === most)?.kind)
    const [only, ...others] = best.length > 1 ? choose(best, url) : best
    if (only && others.length === 0) picked.push({ item: only.item, kind: only.kind })
  }
  return picked
}

function choose<Scored extends { readonly item: StructuredItem; readonly score: number }>(
  best: readonly Scored[],
  url: string,
): readonly Scored[] {
  const here = best.filter(({ item }) => addressesOf(item).some((address) => isSamePage(address, url)))
  const likely = here.length > 0 ? here : best
  // Two systems of one site, or an item and its page, may describe the same thing under one name: the more complete one
  // wins.
  const [first, ...others] = likely.toSorted((one, other) => other.score - one.score)
  return first && others.every(({ item }) => isSameThing(item, first.item)) ? [first] : likely
}

function isSameThing(one: StructuredItem, other: StructuredItem): boolean {
  if (one.id !== undefined && one.id === other.id) return true
  const [name, otherName] = [one, other].map(({ properties }) => (properties['name'] ?? properties['headline'])?.[0])
  return typeof name === 'string' && name === otherName
}

const addressesOf = ({ id, properties }: StructuredItem): string[] => [
  ...(id === undefined ? [] : [id]),
  ...['url', 'mainEntityOfPage', '@id'].flatMap((name) =>
    (properties[name] ?? []).flatMap((value) =>
      typeof value === 'string' ? value : isItem(value) ? (value.id ?? []) : [],
    ),
  ),
]

function isSamePage(address: string, url: string): boolean {
  const one = parseUrl(address, url)
  const bare = ({ host, pathname }: URL): string => `${host.replace(/^www\./, '')}${withoutLastSlashes(pathname)}`
  return one !== undefined && bare(one) === bare(new URL(url))
}
