import type { z as Zod, ZodType } from 'zod'
import type { ExtractedPage } from '../extract/extracted-page.js'

/** The schema builder for a format's options. The caller passes it, so that no station loads the library. @internal */
export type SchemaBuilder = typeof Zod

/** A schema for each option of a format's item beside `type`, no more and no fewer. @internal */
export type OptionSchemas<Options> = { readonly [Name in Exclude<keyof Options, 'type'>]-?: ZodType<Options[Name]> }

/** Settings that apply to all formats of a page. */
export interface ConvertSettings {
  /** Replaces the data of inline base64 images by `<Base64-Image-Removed>` in Markdown. */
  readonly removeBase64Images: boolean
}

/**
 * An output format made from the page alone. Plug-ins in `convert/formats/` implement it.
 *
 * @typeParam Options the format's item in `formats`, with its `type`
 * @typeParam Fields the fields that it fills in a document
 */
export interface Format<Options extends { type: string }, Fields extends object> {
  readonly type: Options['type']
  /** The type of the format's item in `formats`; never set. */
  readonly takes?: Options
  /** The type of the fields that it fills; never set. */
  readonly fills?: Fields
  /**
   * Set for a format that reads the tree of the whole page, not only that of the content: of every page, or of files only.
   * @internal
   */
  readonly readsPage?: 'always' | 'of files'
  /** Returns the schemas of the item's options beside `type`; absent if there are none. @internal */
  readonly options?: (z: SchemaBuilder) => OptionSchemas<Options>
  /** Makes the format's fields. @param warn receives a sentence for the document's `warning` @internal */
  convert(content: ExtractedPage, options: Options, settings: ConvertSettings, warn?: (warning: string) => void): Fields
}
