import { anyFunction, numberInRange, nonEmptyString, checkOptions } from '../../runtime/check-options.js'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { BodyFiles, shardedPath } from '../body-files.js'
import { readHead, writeHead } from '../entry-text.js'
import { writeAtomically } from '../folder-files.js'
import { FolderReader } from '../folder-reader.js'
import { DiskQuota, spaceOf } from '../disk-quota.js'
import { hashOf } from '../checksum.js'
import type { Store } from '../store.js'

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
