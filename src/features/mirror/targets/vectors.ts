import { anyFunction, checkOptions, nonEmptyString, objectWithMethods } from '../../../base/runtime/check-options.js'
import type { MirroredChunk } from '../mirror-change.js'
import type { MirrorEntry } from '../mirror-record.js'
import type { MirrorFault, MirrorTarget } from '../mirror-target.js'
import { chunkKeyOf } from '../page-digest.js'
import { embedderOf, type EmbedTexts } from '../tables/open-table.js'

/** A chunk in a vector store. */
export interface VectorItem extends MirroredChunk {
  readonly key: string
  readonly vector: readonly number[]
}

/** A store of vectors. Each call may be repeated after a crash, with the same items. */
export interface VectorStore {
  /** Stores items under their keys, replacing earlier ones. */
  upsert(items: readonly VectorItem[]): Promise<unknown>
  /** Deletes the items with these keys. Keys that it does not have are no error. */
  delete(keys: readonly string[]): Promise<unknown>
  /**
   * Reads the vector of a key, so that a chunk whose page has moved is not embedded again, and `verify()` finds chunks that are missing.
   * @default such a chunk is embedded again, and `verify()` compares nothing with the store, unless there is `readMany`
   */
  read?(key: string): Promise<readonly number[] | undefined>
  /**
   * Reads the vectors of up to 100 keys, in their order, undefined for those that it does not have: `verify()` then needs a hundredth of the
   * calls of `read`. A list of another length is an error.
   * @default each is read alone
   */
  readMany?(keys: readonly string[]): Promise<readonly (readonly number[] | undefined)[]>
}

/** Settings of {@link vectors}. */
export interface VectorsOptions {
  /**
   * Name of the mirror, under which what is acknowledged is kept, and not embedded again: give another one after a change of the model, and
   * for a store that was emptied.
   */
  name: string
  store: VectorStore
  /** Makes vectors of texts. Called for new texts only. */
  embed: EmbedTexts
}

/**
 * Mirrors a site as chunks in a vector store. Only chunks whose text is new are embedded: an edit elsewhere on the page, and a change of the
 * menus on every page, embed none of the others.
 *
 * @throws TypeError for invalid options
 */
export function vectors(options: VectorsOptions): MirrorTarget {
  checkOptions('vectors', options, {
    name: nonEmptyString('the name of the mirror'),
    store: objectWithMethods('a vector store', 'upsert', 'delete'),
    embed: anyFunction,
  })
  const { name, store, embed } = options
  const embedOne = embedderOf(embed)
  return {
    name,
    unit: 'chunk',
    async open({ openRecord }) {
      const record = await openRecord(name)
      const reader = readerOf(store)
      return {
        record,
        announces: true,
        async write({ change, saved, following }) {
          const known = change.op === 'move' ? (await reader?.read([change.previous.key]))?.[0] : undefined
          const vector = 'chunk' in change ? (known ?? (await embedOne(change.chunk, following))) : []
          await record.checkAlone?.()
          if ('chunk' in change) await store.upsert([{ ...change.chunk, key: change.key, vector }])
          if (change.op !== 'put') await store.delete([change.previous.key])
          await record.save(saved)
          return saved
        },
        check: reader && ((entries, signal) => findMissing(reader, entries, signal)),
      }
    },
  }
}

/** Reads vectors of a store. */
interface VectorReader {
  /** Most keys of a call. */
  readonly atOnce: number
  /** Reads the vectors of keys, in their order. */
  read(keys: readonly string[]): Promise<readonly (readonly number[] | undefined)[]>
}

/** Finds how a store is read; undefined for one that cannot be. */
function readerOf(store: VectorStore): VectorReader | undefined {
  if (store.readMany)
    return { atOnce: 100, read: async (keys) => checkAnswer(await store.readMany?.(keys), keys.length) }
  if (store.read) return { atOnce: 1, read: async ([key = '']) => [await store.read?.(key)] }
  return undefined
}

/** Checks what `readMany` gave: the answer of a query that leaves out what it does not have tells nothing by its order. */
function checkAnswer(given: unknown, length: number): readonly (readonly number[] | undefined)[] {
  if (Array.isArray(given) && given.length === length) return given as readonly (readonly number[] | undefined)[]
  const what = Array.isArray(given) ? `${given.length} vectors` : 'no list'
  throw new Error(
    `\`readMany\` of the store gave ${what} for ${length} keys: it gives one for each, in their order, undefined where it has none`,
  )
}

/** Finds the chunks that a store has no vector of. @throws the reason of the signal */
async function findMissing(
  { atOnce, read }: VectorReader,
  entries: Iterable<MirrorEntry>,
  signal?: AbortSignal,
): Promise<readonly MirrorFault[]> {
  const faults: MirrorFault[] = []
  const all = [...entries].flatMap(({ key: page, chunks = [] }) =>
    chunks.map((digest) => ({ page, key: chunkKeyOf(page, digest) })),
  )
  for (let from = 0; from < all.length; from += atOnce) {
    signal?.throwIfAborted()
    const some = all.slice(from, from + atOnce)
    const found = await read(some.map(({ key }) => key))
    for (const [at, { page, key }] of some.entries())
      if (!found[at]) faults.push({ key, kind: 'missing', message: `the store has no vector of it: ${page}` })
  }
  return faults
}
