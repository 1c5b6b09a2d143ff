import type { MadeFile } from '../../base/media/media.js'
import type { PaidWork } from '../../base/accounting/credits.js'
import type { ActionResults } from '../fetch/action.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { ModelError } from '../../base/llm/llm.js'
import type { ModelBudget } from '../../base/llm/spending.js'
import type { EnrichFormats } from './enrich-formats.js'
import type { AnyEnrichFormat, Enriched, EnrichTools, FeatureFormats, SharedFacts } from './format.js'

type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never
type Intersect<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** The fields that the formats of this station fill, each of them when it was asked for. */
export type EnrichedFields = Partial<Intersect<FieldsOf<FeatureFormats[keyof FeatureFormats]>>>

/** The slice of the plan that `enrich` reads. */
export interface EnrichPlan {
  /** Items of `formats`, each type once. */
  readonly formats: readonly { readonly type: string }[]
  /** The budget of the page's job for the language model; absent if it is not asked. */
  readonly budget?: ModelBudget
  /** Work that they may charge for, besides the page itself. @default none */
  readonly work?: readonly PaidWork[]
}

/** Results of `enrich`: everything in a document that the digest does not produce. */
export interface Extras {
  readonly fields: EnrichedFields
  /** Facts for the other pages of the job, by the type of the format, which is the name of its feature; absent for none. */
  readonly shared?: Readonly<Record<string, SharedFacts>>
  /** Results of the actions, with their files published; absent when there are none. */
  readonly actions?: ActionResults
  readonly warnings: readonly (string | undefined)[]
  /** Work to charge in credits, besides the page itself. */
  readonly work: ReadonlySet<PaidWork>
}

/** The formats of an engine. */
export interface FormatSource {
  /** The formats that need more than the page. */
  readonly formats: EnrichFormats
  /** Returns what the feature of a format has opened for its formats in the engine. */
  openedFor(type: string): unknown
}

/**
 * Produces the formats that need more than the digest, and publishes the files of the actions.
 *
 * @throws TrawlError the error of a format
 */
export async function enrich(
  page: FetchedPage,
  plan: EnrichPlan,
  source: FormatSource,
  tools: EnrichTools,
): Promise<Extras> {
  const warnings: (string | undefined)[] = []
  const work = new Set<PaidWork>()
  let fields: EnrichedFields = {}
  let shared: Extras['shared']
  for (const item of plan.formats) {
    const format = source.formats.enriching(item.type)
    const produced = format && (await produce(page, item, { format, source }, tools))
    fields = { ...fields, ...produced?.fields }
    if (produced?.shared) shared = { ...shared, [item.type]: produced.shared }
    warnings.push(...(produced?.warnings ?? []))
    const charged = produced?.isPaid ? (produced.work ?? format?.charges?.(item)) : undefined
    if (charged) work.add(charged)
  }
  const actions = await publishActions(page, tools, warnings)
  return { fields, warnings, work, shared, actions }
}

/** Produces one format. If the model gives no answer, only the fields of this format are missing. */
async function produce(
  page: FetchedPage,
  item: { readonly type: string },
  { format, source }: { readonly format: AnyEnrichFormat; readonly source: FormatSource },
  tools: EnrichTools,
): Promise<Enriched<object> | undefined> {
  try {
    return await format.produce(page, item, tools, source.openedFor(item.type))
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
  const publish = async (file: Omit<MadeFile, 'pageUrl'>): Promise<string> => {
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
