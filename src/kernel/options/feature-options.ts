import type { ZodOptional, ZodType } from 'zod'

/** Page options of features. A feature adds its own by declaration merging, so that the types go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeaturePageOptions {}

/** Page options of version 1 that have the options of formats. Features add them, likewise. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeatureV1Options {}

/** Schemas of {@link FeaturePageOptions}, by name. @internal */
export type FeaturePageShape = {
  -readonly [Name in keyof FeaturePageOptions]-?: ZodOptional<ZodType<NonNullable<FeaturePageOptions[Name]>>>
}

/** Schemas of {@link FeatureV1Options}, by name. @internal */
export type FeatureV1Shape = {
  -readonly [Name in keyof FeatureV1Options]-?: ZodOptional<ZodType<NonNullable<FeatureV1Options[Name]>>>
}
