import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashBody } from './checksum.js'
import { pack, type Compression, unpack } from './compress.js'
import { type DiskQuota, spaceOf } from './disk-quota.js'
import { bodiesOf, type EntryHead } from './entry-text.js'
import { writeAtomically } from './folder-files.js'
import type { FolderReader } from './folder-reader.js'
import type { StoredEntry } from './store.js'

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
export class BodyFiles {
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
export const shardedPath = (root: string, part: string, name: string): string =>
  join(root, part, name.slice(0, 2), name)
