import { setTimeout as sleep } from 'node:timers/promises'
import { checkOptions, numberInRange } from '../../runtime/check-options.js'
import { S3Bucket, type S3Object } from '../../s3/s3-bucket.js'
import { type S3Options, s3Rules } from '../../s3/s3-options.js'
import { hashOf } from '../checksum.js'
import { decodeEntry, encodeEntry, joinEntry, splitEntry } from '../entry-codec.js'
import type { Store, StoredEntry } from '../store.js'

/** Options of `s3Store`. */
export interface S3StoreOptions extends S3Options {
  /** Time to live of an entry, in whole seconds. Milliseconds. @default entries are kept until they are deleted */
  ttlMs?: number
}

/** Name of the metadata with the time to live of an entry. */
const TTL = 'trawl-ttl-ms'
const CONTENT_TYPE = 'application/octet-stream'
/** Attempts to change an entry that others change at the same time. */
const MAX_CHANGES = 50
/** Longest delay between two of them; each is a random part of it, so that one of them succeeds. Milliseconds. */
const MAX_CHANGE_DELAY_MS = 50

/**
 * Stores entries as objects of a bucket, which processes on many machines may share: AWS S3, Cloudflare R2, MinIO, Ceph and
 * others. Needs the package `aws4fetch`. Keys of objects are hashes.
 *
 * Expired entries are not returned. They are deleted by a lifecycle rule of the bucket for `prefix`.
 *
 * @throws TypeError for invalid options
 * @example s3Store({ bucket: 'pages', region: 'eu-central-1', credentials: { accessKeyId, secretAccessKey } })
 */
export function s3Store(options: S3StoreOptions): Store {
  checkOptions('s3Store', options, { ...s3Rules, ttlMs: numberInRange('milliseconds', 0, Number.MAX_SAFE_INTEGER) }, [
    'bucket',
    'credentials',
  ])
  const { ttlMs, ...rest } = options
  const bucket = new S3Bucket(rest)
  const meta: Record<string, string> = ttlMs === undefined ? {} : { [TTL]: String(ttlMs) }
  const writing = { contentType: CONTENT_TYPE, meta }

  async function decode(key: string, object: S3Object | undefined): Promise<StoredEntry | undefined> {
    if (!object || isExpired(object)) return undefined
    const parts = splitEntry(object.bytes)
    return parts && (await decodeEntry(key, parts))
  }
  const encode = async (key: string, entry: StoredEntry): Promise<Buffer> => joinEntry(await encodeEntry(key, entry))

  return {
    get: async (key) => await decode(key, await bucket.get(nameOf(key))),
    set: async (key, entry) => void (await bucket.put(nameOf(key), await encode(key, entry), writing)),
    async update(key, change) {
      for (let attempt = 0; attempt < MAX_CHANGES; attempt += 1) {
        const object = await bucket.get(nameOf(key))
        const bytes = await encode(key, await change(await decode(key, object)))
        if (await bucket.put(nameOf(key), bytes, { ...writing, over: object?.etag ?? null })) return
        await sleep(Math.random() * MAX_CHANGE_DELAY_MS)
      }
      throw new Error(`the S3 bucket ${options.bucket}: others changed the entry each of ${MAX_CHANGES} times`)
    },
    delete: (key) => bucket.delete(nameOf(key)),
    close: async () => undefined,
  }
}

/** Keys may have any characters and length, those of objects may not. A bucket spreads its load by the first ones. */
const nameOf = (key: string): string => hashOf(key)

/** Compares two times of the storage, so that the clocks of machines may differ. */
function isExpired({ meta, ageMs }: S3Object): boolean {
  const ttl = meta(TTL)
  return ttl !== undefined && !(ageMs < Number(ttl))
}
