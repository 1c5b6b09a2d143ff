import { totalmem } from 'node:os'

const MIB = 1024 * 1024

/** Memory of a container below which an engine takes less than it would. Bytes. */
const ENOUGH = 768 * MIB
/** Memory that the process and its thread take before a large page comes. Bytes. */
const OWN = 128 * MIB

/** Memory that an engine takes for pages that it did not get as settings. */
export interface EngineMemory {
  /** Memory of the container, where it is so small that the engine takes less. MiB. */
  readonly smallMib?: number
  /** Maximum number of pages at once, and of those that wait for their sites. */
  readonly maxPages: number
  readonly maxLent: number
  /** True if a thread may be added to those for the cores. */
  readonly maySpare: boolean
  readonly maxThreads: number
  /** Maximum heaps of threads, and the part for new objects. MiB. */
  readonly threads: { readonly maxHeapMib: number; readonly maxFileHeapMib: number; readonly maxYoungMib: number }
  /** Sizes of what is kept in memory. Bytes. */
  readonly cacheBytes: number
  readonly snapshotBytes: number
  readonly ledgerBytes: number
}

/** Memory where there is enough of it. Tried with 10,000 pages of javadoc, which take at most 490 MiB. */
const USUAL: EngineMemory = {
  maxPages: 1000,
  maxLent: 60,
  maySpare: true,
  maxThreads: Infinity,
  threads: { maxHeapMib: 512, maxFileHeapMib: 1024, maxYoungMib: 36 },
  cacheBytes: 16 * MIB,
  snapshotBytes: 64 * MIB,
  ledgerBytes: 256 * MIB,
}

/**
 * Plans the memory of an engine in a container. One with less than 768 MiB gets one thread with a smaller heap, fewer pages at once
 * and smaller caches: it takes longer, and is not killed.
 *
 * @param limitBytes undefined without a container
 */
export function planMemory(limitBytes: number | undefined): EngineMemory {
  if (limitBytes === undefined || limitBytes >= ENOUGH) return USUAL
  const share = (part: number, most: number): number => Math.min(most, Math.floor(limitBytes / part))
  const spareMib = Math.max(0, limitBytes - OWN) / MIB
  return {
    smallMib: Math.floor(limitBytes / MIB),
    maxPages: Math.max(2, Math.floor(spareMib / 32)),
    maxLent: share(64 * MIB, 10),
    maySpare: false,
    maxThreads: 1,
    threads: {
      maxHeapMib: Math.max(64, Math.floor(spareMib / 2)),
      maxFileHeapMib: Math.max(96, Math.floor((spareMib * 3) / 4)),
      maxYoungMib: Math.max(6, share(32 * MIB, USUAL.threads.maxYoungMib)),
    },
    cacheBytes: share(64, USUAL.cacheBytes),
    snapshotBytes: share(16, USUAL.snapshotBytes),
    ledgerBytes: share(8, USUAL.ledgerBytes),
  }
}

/** Reads the limit of this process's memory by its container (cgroup 1 and 2). Bytes. @returns undefined if there is none */
export function readMemoryLimit(): number | undefined {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < totalmem() ? limit : undefined
}
