import type { ZodOptional, ZodType } from 'zod'

/** Page options of features. A feature adds its own by declaration merging, so that the types go when its folder goes. */
// oxlint-disable-next-line typescript/no-empty-object-type -- features fill it
export interface FeaturePageOptions {}

/** Schemas of {@link FeaturePageOptions}, by name. @internal */
export type FeaturePageShape = {
  -readonly [Name in keyof FeaturePageOptions]-?: ZodOptional<ZodType<NonNullable<FeaturePageOptions[Name]>>>
}
