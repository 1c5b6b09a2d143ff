import { hashBody } from './checksum.js'
import { type Compression, pack, unpack } from './compress.js'
import { bodiesOf, readHead, writeHead } from './entry-text.js'
import type { StoredEntry } from './store.js'

/** An entry as bytes: its head, and its bodies, each compressed if that makes it smaller. */
interface EncodedEntry {
  readonly head: Uint8Array
  readonly bodies: readonly Uint8Array[]
}

/** Maximum size of a body. Bytes. */
const MAX_BODY_BYTES = 512 * 1024 * 1024
/** Maximum number of bodies that are read. */
const MAX_BODIES = 1000
const LENGTH_BYTES = 4

/** Encodes an entry with checksums of all of its parts. */
export async function encodeEntry(key: string, entry: StoredEntry): Promise<EncodedEntry> {
  const places: Record<string, { at: string; bytes: number }> = {}
  const parts: Uint8Array[] = []
  for (const [name, body] of bodiesOf(entry)) {
    const { packing, packed } = await pack(body)
    places[name] = { at: `${parts.length} ${packing} ${await hashBody(body)}`, bytes: body.byteLength }
    parts.push(packed)
  }
  return { head: await writeHead({ key, facts: entry.facts, bodies: places }), bodies: parts }
}

/** Decodes the entry of this key; undefined for bytes that are damaged, or of another key or program. */
export async function decodeEntry(
  key: string,
  { head, bodies: parts }: EncodedEntry,
): Promise<StoredEntry | undefined> {
  try {
    const read = await readHead(head, key)
    if (!read) return undefined
    const bodies: Record<string, Uint8Array> = {}
    for (const [name, { at, bytes }] of Object.entries(read.bodies)) {
      const [index, packing, hash] = at.split(' ')
      const part = parts[Number(index)]
      if (!part || bytes > MAX_BODY_BYTES) return undefined
      const body = await unpack(packing as Compression, part, bytes)
      if ((await hashBody(body)) !== hash) return undefined
      // A copy: a view would keep all bytes of the entry alive.
      bodies[name] = new Uint8Array(body)
    }
    return { facts: read.facts, bodies }
  } catch {
    return undefined
  }
}

/** Joins the parts of an entry: the number of its bodies, the length of the head and of each body, then the parts. */
export function joinEntry({ head, bodies }: EncodedEntry): Buffer {
  const parts = [head, ...bodies]
  const lengths = Buffer.alloc(LENGTH_BYTES * (parts.length + 1))
  lengths.writeUInt32BE(bodies.length)
  for (const [index, part] of parts.entries()) lengths.writeUInt32BE(part.length, LENGTH_BYTES * (index + 1))
  return Buffer.concat([lengths, ...parts])
}

/** Divides the bytes of `joinEntry`; undefined when they are too short or too long. */
export function splitEntry(bytes: Uint8Array): EncodedEntry | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.length < 2 * LENGTH_BYTES) return undefined
  const count = view.readUInt32BE(0) + 1
  let at = LENGTH_BYTES * (count + 1)
  if (count > MAX_BODIES || at > view.length) return undefined
  const parts: Uint8Array[] = []
  for (let index = 1; index <= count; index += 1) {
    const length = view.readUInt32BE(LENGTH_BYTES * index)
    if (at + length > view.length) return undefined
    parts.push(view.subarray(at, at + length))
    at += length
  }
  const [head, ...bodies] = parts
  return head && at === view.length ? { head, bodies } : undefined
}
