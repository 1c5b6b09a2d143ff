import type { AnyDefinitions } from '../options/option-definition.js'
import type { ScrapeOptions } from '../options/scrape-options.js'
import type { DocumentAddition, MadeDocument } from '../page/feature-steps.js'
import type { FeatureStep } from '../page/page-context.js'

/**
 * A part of trawl that can be left out.
 *
 * @typeParam Slice what the plan of a page has of it. Plain data: it is frozen, stored, and sent to other engines
 * @typeParam Result what its step has found on a page. Plain data
 */
export interface Feature<Slice = unknown, Result = unknown> {
  /** Its name: that of its slice, its result and its tasks. */
  readonly name: string
  /** Names of features that must be there. Their steps run before its own. */
  readonly needs?: readonly string[]
  /** Names of features that run before it if they are there. */
  readonly after?: readonly string[]
  /** Definitions of its options, by the request that has them. */
  readonly options?: { readonly page?: AnyDefinitions }
  /** Names that only it sets in the metadata of documents: a meta tag of a page cannot have them. */
  readonly metadata?: readonly string[]
  /** True if its step asks the site for more than the page: it then runs in the engine of the job, by the rules of the job. */
  readonly asksSite?: boolean
  /** Plans its part in a page, from checked options. @returns undefined if the page does not ask for it: then it costs nothing */
  plan?(options: ScrapeOptions): Slice | undefined
  /** Opens its step for an engine, on the first page with a slice. The closure keeps what the engine learns. */
  open?(): FeatureStep<Slice, Result> | Promise<FeatureStep<Slice, Result>>
  /** Returns what it adds to the document. */
  document?(result: Result, made: MadeDocument): DocumentAddition
}

/** Types a feature: its own code knows its slice and its result, the engine does not. */
export const defineFeature = <Slice, Result = never>(feature: Feature<Slice, Result>): Feature => feature as Feature
