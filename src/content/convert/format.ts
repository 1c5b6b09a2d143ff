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
 * Facts that a format declares of itself, by which planning, checks and the digest treat it: none of them knows it by its
 * name.
 *
 * @typeParam V1 its names in version 1 of the interface
 */
export interface FormatFacts<Options extends { type: string }, V1 extends string = never> {
  readonly type: Options['type']
  /** Type of the item in `formats`; never read at run time. */
  readonly takes?: Options
  /** Returns the schemas of the item's options beside `type`; absent if there are none. @internal */
  readonly options?: (z: SchemaBuilder) => OptionSchemas<Options>
  /**
   * Set if it shows the content of the page, and not only its links, its images or the raw page. The content is then
   * compared with the page, for `fidelity` and for warnings about incomplete lists.
   */
  readonly showsContent?: true
  /** Its names in version 1 of the interface, with the options that each stands for. @default not in version 1 */
  readonly versionOne?: Readonly<Record<V1, Partial<Omit<Options, 'type'>>>>
  /** Formats that it cannot be combined with, with the reasons. @default none */
  readonly excludes?: Readonly<Record<string, string>>
  /** Lists the CSS selectors in its options, with their places, so that a wrong one is refused. @internal */
  selectorsIn?(options: Options): readonly { readonly path: readonly (string | number)[]; readonly selector: string }[]
  /** Set if its options are any JSON, which `findFaults` alone checks, also where there are none. */
  readonly hasOpenOptions?: true
  /** Finds options that contradict each other, by names; without a name, all of them. @internal */
  findFaults?(options: Options): readonly { readonly name?: string; readonly message: string }[]
}

/** The parts of a page that are known without a tree of its content. */
interface OutlinedContent {
  /** URLs that the content links to. */
  readonly contentLinks: ReadonlySet<string>
  readonly baseUrl: string
  /** The page as received. */
  readonly text: string
}

/**
 * An output format made from the page alone. Plug-ins in `convert/formats/` implement it.
 *
 * @typeParam Options the format's item in `formats`, with its `type`
 * @typeParam Fields the fields that it fills in a document
 * @typeParam V1 its names in version 1 of the interface
 */
export interface Format<
  Options extends { type: string },
  Fields extends object,
  V1 extends string = never,
> extends FormatFacts<Options, V1> {
  /** Set if blocks that repeat on the pages of a job are dropped from it: a job with such a format learns them. */
  readonly dropsRepeats?: true
  /** Set if the `prompt` of a crawl may ask for it: it needs no options. */
  readonly isForPrompt?: true
  /** The type of the fields that it fills; never set. */
  readonly fills?: Fields
  /**
   * Set for a format that reads the tree of the whole page, not only that of the content: of every page, or of files only.
   * @internal
   */
  readonly readsPage?: 'always' | 'of files'
  /** Set for a format that needs no tree of the content. @internal */
  readonly outline?: {
    /** True if it needs the links of the content, false if the page as received is enough. */
    readonly readsContent: boolean
    /** Makes the format's fields, the same as with the tree. */
    convert(outline: OutlinedContent, options: Options): Fields
  }
  /** Makes the format's fields. @param warn receives a sentence for the document's `warning` @internal */
  convert(content: ExtractedPage, options: Options, settings: ConvertSettings, warn?: (warning: string) => void): Fields
}
