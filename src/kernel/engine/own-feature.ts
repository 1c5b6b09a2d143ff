import type { FeatureFetcher } from '../fetch/feature-fetcher.js'

/** A part that the caller adds to an engine: {@link EngineConfig.features}. */
export interface OwnFeature {
  /**
   * Its name, in errors and in the records of jobs: a letter, then letters, digits and hyphens, at most 60. No other feature of the
   * engine, and none of trawl itself, may have it.
   */
  readonly name: string
  /** Gets URLs of its own, in the place of the network. @default none */
  readonly fetcher?: FeatureFetcher | undefined
}

declare module '../options/engine-config.js' {
  interface EngineConfig {
    /**
     * Parts that you add to the engine, in order: see `docs/guides/features.md`. A job that was left by an earlier process is resumed
     * only by an engine with the features that it was started with.
     * @default none
     */
    features?: readonly OwnFeature[] | undefined
  }
}

/** Types a feature where it is written. @returns the same object */
export const defineFeature = <Own extends OwnFeature>(feature: Own): Own => feature
