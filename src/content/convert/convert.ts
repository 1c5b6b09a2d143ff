import type { ExtractedPage } from '../extract/extracted-page.js'
import type { ConvertSettings, Format } from './format.js'
import * as formats from './formats/index.js'
import type { MarkdownFormat } from './formats/markdown.js'

type Registry = typeof formats
type AnyFormat = Registry[keyof Registry]

/** An item of `formats` that is made from the page alone, as an object. */
export type ConvertFormat = AnyFormat extends infer F
  ? F extends { readonly takes?: infer Options extends { type: string } }
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

/** The format whose field is the text of a page: it is stored, compared, indexed and shown to models. */
export const TEXT_FORMAT = formats.markdown.type

/** True for an item of the format {@link TEXT_FORMAT}. */
export const isText = (item: ConvertFormat): item is MarkdownFormat => item.type === TEXT_FORMAT

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

/** Returns how a format is made without a tree of the content; undefined if it needs one. @internal */
export const outlineOf = (type: string): Format<{ type: string }, object>['outline'] => byType.get(type)?.outline

/** True for an item with CSS selectors, which need a page of elements. @internal */
export const hasSelectors = (item: ConvertFormat): boolean => byType.get(item.type)?.selectorsIn !== undefined

/** True for an item that is made from the page alone. @internal */
export const isConvertFormat = (item: { type: string }): item is ConvertFormat => byType.has(item.type)

/** True for an item from which blocks that repeat on the pages of a job are dropped. @internal */
export const dropsRepeats = (item: ConvertFormat): boolean => byType.get(item.type)?.dropsRepeats === true

/** Types that the `prompt` of a crawl may ask for. @internal */
export const promptTypes: readonly string[] = [...byType.values()].flatMap(({ type, isForPrompt }) =>
  isForPrompt ? type : [],
)
