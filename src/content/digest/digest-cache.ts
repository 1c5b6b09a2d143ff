import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import { type LearntBlocks, mayDrop, type PageBlocks } from '../../features/boilerplate/repeated-block.js'
import { VERSION } from '../../base/runtime/version.js'
import { hashBody, hashOf } from '../../base/store/checksum.js'
import type { Json, Store } from '../../base/store/store.js'
import type { Digest, DigestPlan } from './digest.js'
import type { DigestInput } from './digest-input.js'
import { withTimeout } from '../../base/concurrency/deadline.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'

/** Source of a digest, and part of the key of a stored one. */
type DigestedPage = Pick<DigestInput, 'url' | 'body' | 'contentType' | 'headers'>

/** Digests a page; the signature of `DigestPool.digest`. */
export type MakeDigest = (page: DigestedPage, plan: DigestPlan, signal: AbortSignal) => Promise<Digest>

/**
 * Minimum size of a page whose digest is stored, in bytes. Digesting a smaller page is faster than reading the store.
 */
const MIN_BYTES = 4096
/** Maximum number of stored digests for one page and one set of options. They differ in learnt blocks. */
const MAX_KINDS = 3
/** Maximum number of blocks that a digest lists. */
const MAX_BLOCKS = 256

/**
 * Learnt blocks that occur on one page. `atBorder` is true if a block is dropped only at the start and end of the
 * content.
 */
type OwnLearnt = readonly (readonly [hash: number, atBorder: boolean, reason: string])[]

/** A digest, and the page's learnt blocks when it was made. */
interface CachedDigest {
  readonly learnt: OwnLearnt
  /** Without its blocks. */
  readonly digest: Digest
}

/** Entry of the store for one page and one set of options. */
interface DigestCacheEntry {
  /** Hashes of the page's blocks, to find the learnt blocks that occur on it. */
  readonly blocks: {
    readonly whole: number
    readonly hashes: readonly number[]
    readonly droppable?: readonly number[]
  } | null
  readonly kept: readonly CachedDigest[]
}

/**
 * Caches digests in a store. A digest is a pure function of the page's bytes, URL, type and options and of trawl's
 * version, which form the key. A digest with a warning is not stored, because it may have run out of time.
 *
 * Of the learnt blocks, only those that occur on the page must be equal, so that a crawl that visits the pages in
 * another order still finds its digests.
 */
export function cacheDigests(make: MakeDigest, store: Store): MakeDigest {
  return async (page, plan, signal) => {
    if (page.body.byteLength < MIN_BYTES) return make(page, plan, signal)
    const key = await keyOf(page, plan)
    const known = await waitBriefly(read(store, key), signal)
    if (known) {
      const blocks = known.blocks ? blocksOf(known.blocks) : undefined
      const found = findCached(known, findOwn(blocks, plan.learnt))
      if (found) return { ...found, blocks }
    }
    const made = await make(page, plan, signal)
    if (made.warnings.length > 0) return made
    const { blocks, ...digest } = made
    const learnt = findOwn(blocks, plan.learnt)
    const others = (known?.kept ?? []).filter((kept) => !areEqualBlocks(kept.learnt, learnt))
    const next: DigestCacheEntry = {
      blocks: blocks ? storedBlocks(blocks) : null,
      kept: [{ learnt, digest }, ...others].slice(0, MAX_KINDS),
    }
    // An error of the store is ignored here. Storing the raw page has failed as well, and the document has a warning.
    await waitBriefly(store.set(key, { facts: next as unknown as Json }), signal).catch(() => undefined)
    return made
  }
}

/** Maximum time for which a page waits for the store: most digests are made in less. Milliseconds. */
const MAX_WAIT_MS = 500

/** Waits for a store for a moment; the call goes on. @returns undefined if it fails or takes longer @throws the signal's reason */
async function waitBriefly<T>(call: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  using limit = withTimeout(signal, MAX_WAIT_MS)
  try {
    return await untilAborted(call, limit.signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function keyOf(
  { body, url, contentType, headers }: DigestedPage,
  { learnt, ...plan }: DigestPlan,
): Promise<string> {
  const said = [contentType ?? null, headers?.['content-disposition'] ?? null]
  // Another version may give other results for a page.
  const input = JSON.stringify([VERSION, await hashBody(body), url, ...said, learnt !== undefined, plan])
  return `digest ${hashOf(input)}`
}

async function read(store: Store, key: string): Promise<DigestCacheEntry | undefined> {
  const entry = await store.get(key).catch(() => undefined)
  return entry?.facts as DigestCacheEntry | undefined
}

/**
 * Finds the learnt blocks that occur on a page; none if it keeps them all. If the page has more than `MAX_BLOCKS`
 * blocks, all learnt ones count.
 */
function findOwn(blocks: PageBlocks | undefined, learnt: readonly LearntBlocks[] | undefined): OwnLearnt {
  if (!blocks || !learnt || !mayDrop(blocks, learnt)) return []
  const { hashes } = blocks
  const own = hashes.length < MAX_BLOCKS ? new Set(Array.from(hashes, Math.abs)) : undefined
  const found = new Map<number, OwnLearnt[number]>()
  for (const part of learnt) {
    for (const signed of part.hashes) {
      const hash = Math.abs(signed)
      if (own && !own.has(hash)) continue
      const [, atBorder = true, reason = part.reason] = found.get(hash) ?? []
      found.set(hash, [hash, atBorder && signed < 0, reason])
    }
  }
  return [...found.values()].sort(([a], [b]) => a - b)
}

/** Tests for equal blocks. Reasons are not compared, because their counts of pages change during a crawl. */
const areEqualBlocks = (a: OwnLearnt, b: OwnLearnt): boolean =>
  a.length === b.length && a.every(([hash, atBorder], index) => hash === b[index]?.[0] && atBorder === b[index]?.[1])

/** Finds the digest that was made with the same learnt blocks, and updates the reasons in it. */
function findCached({ kept }: DigestCacheEntry, learnt: OwnLearnt): Digest | undefined {
  const found = kept.find((one) => areEqualBlocks(one.learnt, learnt))
  if (!found) return undefined
  const reasons = new Map<string, Set<string>>()
  for (const [index, [, , before]] of found.learnt.entries()) {
    const now = reasons.get(before) ?? new Set()
    reasons.set(before, now.add(learnt[index]?.[2] ?? before))
  }
  const { dropped, trace } = found.digest
  // If one stored reason corresponds to two current ones, the stored blocks cannot be assigned to them.
  const isUnclear = ({ reason }: DroppedBlock): boolean => (reasons.get(reason)?.size ?? 1) > 1
  if (dropped?.some(isUnclear) || trace?.some(isUnclear)) return undefined
  const restate = (blocks: readonly DroppedBlock[]): DroppedBlock[] =>
    blocks.map((block) => ({ ...block, reason: [...(reasons.get(block.reason) ?? [])][0] ?? block.reason }))
  return { ...found.digest, dropped: dropped && restate(dropped), trace: trace && restate(trace) }
}

const storedBlocks = ({ whole, hashes, droppable }: PageBlocks): NonNullable<DigestCacheEntry['blocks']> => ({
  whole,
  hashes: Array.from(hashes),
  droppable: droppable && Array.from(droppable),
})

const blocksOf = ({ whole, hashes, droppable }: NonNullable<DigestCacheEntry['blocks']>): PageBlocks => ({
  whole,
  hashes: Float64Array.from(hashes),
  droppable: droppable && Uint8Array.from(droppable),
})
