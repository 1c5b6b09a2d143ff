import type { DropPlan } from './drop-plan.js'
import type { DigestRewriter } from './rewriter.js'
import type { Json } from '../../base/store/store.js'
import type { ExtractedPage } from '../extract/extracted-page.js'
import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { BlockToDrop } from '../extract/fidelity/drop-blocks.js'

/** Findings of a part in a content. */
interface FoundParts<Tells> {
  /** Facts for the comparison with other pages. Plain data, as JSON has it. */
  readonly tells: Tells
  /** Blocks to leave out, none inside another. */
  readonly blocks: readonly BlockToDrop[]
}

/**
 * Part of a digest that a feature adds: it leaves blocks out of the content before that is converted. Pure functions, which run where
 * the digest runs: `src/features/digest-parts.ts`.
 *
 * @typeParam Own what of the learnt facts counts for one page. Digests of a page with the same are the same but for their reasons
 */
export interface DigestPart<Learnt extends object = object, Tells = unknown, Own extends Json = Json> {
  /** Name of the feature. */
  readonly feature: string
  /** Version of what it finds. Digests that are stored with another one are not used. */
  readonly version: number
  /** Finds what to leave out. @returns undefined for content that it does not read */
  find(content: ExtractedPage, learnt: readonly Learnt[]): FoundParts<Tells> | undefined
  /** Picks what of the learnt facts counts for a page. @param tells undefined for content that it does not read */
  pick(tells: Tells | undefined, learnt: readonly Learnt[]): Own
  areSame(one: Own, other: Own): boolean
  /** Updates the reasons of blocks that were left out. @returns undefined if they are not known any more */
  restate(blocks: readonly DroppedBlock[], before: Own, now: Own): readonly DroppedBlock[] | undefined
}

/** Finds the part that a plan names. @throws TypeError for one that is not there */
export function findPart({ feature }: DropPlan, parts: readonly DigestPart[] = []): DigestPart {
  const part = parts.find((one) => one.feature === feature)
  if (!part) throw new TypeError(`feature \`${feature}\` has no part in the digest`)
  return part
}

/** Code of features that digests run, loaded on first use. */
export interface FeatureCode {
  /** Loads the tasks, by name: `src/features/tasks.ts`. The first query or reading, or task of a thread, needs them. */
  tasks(): Promise<object>
  /** Loads the parts of digests: `src/features/digest-parts.ts`. */
  parts(): Promise<readonly DigestPart[]>
  /** Loads the rewriters of digests, of the same file. @default none */
  rewriters?(): Promise<readonly DigestRewriter[]>
}

export const NO_CODE: FeatureCode = { tasks: async () => ({}), parts: async () => [] }
