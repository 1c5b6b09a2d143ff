import type { ZodOptional, ZodType } from 'zod'

/** Page options of features. A feature adds its own by declaration merging, so that the types go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeaturePageOptions {}

/** Page options of version 1 that have the options of formats. Features add them, likewise. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureV1Options {}

/** Options of features that every request for a job has, as {@link FeaturePageOptions}. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureJobOptions {}

/** Options of features that a request for a crawl has, as {@link FeaturePageOptions}. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureCrawlOptions {}

/** Options of crawls with which formats of documents may be absent, as {@link FeaturePageOptions}. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface SparseOptions {}

/** Settings of an engine for features, as {@link FeaturePageOptions}. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureConfig {}

type FeatureShape<Options> = {
  -readonly [Name in keyof Options]-?: ZodOptional<ZodType<NonNullable<Options[Name]>>>
}

/** Schemas of {@link FeaturePageOptions}, by name. @internal */
export type FeaturePageShape = FeatureShape<FeaturePageOptions>

/** Schemas of {@link FeatureJobOptions}, by name. @internal */
export type FeatureJobShape = FeatureShape<FeatureJobOptions>

/** Schemas of {@link FeatureCrawlOptions}, by name. @internal */
export type FeatureCrawlShape = FeatureShape<FeatureCrawlOptions>

/** Schemas of {@link FeatureConfig}, by name. @internal */
export type FeatureConfigShape = FeatureShape<FeatureConfig>

/** Schemas of {@link FeatureV1Options}, by name. @internal */
export type FeatureV1Shape = FeatureShape<FeatureV1Options>
