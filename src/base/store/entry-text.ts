import { pack, unpack, type Compression } from './compress.js'
import { addChecksum, verifyChecksum } from './checksum.js'
import type { Json, StoredEntry } from './store.js'
import { parseJson } from '../text/parse-json.js'

/** Maximum size of an entry's facts. Bytes of JSON. */
const MAX_FACTS_BYTES = 64 * 1024 * 1024

/** The head of a stored entry. */
export interface EntryHead {
  /** The entry's key, to verify that this is the entry that was asked for. */
  readonly key: string
  readonly facts: Json
  /** Location of each body, in a notation of the store, and its uncompressed size in bytes. */
  readonly bodies: Readonly<Record<string, { readonly at: string; readonly bytes: number }>>
}

/** Encodings of a head, by its first byte. */
const packings: readonly Compression[] = ['raw', 'br']

/** Serializes a head with a checksum, compressed if that makes it smaller. */
export async function writeHead(head: EntryHead): Promise<Buffer> {
  const { packing, packed } = await pack(Buffer.from(JSON.stringify(head)))
  return addChecksum(Buffer.concat([Buffer.of(packings.indexOf(packing)), packed]))
}

/** Parses the head of this key; undefined for anything else. */
export async function readHead(sealed: Uint8Array, key: string): Promise<EntryHead | undefined> {
  const bytes = verifyChecksum(sealed)
  const packing = packings[bytes?.[0] ?? -1]
  if (!bytes || !packing) return undefined
  const text = await unpack(packing, bytes.subarray(1), MAX_FACTS_BYTES)
  // The checksum proves that `writeHead` wrote it.
  const head = parseJson(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()) as EntryHead
  return head.key === key ? head : undefined
}

/** The bodies of an entry, by name. */
export const bodiesOf = ({ bodies = {} }: StoredEntry): [name: string, body: Uint8Array][] => Object.entries(bodies)
