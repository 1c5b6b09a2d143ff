import type { ExtractedPage } from '../extract/extracted-page.js'
import type { ConvertSettings, Format } from './format.js'
import * as formats from './formats/index.js'

type Registry = typeof formats
type AnyFormat = Registry[keyof Registry]

/** An item of `formats` that is made from the page alone, as an object. */
export type ConvertFormat = AnyFormat extends infer F
  ? F extends Format<infer Options, object>
    ? Options
    : never
  : never

type FieldsOf<F> = F extends { readonly fills?: infer Fields } ? Fields : never
type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** All fields that the formats made from the page alone can fill. */
export type ConvertedFields = Partial<UnionToIntersection<FieldsOf<AnyFormat>>>

export interface ConvertPlan extends ConvertSettings {
  readonly formats: readonly ConvertFormat[]
}

const byType = new Map<string, Format<{ type: string }, object>>(
  Object.values(formats).map((format) => [format.type, format as Format<{ type: string }, object>]),
)

/**
 * Makes the requested formats from the page's content.
 *
 * @param warn receives a sentence for each part of the request that was not fully met
 * @internal
 */
export function convert(content: ExtractedPage, plan: ConvertPlan, warn?: (warning: string) => void): ConvertedFields {
  const fields: ConvertedFields = {}
  for (const item of plan.formats) Object.assign(fields, byType.get(item.type)?.convert(content, item, plan, warn))
  return fields
}

/** True for a plan with a format that reads the tree of the whole page. @param isFile true for office and PDF files @internal */
export const readsPage = ({ formats: items }: ConvertPlan, isFile: boolean): boolean =>
  items.some(({ type }) => {
    const reads = byType.get(type)?.readsPage
    return reads === 'always' || (isFile && reads === 'of files')
  })
