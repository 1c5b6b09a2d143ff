/** A stream of a PDF file. @see ISO 32000-1 section 7.3.8 */
export interface FileStream {
  /** The dictionary before it, as far as it is looked for. */
  readonly description: string
  /** Offset of the description in the file. */
  readonly descriptionAt: number
  /** Offset of its bytes. */
  readonly from: number
  readonly data: Buffer
}

/** How far back the description of a stream is looked for. */
const DESCRIPTION_BYTES = 600

const STREAM = Buffer.from('stream')
const END = Buffer.from('endstream')
export const PACKED = '/FlateDecode'
/** Of the same length, and no way of packing that there is. */
const UNKNOWN = '/XlateDecode'

/** The streams of a file, one after the other. */
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

/** Keeps a packed stream from being unpacked, in a copy of its file. */
export function disable(copy: Buffer, { description, descriptionAt }: FileStream): void {
  copy.write(UNKNOWN, descriptionAt + description.lastIndexOf(PACKED), 'latin1')
}

/** Where the bytes of a stream begin; undefined for a word that begins none. */
function beginOf(file: Buffer, at: number): number | undefined {
  if (file.toString('latin1', at - 3, at) === 'end') return undefined
  const [next, after] = [file[at + STREAM.length], file[at + STREAM.length + 1]]
  if (next === 10) return at + STREAM.length + 1
  return next === 13 ? at + STREAM.length + (after === 10 ? 2 : 1) : undefined
}
