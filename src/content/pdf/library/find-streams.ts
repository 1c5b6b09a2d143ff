/** Stream of a PDF file. @see ISO 32000-1 section 7.3.8 */
interface FileStream {
  /** The end of its dictionary, which precedes its bytes. */
  readonly description: string
  /** Offset of `description` in the file. */
  readonly descriptionAt: number
  /** Offset of its bytes. */
  readonly from: number
  readonly data: Buffer
}

/** Number of bytes before a stream that are searched for its dictionary. */
const DESCRIPTION_BYTES = 600

const STREAM = Buffer.from('stream')
const END = Buffer.from('endstream')
export const PACKED = '/FlateDecode'
/** Nonexistent filter name of the same length as a real one. */
const UNKNOWN = '/XlateDecode'

/** Iterates over the streams of a file. */
export function* findStreams(file: Buffer): Generator<FileStream> {
  let end = -1
  for (let at = file.indexOf(STREAM); at >= 0; at = file.indexOf(STREAM, at + STREAM.length)) {
    const from = beginOf(file, at)
    if (from === undefined) continue
    const start = Math.max(0, at - DESCRIPTION_BYTES)
    const description = /(?:.*\bobj\b)?(.*)$/s.exec(file.toString('latin1', start, at))?.[1] ?? ''
    if (end < from) end = file.indexOf(END, from)
    if (end < 0) end = file.length
    yield { description, descriptionAt: at - description.length, from, data: file.subarray(from, end) }
  }
}

/** Prevents the decompression of a stream by renaming its filter, in a copy of the file. */
export function disable(copy: Buffer, { description, descriptionAt }: FileStream): void {
  copy.write(UNKNOWN, descriptionAt + description.lastIndexOf(PACKED), 'latin1')
}

/** Returns the offset of a stream's bytes; undefined if the keyword begins none. */
function beginOf(file: Buffer, at: number): number | undefined {
  if (file.toString('latin1', at - 3, at) === 'end') return undefined
  const [next, after] = [file[at + STREAM.length], file[at + STREAM.length + 1]]
  if (next === 10) return at + STREAM.length + 1
  return next === 13 ? at + STREAM.length + (after === 10 ? 2 : 1) : undefined
}
