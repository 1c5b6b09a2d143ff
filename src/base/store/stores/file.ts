import { anyFunction, numberInRange, nonEmptyString, checkOptions } from '../../runtime/check-options.js'
import { rm } from 'node:fs/promises'
import { resolve, join } from 'node:path'
import { readHead, writeHead, bodiesOf, type EntryHead } from '../entry-text.js'
import { writeAtomically } from '../folder-files.js'
import { FolderReader } from '../folder-reader.js'
import { DiskQuota, spaceOf } from '../disk-quota.js'
import { hashOf, hashBody } from '../checksum.js'
import type { Store, StoredEntry } from '../store.js'
import { pack, type Compression, unpack } from '../compress.js'

/** Options of `fileStore`. */
export interface FileStoreOptions {
  /** Path of the folder, which is created if absent. It should hold nothing else. */
  folder: string
  /**
   * Maximum disk space. Beyond it the least recently used files are deleted. `Infinity` for no limit. An entry larger
   * than half of it is not stored. Bytes.
   * @default 1073741824 (1 GiB)
   */
  maxBytes?: number
  /** Clock for the order of use: milliseconds since the epoch. @default Date.now */
  now?: () => number
}

const GIB = 1024 * 1024 * 1024
/** Sub-folder of this file format; a later format gets another one. */
const FORMAT = 'v1'

/**
 * Stores entries as files in a folder, which several processes may share.
 *
 * Bodies are compressed, named by their hash, and shared by all entries with equal bodies. A file is renamed to its
 * final path when it is complete and on disk, and its checksum is verified on each read: a killed process or a faulty
 * disk loses single entries at most. Files are readable by their owner only.
 *
 * @throws TypeError for invalid options
 * @example fileStore({ folder: './pages', maxBytes: 10 * 1024 ** 3 })
 */
export function fileStore(options: FileStoreOptions): Store {
  checkFileOptions('fileStore', options)
  const { folder, maxBytes = GIB, now = Date.now } = options
  const root = resolve(folder, FORMAT)
  const reader = new FolderReader()
  const quota = new DiskQuota(root, {
    folders: ['entries', 'bodies'],
    maxBytes,
    now,
    usedAtMs: (path) => reader.usedAtMs(path),
  })
  const entryPath = (key: string): string => shardedPath(root, 'entries', hashOf(key))
  const maxFileBytes = maxBytes / 2
  const bodyFiles = new BodyFiles({ root, reader, quota, maxFileBytes, now })

  return {
    async get(key) {
      const path = entryPath(key)
      const sealed = await reader.read(path, now())
      if (!sealed) return undefined
      const head = await readHead(sealed, key).catch(() => undefined)
      if (!head) {
        await rm(path, { force: true }).catch(() => undefined)
        return undefined
      }
      // All bodies are read, so that every damaged file is deleted at once.
      const read = Object.entries(head.bodies).map(
        async ([name, place]) => [name, await bodyFiles.read(place)] as const,
      )
      const bodies: Record<string, Uint8Array> = {}
      for (const [name, body] of await Promise.all(read)) if (body) bodies[name] = body
      if (Object.keys(bodies).length < read.length) return undefined
      return { facts: head.facts, bodies }
    },
    async set(key, entry) {
      const places = await bodyFiles.write(entry)
      const head = places && (await writeHead({ key, facts: entry.facts, bodies: places }))
      // Too large to store: an earlier entry is outdated and deleted as well.
      if (!head || spaceOf(head.length) > maxFileBytes) {
        await rm(entryPath(key), { force: true })
      } else {
        await quota.reserve(head.length)
        await writeAtomically(root, entryPath(key), head)
      }
    },
    delete: (key) => rm(entryPath(key), { force: true }),
    close: () => quota.idle(),
  }
}

/** @throws TypeError */
export const checkFileOptions = (of: string, options: unknown): void => checkOptions(of, options, RULES, ['folder'])

const RULES = { folder: nonEmptyString('the path of a folder'), maxBytes: numberInRange('bytes', 1), now: anyFunction }

type BodyLocation = EntryHead['bodies'][string]

/** The tools of a store's folder. */
interface StoreFolder {
  readonly root: string
  readonly reader: FolderReader
  readonly quota: DiskQuota
  /** Maximum size of a file. Bytes. */
  readonly maxFileBytes: number
  /** Milliseconds since the epoch. */
  now(): number
}

/** The bodies of entries, as compressed files that are named by their hash. Equal bodies share a file. */
class BodyFiles {
  readonly #folder: StoreFolder

  constructor(folder: StoreFolder) {
    this.#folder = folder
  }

  /** Reads a body; undefined when it is missing or damaged. */
  async read({ at, bytes }: BodyLocation): Promise<Uint8Array | undefined> {
    const { reader, now } = this.#folder
    const [hash = '', packing] = at.split('.')
    const path = this.#pathOf(hash, packing as Compression)
    const packed = await reader.read(path, now())
    if (!packed) return undefined
    const body = await unpack(packing as Compression, packed, bytes).catch(() => undefined)
    if (body && (await hashBody(body)) === hash) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    // A damaged file is deleted. Otherwise `write` would find a file of this name and not write the body again.
    await rm(path, { force: true }).catch(() => undefined)
    return undefined
  }

  /** Writes the bodies of an entry. @returns their locations; undefined when one is too large */
  async write(entry: StoredEntry): Promise<Record<string, BodyLocation> | undefined> {
    const locations: Record<string, BodyLocation> = {}
    for (const [name, body] of bodiesOf(entry)) {
      const at = await this.#writeBody(body)
      if (at === undefined) return undefined
      locations[name] = { at, bytes: body.byteLength }
    }
    return locations
  }

  async #writeBody(body: Uint8Array): Promise<string | undefined> {
    const { root, reader, quota, maxFileBytes, now } = this.#folder
    const hash = await hashBody(body)
    for (const packing of ['br', 'raw'] as const) {
      if (await reader.touch(this.#pathOf(hash, packing), now())) return `${hash}.${packing}`
    }
    const { packing, packed } = await pack(body)
    if (spaceOf(packed.length) > maxFileBytes) return undefined
    await quota.reserve(packed.length)
    await writeAtomically(root, this.#pathOf(hash, packing), packed)
    return `${hash}.${packing}`
  }

  #pathOf(hash: string, packing: Compression): string {
    return shardedPath(this.#folder.root, 'bodies', `${hash}.${packing}`)
  }
}

/** The path of a file. Files are spread over 256 folders, because some file systems are slow with a million files in one. */
const shardedPath = (root: string, part: string, name: string): string => join(root, part, name.slice(0, 2), name)
