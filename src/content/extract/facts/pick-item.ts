import { withoutLastSlashes, parseUrl } from '../../../base/url.js'
import type { StructuredItem, StructuredValue } from '../structured-data/structured-item.js'
import { isClosedKind, isTelling } from './fact-names.js'
import { isSubject, kindOf } from './kind-of.js'

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

/** Returns the requested properties that an item answers; undefined if something else is asked for. */
export type FindAnswered = (item: StructuredItem, kind: string) => readonly string[] | undefined

const SOURCES = ['json-ld', 'microdata', 'rdfa', 'state', 'data-layer', 'meta'] as const

/** An item that answers something. */
interface ScoredItem extends PickedItem {
  readonly kind: string
  readonly answered: readonly string[]
  readonly score: number
}

/**
 * Picks the subject of the page from each syntax (JSON-LD, microdata, …). Of several items of the kind that answers
 * most, it picks the one with the URL of the page. Where none has it, the syntax is ignored, because it describes a
 * list.
 */
export function pickItems(
  items: readonly StructuredItem[],
  url: string,
  { asked, findAnswered }: { readonly asked: number; readonly findAnswered: FindAnswered },
): PickedItem[] {
  const scored = SOURCES.flatMap((source) =>
    [...new Set(candidates(items.filter((item) => item.source === source)))]
      .slice(0, MAX_CANDIDATES)
      .flatMap((item): ScoredItem[] => {
        const kind = kindOf(item)
        const answered = (kind === undefined ? undefined : findAnswered(item, kind)) ?? []
        return kind === undefined || answered.length === 0 ? [] : [{ item, kind, answered, score: answered.length }]
      }),
  )
  const subjects = scored.filter(({ kind }) => isSubject(kind))
  const others = scored.filter(
    (one) => !isSubject(one.kind) && isAskedFor(one, asked) && subjects.every((other) => isMore(one, other)),
  )
  const considered = others.length > 0 ? others : subjects
  const picked: ScoredItem[] = []
  for (const source of SOURCES) {
    const own = considered.filter(({ item }) => item.source === source)
    const ofKind = picked[0] === undefined ? own : own.filter(({ kind }) => kind === picked[0]?.kind)
    const most = Math.max(0, ...ofKind.map(({ score }) => score))
    const kinds = ofKind.filter(({ score }) => score === most).map(({ kind }) => kind)
    // The owner of a site and the author of a page may answer the same: then neither is the subject.
    const best = ofKind.filter(({ kind }) => (others.length > 0 ? kinds.includes(kind) : kind === kinds[0]))
    const [only, ...more] = best.length > 1 ? choose(best, url) : best
    if (only && more.length === 0) picked.push(only)
  }
  return picked
}

/** True if the request is for a thing of this kind: a telephone number is one of an organization, a name of anything. */
function isAskedFor({ kind, answered, score }: ScoredItem, asked: number): boolean {
  if (!isClosedKind(kind) && kind !== 'Thing') return true
  return answered.some(isTelling) && (kind !== 'Thing' || score * 2 >= asked)
}

/** True if an item answers all that another one does, and more. */
const isMore = (one: ScoredItem, other: ScoredItem): boolean =>
  one.score > other.score && other.answered.every((name) => one.answered.includes(name))

/** Returns the questions and answers of the page, which may be about something else; undefined if it has several sets. */
export function findQuestions(items: readonly StructuredItem[]): StructuredItem | undefined {
  for (const source of SOURCES) {
    const own = new Set(candidates(items.filter((item) => item.source === source)))
    const [only, ...others] = [...own].filter((item) => kindOf(item) === 'FAQPage')
    if (only) return others.length === 0 ? only : undefined
  }
  return undefined
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
