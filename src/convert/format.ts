import type { z as Zod, ZodType } from 'zod'
import type { ExtractedPage } from '../extract/extracted-page.js'

/** The schema builder that a format's options are written with; given by the caller, so that no station loads it. @internal */
export type SchemaBuilder = typeof Zod

/** A schema for each option that a format's item may carry beside `type`: none forgotten, none too many. @internal */
export type OptionSchemas<Options> = { readonly [Name in Exclude<keyof Options, 'type'>]-?: ZodType<Options[Name]> }

/** Settings that hold for every format of a page. */
export interface ConvertSettings {
  /** Replace the data of inline base64 images by `<Base64-Image-Removed>` in Markdown. */
  readonly removeBase64Images: boolean
}

/**
 * An output format made from the page alone. Plug-ins of `convert/formats/` implement this.
 *
 * @typeParam Options the format's item in `formats`, with its `type`
 * @typeParam Fields the fields that it fills in a document
 */
export interface Format<Options extends { type: string }, Fields extends object> {
  readonly type: Options['type']
  /** The item of `formats`: a type only, never read. */
  readonly takes?: Options
  /** The fields it fills: a type only, never read. */
  readonly fills?: Fields
  /** The schemas of what the item may carry beside `type`; absent when it carries nothing. @internal */
  readonly options?: (z: SchemaBuilder) => OptionSchemas<Options>
  /** @param warn takes what went less well than asked for, as a sentence for the document's `warning` @internal */
  convert(content: ExtractedPage, options: Options, settings: ConvertSettings, warn?: (warning: string) => void): Fields
}
