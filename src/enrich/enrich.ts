import type { ActionResults } from '../fetch/action.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import type { MediaFile } from '../media/media.js'
import type { EnrichFormat, EnrichTools } from './format.js'
import * as registry from './formats/index.js'

type Registry = typeof registry
type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never
type Intersect<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** The fields that the formats of this station fill, each of them when it was asked for. */
export type EnrichedFields = Partial<Intersect<FieldsOf<Registry[keyof Registry]>>>

/** What is made of a page beside the digest: the slice of the plan that `enrich` reads. */
export interface EnrichPlan {
  /** Items of `formats`, each type once. */
  readonly formats: readonly { readonly type: string }[]
}

/** What a page gained. */
export interface Extras {
  readonly fields: EnrichedFields
  /** What the actions brought, with its files published; absent when there is nothing. */
  readonly actions?: ActionResults
  readonly warnings: readonly (string | undefined)[]
}

const byType = new Map<string, EnrichFormat<{ type: string }, object>>(
  Object.values(registry).map((format) => [format.type, format as EnrichFormat<{ type: string }, object>]),
)

/** The formats that need more than the page, and what actions brought. @throws TrawlError what a format throws */
export async function enrich(page: FetchedPage, plan: EnrichPlan, tools: EnrichTools): Promise<Extras> {
  const warnings: (string | undefined)[] = []
  let fields: EnrichedFields = {}
  for (const item of plan.formats) {
    const made = await byType.get(item.type)?.make?.(page, item, tools)
    fields = { ...fields, ...made?.fields }
    warnings.push(...(made?.warnings ?? []))
  }
  const actions = await publishActions(page, tools, warnings)
  return { fields, warnings, ...(actions ? { actions } : {}) }
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
