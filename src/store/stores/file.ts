import { aFunction, aNumber, aText, checkOptions } from '../../runtime/check-options.js'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pack, unpack, type Packing } from '../compress.js'
import { bodiesOf, readHead, writeHead, type EntryHead } from '../entry-text.js'
import { writeWhole } from '../folder-files.js'
import { FolderReader } from '../folder-reader.js'
import { DiskQuota, spaceOf } from '../disk-quota.js'
import { hashOf } from '../checksum.js'
import type { Store, StoredEntry } from '../store.js'

/** How entries are kept in a folder. */
export interface FileStoreOptions {
  /** Its path; made when it is not there. Nothing else should lie in it. */
  folder: string
  /**
   * How much of the disk it may take, the least recently used forgotten first; Infinity for all there is. An entry of
   * more than half of it is not kept. Bytes. @default 1073741824 (1 GiB)
   */
  maxBytes?: number | undefined
  /** The clock that tells which entry was used last: milliseconds since the epoch. @default Date.now */
  now?: (() => number) | undefined
}

const GIB = 1024 * 1024 * 1024
/** What is written in another way in a later version lies beside this. */
const FORMAT = 'v1'

/**
 * Keeps entries as files in a folder, where they outlive the process. Several processes may use one folder.
 *
 * A body lies compressed under its own hash, once for all entries that have it. A file is moved to its place when it is
 * whole and on the disk, and is checked against its checksum at each reading: a process that is killed at any moment, or a
 * disk that loses something, costs an entry at most. The files are for their owner only.
 *
 * @throws TypeError for options that are not allowed
 * @example fileStore({ folder: './pages', maxBytes: 10 * 1024 ** 3 })
 */
export function fileStore(options: FileStoreOptions): Store {
  checkFileOptions('fileStore', options)
  const { folder, maxBytes = GIB, now = Date.now } = options
  const root = resolve(folder, FORMAT)
  const reader = new FolderReader()
  const space = new DiskQuota(root, {
    parts: ['entries', 'bodies'],
    maxBytes,
    now,
    usedMs: (path) => reader.usedMs(path),
  })
  const entryPath = (key: string): string => spread(root, 'entries', hashOf(key))
  const bodyPath = (hash: string, packing: Packing): string => spread(root, 'bodies', `${hash}.${packing}`)

  /** A body of an entry; undefined when it is not there, or is not what it was. */
  async function readBody({ at, bytes }: EntryHead['bodies'][string]): Promise<Uint8Array | undefined> {
    const [hash = '', packing] = at.split('.')
    const path = bodyPath(hash, packing as Packing)
    const packed = await reader.read(path, now())
    if (!packed) return undefined
    const body = await unpack(packing as Packing, packed, bytes).catch(() => undefined)
    if (body && hashOf(body) === hash) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
    // Out of the way, so that it is written anew and not taken for what it is called.
    await rm(path, { force: true })
    return undefined
  }

  /** Where a body lies, once it does; undefined when it is too large. */
  async function writeBody(body: Uint8Array): Promise<string | undefined> {
    const hash = hashOf(body)
    for (const packing of ['br', 'raw'] as const) {
      if (await reader.touch(bodyPath(hash, packing), now())) return `${hash}.${packing}`
    }
    const { packing, packed } = await pack(body)
    if (spaceOf(packed.length) > maxBytes / 2) return undefined
    await space.claim(packed.length)
    await writeWhole(root, bodyPath(hash, packing), packed)
    return `${hash}.${packing}`
  }

  /** The head of an entry whose bodies lie where they are to; undefined when one is too large. */
  async function writeBodies(key: string, entry: StoredEntry): Promise<Buffer | undefined> {
    const bodies: Record<string, EntryHead['bodies'][string]> = {}
    for (const [name, body] of bodiesOf(entry)) {
      const at = await writeBody(body)
      if (at === undefined) return undefined
      bodies[name] = { at, bytes: body.byteLength }
    }
    return await writeHead({ key, facts: entry.facts, bodies })
  }

  return {
    async get(key) {
      const path = entryPath(key)
      const sealed = await reader.read(path, now())
      if (!sealed) return undefined
      const head = await readHead(sealed, key).catch(() => undefined)
      if (!head) {
        await rm(path, { force: true })
        return undefined
      }
      // All of them, so that what is damaged of several is out of the way at once.
      const read = Object.entries(head.bodies).map(async ([name, place]) => [name, await readBody(place)] as const)
      const bodies: Record<string, Uint8Array> = {}
      for (const [name, body] of await Promise.all(read)) if (body) bodies[name] = body
      if (Object.keys(bodies).length < read.length) return undefined
      return { facts: head.facts, bodies }
    },
    async set(key, entry) {
      const head = await writeBodies(key, entry)
      // Too large: then what was there before is not the newest any more, either.
      if (!head || spaceOf(head.length) > maxBytes / 2) {
        await rm(entryPath(key), { force: true })
      } else {
        await space.claim(head.length)
        await writeWhole(root, entryPath(key), head)
      }
    },
    delete: (key) => rm(entryPath(key), { force: true }),
    close: () => space.settle(),
  }
}

/** @throws TypeError */
export const checkFileOptions = (of: string, options: unknown): void => checkOptions(of, options, RULES, ['folder'])

const RULES = { folder: aText('the path of a folder'), maxBytes: aNumber('bytes', 1), now: aFunction }

/** Files are spread over 256 folders: a folder of a million is slow with some file systems. */
const spread = (root: string, part: string, name: string): string => join(root, part, name.slice(0, 2), name)
