import type { Digest } from '../digest/digest.js'
import type { MakeDigest } from '../digest/kept-digests.js'
import type { LearntBlocks } from '../extract/repeats/repeated-block.js'
import type { LoadedSnapshot } from '../snapshot/load-snapshot.js'
import type { ObtainedPage } from './obtain-page.js'
import type { PageContext } from './page-context.js'
import { trackChanges } from './page-snapshot.js'

/** Parses, extracts and converts a page, in a worker thread where there are any. */
export const digestPage = (
  context: PageContext,
  obtained: ObtainedPage,
  previous: LoadedSnapshot | undefined,
): Promise<Digest> =>
  chooseDigest(context, obtained)(obtained.page, trackChanges(context.plan, previous), context.deadline.signal)

/** Digests a page again for its document alone, without blocks that repeat over pages. */
export function digestWithout(
  context: PageContext,
  obtained: ObtainedPage,
  learnt: readonly LearntBlocks[],
  signal: AbortSignal,
): Promise<Digest> {
  const { material: _, ...rest } = context.plan.digest
  return chooseDigest(context, obtained)(obtained.page, { ...rest, fingerprint: false, learnt }, signal)
}

/** A digest that was compared with a snapshot fits no other scrape, and is not worth storing. */
const chooseDigest = ({ plan, tools }: PageContext, { mayBeKept }: ObtainedPage): MakeDigest =>
  mayBeKept && !plan.snapshot?.compares && !plan.keepsNothing ? tools.keptDigest : tools.digest
