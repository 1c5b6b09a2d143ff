import { withoutLastSlashes } from '../../url.js'
import type { StructuredItem, StructuredValue } from '../../extract/structured-data/structured-item.js'

/** Kinds of things that a page is about, by how the names of schema.org's types end. */
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

/** What kind of thing an item is; undefined for what pages name in passing: the site, its owner, where one is on it. */
export const kindOf = ({ types }: StructuredItem): string | undefined =>
  KINDS.find(([, pattern]) => types.some((type) => pattern.test(type)))?.[0]

export const isItem = (value: StructuredValue): value is StructuredItem => typeof value === 'object'

/** The things that a page may be about: those that stand by themselves, and what pages say that they are about. */
function* candidates(items: readonly StructuredItem[], level = 0): Generator<StructuredItem> {
  for (const item of items) {
    yield item
    const inner = [item.properties['mainEntity'], item.properties['mainEntityOfPage'], item.properties['@graph']]
    const within = inner.flatMap((values) => (values ?? []).filter(isItem))
    if (level < 3 && within.length > 0) yield* candidates(within, level + 1)
  }
}

/** Things of one form that are weighed: a list of more is none that a page is about. */
const MAX_CANDIDATES = 200

/** An item of one way of saying it, and how much of what is asked for it has. */
export interface PickedItem {
  readonly item: StructuredItem
  readonly kind: string | undefined
}

/**
 * What the page is about, in each form in which it says so. Where there are several things of the kind that answers best, it is the one
 * with the page's own address; where none has it, the form is not believed: it is a list, and not what the page is about.
 *
 * @param count how many of the properties asked for an item of a kind has
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
  // What two systems of one site, or a thing and its page, say of the same thing under the same name: who says most is believed.
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
  if (!URL.canParse(address, url)) return false
  const [one, other] = [new URL(address, url), new URL(url)]
  const bare = ({ host, pathname }: URL): string => `${host.replace(/^www\./, '')}${withoutLastSlashes(pathname)}`
  return bare(one) === bare(other)
}
