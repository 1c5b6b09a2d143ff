/** A body that was sent in parts. */
interface JoinedRanges {
  readonly body: Buffer
  /** Type of the page: that of its first part. */
  readonly contentType: string | undefined
  /** Set where it is not the whole page. A sentence without a full stop. */
  readonly problem?: string | undefined
}

/** A part of a page. */
interface RangePart {
  readonly contentType: string | undefined
  /** Place of its first byte in the page. */
  readonly from: number
  /** Size of the page; undefined where the site does not say it. */
  readonly size: number | undefined
  readonly bytes: Buffer
}

/** Maximum number of parts, and maximum size of the head of one. Bytes. */
const MAX_PARTS = 1000
const MAX_HEAD_BYTES = 4096

/**
 * Joins the parts of a body in `multipart/byteranges`, in the order of the page.
 *
 * @returns undefined for another type
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.6
 */
export function joinRanges(body: Buffer, contentType = ''): JoinedRanges | undefined {
  if (!/^multipart\/byteranges[ \t]*(?:;|$)/i.test(contentType)) return undefined
  const [, quoted, plain] = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  const parts = boundary === undefined ? [] : readParts(body, Buffer.from(`--${boundary}`, 'latin1'))
  const [first, ...others] = parts.toSorted((a, b) => a.from - b.from)
  if (!first) return { body, contentType: undefined, problem: 'it is in parts that cannot be read' }
  const joined = [first.bytes]
  let end = first.from + first.bytes.length
  let isWhole = first.from === 0
  for (const { from, bytes } of others) {
    isWhole &&= from <= end
    // What two parts have is taken once.
    joined.push(bytes.subarray(Math.max(0, Math.min(bytes.length, end - from))))
    end = Math.max(end, from + bytes.length)
  }
  isWhole &&= end === first.size
  return {
    body: joined.length === 1 ? first.bytes : Buffer.concat(joined),
    contentType: first.contentType,
    problem: isWhole ? undefined : `it is ${parts.length === 1 ? 'a part' : `${parts.length} parts`} of the page`,
  }
}

/** Reads the parts. The length of each is that of its range: its content may have the boundary as well. */
function readParts(body: Buffer, delimiter: Buffer): RangePart[] {
  const parts: RangePart[] = []
  for (let at = body.indexOf(delimiter); at !== -1 && parts.length < MAX_PARTS;) {
    const from = at + delimiter.length
    const text = body.toString('latin1', from, from + MAX_HEAD_BYTES)
    const head = /^[ \t]*\r?\n((?:[^\r\n]+\r?\n)*)\r?\n/.exec(text)
    const [, first, last, size] =
      /^content-range:[ \t]*bytes[ \t]+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)/im.exec(head?.[1] ?? '') ?? []
    if (!head || first === undefined || Number(last) < Number(first)) return parts
    const start = from + head[0].length
    const end = start + Number(last) - Number(first) + 1
    const [, contentType] = /^content-type:[ \t]*([^\r\n]*)/im.exec(head[1] ?? '') ?? []
    const bytes = body.subarray(start, end)
    parts.push({ contentType, from: Number(first), size: size === '*' ? undefined : Number(size), bytes })
    at = end < body.length ? body.indexOf(delimiter, end) : -1
  }
  return parts
}
