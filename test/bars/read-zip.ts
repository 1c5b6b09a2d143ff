import { inflateRawSync } from 'node:zlib'

/** What is in a zip, by name, as far as it can be read; nothing of what is none. @see APPNOTE.TXT section 4.3 */
export function readZip(file: Buffer): Record<string, Uint8Array> {
  const entries: Record<string, Uint8Array> = {}
  const end = file.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end === -1 || end + 22 > file.length) return entries
  let at = file.readUInt32LE(end + 16)
  for (let count = file.readUInt16LE(end + 10); count > 0 && at + 46 <= file.length; count--) {
    if (file.readUInt32LE(at) !== 0x02014b50) return entries
    const [method, packed] = [file.readUInt16LE(at + 10), file.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((field) => file.readUInt16LE(at + field))
    const local = file.readUInt32LE(at + 42)
    if (local + 30 > file.length) return entries
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28)
    const bytes = file.subarray(from, from + packed)
    const path = file.subarray(at + 46, at + 46 + (name ?? 0)).toString()
    try {
      entries[path] = method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: 4_000_000 })
    } catch {
      // Broken by what was done to it before: it stays out.
    }
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return entries
}
