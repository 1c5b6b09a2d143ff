import type { DroppedBlock } from '../extract/fidelity/dropped-block.js'
import { VERSION } from '../../base/runtime/version.js'
import { hashBody, hashOf } from '../../base/store/checksum.js'
import type { Json, Store } from '../../base/store/store.js'
import type { Digest, DigestPlan } from './digest.js'
import type { DigestInput } from './digest-input.js'
import { type DigestPart, type FeatureCode, findPart } from './digest-part.js'
import type { DropPlan } from './drop-plan.js'
import { withTimeout } from '../../base/concurrency/deadline.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'

/** Source of a digest, and part of the key of a stored one. */
type DigestedPage = DigestInput

/** Digests a page; the signature of `DigestPool.digest`. */
export type MakeDigest = (page: DigestedPage, plan: DigestPlan, signal: AbortSignal) => Promise<Digest>

/**
 * Minimum size of a page whose digest is stored, in bytes. Digesting a smaller page is faster than reading the store.
 */
const MIN_BYTES = 4096
/** Maximum number of stored digests for one page and one set of options. They differ in what was learnt of other pages. */
const MAX_KINDS = 3

/** A digest, and what counted for it of what was learnt of other pages. */
interface CachedDigest {
  /** See {@link DigestPart.pick}; null without a part. */
  readonly own: Json
  /** Without what it tells. */
  readonly digest: Digest
}

/** Entry of the store for one page and one set of options. */
interface DigestCacheEntry {
  /** Facts of the page, to find what counts for it. */
  readonly tells: Json
  readonly kept: readonly CachedDigest[]
}

/** The part of a feature in the digests of a plan. */
interface OpenPart extends Pick<DigestPart, 'areSame' | 'restate'> {
  /** Name and version, as part of the key. */
  readonly name: Json
  pick(tells: unknown): Json
}

const NO_PART: OpenPart = { name: false, pick: () => null, areSame: () => true, restate: (blocks) => blocks }

async function openPart(drop: DropPlan, { parts }: FeatureCode): Promise<OpenPart> {
  const part = findPart(drop, await parts())
  return {
    name: [part.feature, part.version],
    pick: (tells) => part.pick(tells ?? undefined, drop.learnt),
    areSame: (one, other) => part.areSame(one, other),
    restate: (blocks, before, now) => part.restate(blocks, before, now),
  }
}

/**
 * Caches digests in a store. A digest is a pure function of the page's bytes, URL, type and options and of trawl's
 * version, which form the key. A digest with a warning is not stored, because it may have run out of time.
 *
 * Of what was learnt of other pages, only that must be equal which counts for the page, so that a crawl that visits the pages in
 * another order still finds its digests.
 *
 * @param code has the parts of features
 */
export function cacheDigests(make: MakeDigest, store: Store, code: FeatureCode): MakeDigest {
  return async (page, plan, signal) => {
    if (page.body.byteLength < MIN_BYTES) return make(page, plan, signal)
    const part = plan.drop ? await openPart(plan.drop, code) : NO_PART
    const key = await keyOf(page, plan, part.name)
    const known = await waitBriefly(read(store, key), signal)
    if (known) {
      const found = findCached(known, part)
      if (found) return { ...found, tells: known.tells ?? undefined }
    }
    const made = await make(page, plan, signal)
    if (made.warnings.length > 0) return made
    const { tells, ...digest } = made
    const own = part.pick(tells)
    const others = (known?.kept ?? []).filter((kept) => !part.areSame(kept.own, own))
    const next: DigestCacheEntry = {
      tells: (tells ?? null) as Json,
      kept: [{ own, digest }, ...others].slice(0, MAX_KINDS),
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
  { body, url, contentType, headers, unseen, sheets = [] }: DigestedPage,
  plan: DigestPlan,
  part: Json,
): Promise<string> {
  const shown = sheets.map(({ href, texts }) => [href, texts.map(({ id, media = '' }) => [id, media])])
  const said = [contentType ?? null, headers?.['content-disposition'] ?? null, ...(unseen ? [unseen] : []), ...shown]
  // Another version may give other results for a page.
  const input = JSON.stringify([VERSION, await hashBody(body), url, ...said, part, { ...plan, drop: undefined }])
  return `digest ${hashOf(input)}`
}

async function read(store: Store, key: string): Promise<DigestCacheEntry | undefined> {
  const entry = await store.get(key).catch(() => undefined)
  return entry?.facts as DigestCacheEntry | undefined
}

/** Finds the digest for which the same counted as counts now, and updates the reasons in it. */
function findCached({ tells, kept }: DigestCacheEntry, part: OpenPart): Digest | undefined {
  const now = part.pick(tells)
  const found = kept.find(({ own }) => part.areSame(own, now))
  if (!found) return undefined
  const { dropped, trace } = found.digest
  const restate = (blocks: readonly DroppedBlock[] | undefined) => blocks && part.restate(blocks, found.own, now)
  const stated = { dropped: restate(dropped), trace: restate(trace) }
  if ((dropped && !stated.dropped) || (trace && !stated.trace)) return undefined
  return { ...found.digest, ...stated }
}
