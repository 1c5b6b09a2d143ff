import { pack, unpack, type Packing } from './compress.js'
import { addChecksum, verifyChecksum } from './checksum.js'
import type { Json, StoredEntry } from './store.js'
import { parseJson } from '../text/parse-json.js'

/** The facts of an entry may come to this much. Bytes of JSON. */
const MAX_FACTS_BYTES = 64 * 1024 * 1024

/** What stands at the head of a stored entry. */
export interface EntryHead {
  /** Proves that the entry is the one asked for, wherever it was found. */
  readonly key: string
  readonly facts: Json
  /** By name, where each body is, in a way that the store knows, and what it comes to in bytes. */
  readonly bodies: Readonly<Record<string, { readonly at: string; readonly bytes: number }>>
}

/** Which packing a head is in: its first byte. */
const packings: readonly Packing[] = ['raw', 'br']

/** The head as sealed bytes, packed where that makes them fewer. */
export async function writeHead(head: EntryHead): Promise<Buffer> {
  const { packing, packed } = await pack(Buffer.from(JSON.stringify(head)))
  return addChecksum(Buffer.concat([Buffer.of(packings.indexOf(packing)), packed]))
}

/** A head as it was written for this key; undefined for anything else. */
export async function readHead(sealed: Uint8Array, key: string): Promise<EntryHead | undefined> {
  const bytes = verifyChecksum(sealed)
  const packing = packings[bytes?.[0] ?? -1]
  if (!bytes || !packing) return undefined
  const text = await unpack(packing, bytes.subarray(1), MAX_FACTS_BYTES)
  // What is sealed was written by `writeHead`.
  const head = parseJson(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString()) as EntryHead
  return head.key === key ? head : undefined
}

/** The bodies of an entry, by name. */
export const bodiesOf = ({ bodies = {} }: StoredEntry): [name: string, body: Uint8Array][] => Object.entries(bodies)
