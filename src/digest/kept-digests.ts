import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import type { LearntBlocks } from '../extract/repeats/repeated-block.js'
import type { FetchedPage } from '../fetch/fetched-page.js'
import { hashOf } from '../store/checksum.js'
import type { Json, Store } from '../store/store.js'
import type { Digest, DigestPlan } from './digest.js'
import { untilAborted } from '../concurrency/until-aborted.js'

/** Makes digests: the pool's own way of saying it. */
export type MakeDigest = (page: FetchedPage, plan: DigestPlan, signal: AbortSignal) => Promise<Digest>

/** What digests are made by: another version may make others of the same page. */
export const DIGEST_VERSION = '0.1.0'

/** Smaller pages are digested faster than a digest is read. Bytes. */
const MIN_BYTES = 4096
/** Digests kept of one page and one set of options: they differ in the boilerplate that other pages taught. */
const MAX_KINDS = 3
/** Blocks of a page that are told, at most. */
const MAX_BLOCKS = 256

/** What is learnt of the blocks of one page: of each its hash, whether it goes at the borders alone, and why it goes. */
type OwnLearnt = readonly (readonly [hash: number, atBorder: boolean, reason: string])[]

/** A digest, and what of the page's own blocks was learnt when it was made. */
interface KeptDigest {
  readonly learnt: OwnLearnt
  readonly digest: Omit<Digest, 'blocks'>
}

/** What is stored for one page and one set of options. */
interface KeptPage {
  /** The blocks of the page, which say what of the learnt ones concerns it. */
  readonly blocks: { readonly whole: number; readonly hashes: readonly number[] } | null
  readonly kept: readonly KeptDigest[]
}

/**
 * Makes digests, and keeps them in a store: a page with the same bytes, URL, type and options is read only once by this
 * version of trawl. A digest is a pure function of these. One with a warning is made again: it may have been short of time.
 *
 * Of the boilerplate that other pages taught only what stands on the page counts, so that a crawl that meets its pages in
 * another order finds its digests again.
 */
export function keepDigests(make: MakeDigest, store: Store): MakeDigest {
  return async (page, plan, signal) => {
    if (page.body.byteLength < MIN_BYTES) return make(page, plan, signal)
    const key = keyOf(page, plan)
    const known = await untilAborted(read(store, key), signal)
    if (known) {
      const found = findKept(known, findOwn(known.blocks?.hashes, plan.learnt))
      if (found) return { ...found, ...(known.blocks && blocksOf(known.blocks)) }
    }
    const made = await make(page, plan, signal)
    if (made.warnings.length > 0) return made
    const { blocks, ...digest } = made
    const hashes = blocks && Array.from(blocks.hashes)
    const learnt = findOwn(hashes, plan.learnt)
    const others = (known?.kept ?? []).filter((kept) => !areAlike(kept.learnt, learnt))
    const next: KeptPage = {
      blocks: blocks && hashes ? { whole: blocks.whole, hashes } : null,
      kept: [{ learnt, digest }, ...others].slice(0, MAX_KINDS),
    }
    // A store that fails costs time, and no page: the page itself could not be stored either, and its document says so.
    await untilAborted(
      store.set(key, { facts: next as unknown as Json }).catch(() => undefined),
      signal,
    ).catch(() => undefined)
    return made
  }
}

function keyOf({ body, url, contentType, headers }: FetchedPage, { learnt, ...plan }: DigestPlan): string {
  const said = [contentType ?? null, headers['content-disposition'] ?? null]
  const input = JSON.stringify([DIGEST_VERSION, hashOf(body), url, ...said, learnt !== undefined, plan])
  return `digest ${hashOf(input)}`
}

async function read(store: Store, key: string): Promise<KeptPage | undefined> {
  const entry = await store.get(key).catch(() => undefined)
  return entry?.facts as KeptPage | undefined
}

/** What of the learnt blocks stands on a page with these. Of a page with more blocks than are told, all of it may. */
function findOwn(hashes: readonly number[] | undefined, learnt: readonly LearntBlocks[] | undefined): OwnLearnt {
  if (!hashes || !learnt) return []
  const own = hashes.length < MAX_BLOCKS ? new Set(hashes.map(Math.abs)) : undefined
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

/** Whether the same goes: why it goes may be said in other words. */
const areAlike = (a: OwnLearnt, b: OwnLearnt): boolean =>
  a.length === b.length && a.every(([hash, atBorder], index) => hash === b[index]?.[0] && atBorder === b[index]?.[1])

/** The digest that was made with as much learnt, with the reasons that are given now. */
function findKept({ kept }: KeptPage, learnt: OwnLearnt): Omit<Digest, 'blocks'> | undefined {
  const found = kept.find((one) => areAlike(one.learnt, learnt))
  if (!found) return undefined
  const reasons = new Map<string, Set<string>>()
  for (const [index, [, , before]] of found.learnt.entries()) {
    const now = reasons.get(before) ?? new Set()
    reasons.set(before, now.add(learnt[index]?.[2] ?? before))
  }
  const { dropped, trace } = found.digest
  // What had one reason may have two by now: which is whose cannot be told.
  const isUnclear = ({ reason }: DroppedBlock): boolean => (reasons.get(reason)?.size ?? 1) > 1
  if (dropped?.some(isUnclear) || trace?.some(isUnclear)) return undefined
  const tell = (blocks: readonly DroppedBlock[]): DroppedBlock[] =>
    blocks.map((block) => ({ ...block, reason: [...(reasons.get(block.reason) ?? [])][0] ?? block.reason }))
  return { ...found.digest, ...(dropped && { dropped: tell(dropped) }), ...(trace && { trace: tell(trace) }) }
}

const blocksOf = ({ whole, hashes }: NonNullable<KeptPage['blocks']>): Pick<Digest, 'blocks'> => ({
  blocks: { whole, hashes: Float64Array.from(hashes) },
})
