import type { FormatFacts } from '../../content/convert/format.js'
import * as contentFormats from '../../content/convert/formats/index.js'
import { EnrichFormats } from '../enrich/enrich-formats.js'
import type { AnyEnrichFormat, VersionOneOption } from '../enrich/format.js'

/** A format of any kind, as far as requests concern it. @internal */
type AnyFormatFacts = FormatFacts<{ type: string }, string>

/** The formats that an engine knows: those made from the page alone, and those of its features. @internal */
export class FormatSet extends EnrichFormats {
  /** All of them, in order. */
  readonly all: readonly AnyFormatFacts[]
  /** The formats of version 1, by their names there. */
  readonly versionOne: ReadonlyMap<string, { readonly type: string }>
  /** The page options of version 1 that have options of formats, by the names of the formats there. */
  readonly versionOneOptions: ReadonlyMap<string, VersionOneOption>
  readonly #facts: ReadonlyMap<string, AnyFormatFacts>

  /** @param ofFeatures formats that features add */
  constructor(ofFeatures: readonly AnyEnrichFormat[] = []) {
    super(ofFeatures)
    this.all = [...(Object.values(contentFormats) as unknown as AnyFormatFacts[]), ...ofFeatures]
    this.#facts = new Map(this.all.map((format) => [format.type, format]))
    this.versionOne = new Map(
      this.all.flatMap(({ type, versionOne = {} }) =>
        Object.entries(versionOne).map(([name, options]) => [name, { type, ...options }] as const),
      ),
    )
    this.versionOneOptions = new Map(
      ofFeatures.flatMap(({ versionOneOptions: own = {} }) =>
        Object.entries(own).flatMap(([name, option]) => (option ? [[name, option] as const] : [])),
      ),
    )
  }

  /** Returns the facts of a format. */
  factsOf(type: string): AnyFormatFacts | undefined {
    return this.#facts.get(type)
  }

  /** Returns the type of a format that is named in either version of the interface. */
  typeNamed(name: string): string {
    return this.versionOne.get(name)?.type ?? name
  }
}
