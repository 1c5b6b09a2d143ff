import { concatBytes } from '../../../base/concurrency/concat-bytes.js'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'

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

/** Maximum number of parts. */
const MAX_PARTS = 1000
/** Maximum size of the head of a part, and of what stands before its boundary. Bytes. */
const MAX_HEAD_BYTES = 4096

/** Tests for a body in parts, whose type is that of none of them. */
export const isInParts = (statusCode: number, contentType = ''): boolean =>
  statusCode === 206 && /^multipart\/byteranges[ \t]*(?:;|$)/i.test(contentType)

/** Describes the range of a body that is not the whole page. Some crawlers ask for the range of the whole. */
export function describeRange(statusCode: number, range: string | undefined): readonly string[] {
  if (statusCode !== 206 || range === undefined) return []
  const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(range) ?? []
  const isWhole = Number(first) === 0 && Number(last) + 1 === Number(size)
  return isWhole ? [] : [`it is a part of the page (${range})`]
}

/** A response whose body was sent in parts. */
interface ResponseInParts {
  readonly lines: Readonly<Record<string, string[]>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly problems: readonly string[]
}

/** Joins the parts of a response, which has their type then, and says what it lacks. */
export async function joinParts<Response extends ResponseInParts>(response: Response): Promise<Response> {
  const { lines, headers, problems } = response
  const { body, contentType, problem } = await joinRanges(response.body, headers['content-type'])
  const type = contentType ?? headers['content-type'] ?? ''
  return {
    ...response,
    lines: { ...lines, 'content-type': [type] },
    headers: { ...headers, 'content-type': type },
    body,
    problems: problem === undefined ? problems : [...problems, problem],
  }
}

/**
 * Joins the parts of a body in `multipart/byteranges`, in the order of the page.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-14.6
 */
async function joinRanges(body: Buffer, contentType = ''): Promise<JoinedRanges> {
  const [, quoted, plain] = /;[ \t]*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  const parts = boundary === undefined ? [] : await readParts(body, Buffer.from(`--${boundary}`, 'latin1'))
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
    body: joined.length === 1 ? first.bytes : Buffer.from((await concatBytes(joined)).buffer),
    contentType: first.contentType,
    problem: isWhole ? undefined : `it is ${parts.length === 1 ? 'a part' : `${parts.length} parts`} of the page`,
  }
}

/** Reads the parts. The length of each is that of its range: its content may have the boundary as well. */
async function readParts(body: Buffer, delimiter: Buffer): Promise<RangePart[]> {
  const parts: RangePart[] = []
  for (let end = 0; parts.length < MAX_PARTS;) {
    await yieldIfHeld()
    // A boundary is looked for where it is to stand alone: the bytes may be many.
    const at = body.subarray(end, end + MAX_HEAD_BYTES).indexOf(delimiter)
    if (at === -1) return parts
    const from = end + at + delimiter.length
    const text = body.toString('latin1', from, from + MAX_HEAD_BYTES)
    const head = /^[ \t]*\r?\n((?:[^\r\n]+\r?\n)*)\r?\n/.exec(text)
    const [, first, last, size] =
      /^content-range:[ \t]*bytes[ \t]+(\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)/im.exec(head?.[1] ?? '') ?? []
    if (!head || first === undefined || Number(last) < Number(first)) return parts
    const start = from + head[0].length
    end = start + Number(last) - Number(first) + 1
    const [, contentType] = /^content-type:[ \t]*([^\r\n]*)/im.exec(head[1] ?? '') ?? []
    const bytes = body.subarray(start, end)
    parts.push({ contentType, from: Number(first), size: size === '*' ? undefined : Number(size), bytes })
  }
  return parts
}
