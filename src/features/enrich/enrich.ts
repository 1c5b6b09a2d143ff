import type { PaidWork } from '../../base/accounting/credits.js'
import type { ActionResults } from '../../kernel/fetch/action.js'
import type { CapturesByType } from '../../kernel/fetch/capture.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { ModelError } from '../../base/llm/llm.js'
import type { ModelBudget } from '../../base/llm/spending.js'
import type { MediaFile } from '../media/media.js'
import type { Enriched, EnrichFormat, EnrichTools, FormatTrait, NeededLists, NeededSnapshot } from './format.js'
import * as registry from './formats/index.js'

type Registry = typeof registry
type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never
type Intersect<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** The fields that the formats of this station fill, each of them when it was asked for. */
export type EnrichedFields = Partial<Intersect<FieldsOf<Registry[keyof Registry]>>>

/** The slice of the plan that `enrich` reads. */
export interface EnrichPlan {
  /** Items of `formats`, each type once. */
  readonly formats: readonly { readonly type: string }[]
  /** The budget of the page's job for the language model. */
  readonly budget?: ModelBudget
}

/** Results of `enrich`: everything in a document that the digest does not produce. */
export interface Extras {
  readonly fields: EnrichedFields
  /** Results of the actions, with their files published; absent when there are none. */
  readonly actions?: ActionResults
  readonly warnings: readonly (string | undefined)[]
  /** Work to charge in credits, besides the page itself. */
  readonly work: ReadonlySet<PaidWork>
}

const byType = new Map<string, EnrichFormat<{ type: string }, object>>(
  Object.values(registry).map((format) => [format.type, format as EnrichFormat<{ type: string }, object>]),
)

/** Returns true if the format of this name has a trait; false for formats of other stations. */
export const hasTrait = (type: string, trait: FormatTrait): boolean =>
  byType.get(type)?.traits?.includes(trait) === true

/** Captures of the formats that need a browser, by the type of the format. @internal */
export const captures: CapturesByType = new Map(
  [...byType].flatMap(([type, { capture }]) => (capture ? [[type, capture] as const] : [])),
)

/** Lists the work that these formats may charge for, besides the page itself. */
export const findWork = (items: EnrichPlan['formats']): ReadonlySet<PaidWork> =>
  new Set(items.flatMap((item) => byType.get(item.type)?.charges?.(item) ?? []))

/** True for a format that compares the page with its last snapshot; false for formats of other stations. */
export const comparesSnapshots = (type: string): boolean => byType.get(type)?.needs?.snapshot !== undefined

/** Returns the lists that these formats need; undefined for none. */
export const findLists = (items: EnrichPlan['formats']): NeededLists | undefined =>
  firstOf(items, (item) => byType.get(item.type)?.needs?.lists?.(item))

/** Returns the comparison with the last snapshot that these formats need; undefined for none. */
export const findSnapshot = (items: EnrichPlan['formats']): NeededSnapshot | undefined =>
  firstOf(items, (item) => byType.get(item.type)?.needs?.snapshot?.(item))

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | undefined): Found | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Lists the inputs that these formats need. Planning and the checks of a request read it. */
export function findNeeds(items: readonly { readonly type: string }[]): {
  text: boolean
  facts: boolean
  media: boolean
  model: boolean
  /** A language model is asked where the engine has one. */
  mayAsk: boolean
} {
  const needs = items.map((item) => ({ item, needs: byType.get(item.type)?.needs }))
  return {
    text: needs.some(({ item, needs: own }) => own?.text?.(item) === true),
    facts: needs.some(({ item, needs: own }) => own?.facts?.(item) === true),
    media: needs.some(({ item, needs: own }) => own?.media?.(item) === true),
    model: needs.some(({ item, needs: own }) => own?.model?.(item) === true),
    mayAsk: needs.some(({ item, needs: own }) => (own?.model?.(item) ?? false) !== false),
  }
}

/**
 * Produces the formats that need more than the digest, and publishes the files of the actions.
 *
 * @throws TrawlError the error of a format
 */
export async function enrich(page: FetchedPage, plan: EnrichPlan, tools: EnrichTools): Promise<Extras> {
  const warnings: (string | undefined)[] = []
  const work = new Set<PaidWork>()
  let fields: EnrichedFields = {}
  for (const item of plan.formats) {
    const produced = await produce(page, item, tools)
    fields = { ...fields, ...produced?.fields }
    warnings.push(...(produced?.warnings ?? []))
    const charged = produced?.isPaid ? (produced.work ?? byType.get(item.type)?.charges?.(item)) : undefined
    if (charged) work.add(charged)
  }
  const actions = await publishActions(page, tools, warnings)
  return { fields, warnings, work, ...(actions ? { actions } : {}) }
}

/** Produces one format. If the model gives no answer, only the fields of this format are missing. */
async function produce(
  page: FetchedPage,
  item: { readonly type: string },
  tools: EnrichTools,
): Promise<Enriched<object> | undefined> {
  try {
    return await byType.get(item.type)?.produce?.(page, item, tools)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { fields: {}, warnings: [`There is no \`${item.type}\`: ${error.message}.`] }
  }
}

async function publishActions(
  { actions, url: pageUrl }: FetchedPage,
  tools: EnrichTools,
  warnings: (string | undefined)[],
): Promise<ActionResults | undefined> {
  if (!actions || Object.values(actions).every((list: readonly unknown[]) => list.length === 0)) return undefined
  const publish = async (file: Omit<MediaFile, 'name' | 'pageUrl'>): Promise<string> => {
    const { url, warning } = await tools.publish({ ...file, pageUrl })
    warnings.push(warning)
    return url
  }
  const screenshots: string[] = []
  for (const { mediaType, bytes, warning } of actions.screenshots) {
    screenshots.push(await publish({ kind: 'screenshot', mediaType, bytes }))
    warnings.push(warning)
  }
  const pdfs: string[] = []
  for (const bytes of actions.pdfs) pdfs.push(await publish({ kind: 'pdf', mediaType: 'application/pdf', bytes }))
  return { ...actions, screenshots, pdfs }
}
