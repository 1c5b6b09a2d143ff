import { constants, gunzipSync } from 'node:zlib'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { type ArchiveInput, type ByteStream, describePath } from './archive-input.js'
import { type ArchiveRecord, type Damage, readTime, type RecordPlace } from './archive-record.js'
import { findMember, type MemberPiece, readMembers } from './gzip-members.js'
import { PieceReader } from './piece-reader.js'

/** Limits of reading records. */
interface RecordLimits {
  /** Decides by type and fields whether the block of a record is read. */
  wants(type: string, fields: ReadonlyMap<string, string>): boolean
  /** Maximum size of a block. Bytes. */
  readonly blockBytes: number
  /** Place in the file to begin at, where a record begins. Bytes. @default 0 */
  readonly from?: number
  /** True for a file of gzip members. @default told from the first bytes */
  readonly isGzip?: boolean
}

/** Maximum size of a line of a head. Bytes. */
const MAX_LINE_BYTES = 65_536
/** Maximum number of lines of a head. */
const MAX_LINES = 1000
/** Maximum size of all of them: a line that is continued is joined each time. */
const MAX_HEAD_CHARACTERS = 512 * 1024

/** Tests for the first line of a record. */
const isWarcStart = (bytes: Buffer): boolean =>
  ((bytes[0] ?? 0) | 32) === 0x77 && /^WARC\/\d/i.test(bytes.toString('latin1', 0, 8))
/** Tests for the line of a record of ARC: the URL. Spaces and the rest are tested with the whole line. */
const isArcStart = (bytes: Buffer): boolean => /^[a-z][a-z\d+.-]{1,12}:/i.test(bytes.toString('latin1', 0, 16))

/**
 * Reads the records of a WARC or an ARC, compressed or not. A broken record has its problem, and what is none is damage: neither
 * ends the reading.
 *
 * @see https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/
 * @see https://archive.org/web/researcher/ArcFileFormat.php
 */
export async function* readRecords(
  input: ArchiveInput,
  limits: RecordLimits,
): AsyncGenerator<ArchiveRecord | Damage, void, undefined> {
  const { from: first = 0 } = limits
  const { bytes, ...told } = await sniff(input.bytes(first), first === 0, input.name)
  const { isGzip = told.isGzip } = limits
  const reader = new PieceReader(isGzip ? readMembers(bytes, first) : readPlain(bytes))
  const place = (): RecordPlace => {
    const offset = isGzip ? reader.memberHere()?.offset : first + reader.at
    return { file: input.name, offset }
  }
  try {
    // What is in members ends with them.
    const size = isGzip || input.path === undefined ? input.size : (await describePath(input.path)).bytes
    yield* recordsOf(reader, input, place, { ...limits, end: isGzip || size === undefined ? Infinity : size - first })
  } finally {
    // One who leaves the records leaves the file open otherwise.
    await reader.close()
  }
}

/** Limits of reading the records of a file. */
interface FileLimits extends RecordLimits {
  /** Place of the end of the file, as the reader counts; Infinity where it is not known. */
  readonly end: number
}

async function* recordsOf(
  reader: PieceReader,
  input: ArchiveInput,
  place: () => RecordPlace,
  limits: FileLimits,
): AsyncGenerator<ArchiveRecord | Damage, void, undefined> {
  let isArc: boolean | undefined
  for (;;) {
    await reader.skipBlankLines()
    if (await reader.isOver()) return
    if (reader.problem !== undefined) {
      yield { damage: `The gzip member ${reader.problem}`, place: { file: input.name, offset: reader.problemAt } }
      reader.resume()
      continue
    }
    const head = await reader.peek(16)
    isArc ??= /^filedesc:/i.test(head.toString('latin1'))
    const from = reader.at
    const form = isArc ? ARC : WARC
    if (form.isStart(head)) {
      const record = isArc
        ? await readArcRecord(reader, place(), limits)
        : await readWarcRecord(reader, place(), limits)
      if (record) yield record
      if (record) continue
    }
    const start = place()
    await readUntilRecord(reader, form, 0)
    // The head of a broken record looks like a start: it is left behind, too.
    if (reader.at === from) {
      await reader.block(1, () => false, false)
      await readUntilRecord(reader, form, 0)
    }
    yield { damage: `What is here is no record of ${isArc ? 'an ARC' : 'a WARC'}`, place: start }
  }
}

async function* readPlain(bytes: ByteStream): AsyncGenerator<MemberPiece, void, undefined> {
  for await (const chunk of bytes) yield { bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) }
}

/** Size of the start of a file in which a member of gzip is looked for if its first bytes are damaged. */
const SNIFFED_BYTES = 64 * 1024

/**
 * Tells a gzip file by its first bytes. Those may be damaged: the signature of a member whose head is whole is mended, and a file that has a member,
 * and no plain record, is one all the same.
 *
 * @param isStart false to believe the first bytes, for a place behind the start of a file
 */
async function sniff(
  bytes: ByteStream,
  isStart: boolean,
  name: string,
): Promise<{ readonly isGzip: boolean; readonly bytes: ByteStream }> {
  const chunks = bytes[Symbol.asyncIterator]()
  const held: Uint8Array[] = []
  let length = 0
  const holdUntil = async (wanted: number): Promise<Buffer> => {
    while (length < wanted) {
      const { done, value } = await chunks.next()
      if (done) break
      held.push(value)
      length += value.length
    }
    return Buffer.concat(held)
  }
  const rest = async function* (): ByteStream & AsyncGenerator<Uint8Array> {
    try {
      yield* held
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  const first = await holdUntil(START_BYTES)
  if (!isStart || isGzipStart(first) || isWarcStart(first) || isArcStart(first))
    return { isGzip: isGzipStart(first), bytes: rest() }
  const start = await holdUntil(SNIFFED_BYTES)
  const isMended = lacksSignature(start)
  if (isMended) held.splice(0, held.length, Buffer.concat([GZIP_SIGNATURE, start.subarray(GZIP_SIGNATURE.length)]))
  return { isGzip: isMended || (!/\.w?arc$/i.test(name) && beginsInGzip(start)), bytes: rest() }
}

const GZIP_SIGNATURE = Buffer.from([0x1f, 0x8b])

/** Tests for the head of a member without its signature: deflate, flags, the level of compression and the system. */
const lacksSignature = (bytes: Buffer): boolean =>
  bytes[2] === 8 &&
  (bytes[3] ?? 32) < 32 &&
  [0, 2, 4].includes(bytes[8] ?? 1) &&
  [0, 3, 11, 255].includes(bytes[9] ?? 1)

const START_BYTES = 16

const isGzipStart = (bytes: Buffer): boolean => bytes.subarray(0, GZIP_SIGNATURE.length).equals(GZIP_SIGNATURE)

/** Text of a plain record: a field, a response, or the date in the line of an ARC. */
const PLAIN = /\nWARC-|HTTP\/1\.|\d{14} |(?:^|\n)(?:WARC\/\d|filedesc:)/i

/** Tests for bytes with a member of gzip that has a record, and nothing of a plain one before it, whose body a site may have chosen. */
function beginsInGzip(bytes: Buffer): boolean {
  const at = findMember(bytes, 0)
  if (at === -1 || PLAIN.test(bytes.toString('latin1', 0, at))) return false
  try {
    const packed = bytes.subarray(at, at + INFLATED_BYTES)
    const out = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
    return isWarcStart(out) || isArcStart(out)
  } catch {
    return false
  }
}

/** Size of the part of a member that is inflated to tell what it has. Bytes. */
const INFLATED_BYTES = 1024

/** Types of records of WARC. */
const TYPES: ReadonlySet<string> = new Set([
  'warcinfo',
  'response',
  'resource',
  'request',
  'metadata',
  'revisit',
  'conversion',
  'continuation',
])

/** Reads a record of a WARC. @returns undefined for a broken head */
async function readWarcRecord(
  reader: PieceReader,
  place: RecordPlace,
  limits: FileLimits,
): Promise<ArchiveRecord | undefined> {
  const { warning, isCut } = reader.memberHere() ?? {}
  await reader.line(MAX_LINE_BYTES, isWarcStart)
  const fields = await readFields(reader)
  if (!fields) return undefined
  const type = (fields.get('warc-type') ?? '').toLowerCase()
  const keep = limits.wants(type, fields)
  // What a broken member says it is, it may not be.
  const problems = warning === undefined || (!keep && TYPES.has(type)) ? [] : [`its gzip member ${warning}`]
  const stated = fields.get('content-length')?.trim() ?? ''
  if (!/^\d{1,15}$/.test(stated)) {
    const all = await reader.untilStart(isWarcStart, limits.blockBytes + 1)
    if (keep) problems.push(stated === '' ? 'it has no `Content-Length`' : 'its `Content-Length` is no number')
    if (all.length > limits.blockBytes)
      return { type, fields, place, block: Buffer.alloc(0), problems, isTooLarge: true }
    return { type, fields, place, block: keep ? trimEnd(all) : Buffer.alloc(0), problems }
  }
  const { problems: more, ...read } = await readBlock(reader, Number(stated), WARC, { ...limits, keep })
  const isTorn = isCut === true && more.length > 0
  return { type, fields, place, problems: [...problems, ...more], isTorn, ...read }
}

/** Signs by which the beginning of a record is told. */
interface RecordForm {
  /** Tests the first bytes of a line. */
  isStart(bytes: Buffer): boolean
  /** Tests a line as a whole. */
  isHead(line: string): boolean
}

const WARC: RecordForm = { isStart: isWarcStart, isHead: (line) => /^WARC\/\d/i.test(line) }
const ARC: RecordForm = { isStart: isArcStart, isHead: (line) => parseArcLine(line) !== undefined }

/** Size up to which the length of a block that nobody wants is checked as well: a wrong one hides what follows. Bytes. */
const MAX_CHECKED_BYTES = 64 * 1024

/** Lengths above which a block is believed to be shorter than stated, and not cut short: bytes, and times the size of the file. */
const MAX_PLAUSIBLE_BYTES = 64 * 1024 ** 3
const MAX_TIMES = 1000

type ReadBlock = Pick<ArchiveRecord, 'block' | 'problems' | 'isTooLarge'>

/** Reads a block of a stated length. Where it is wrong, the block ends where the next record begins. */
async function readBlock(
  reader: PieceReader,
  length: number,
  form: RecordForm,
  { keep, blockBytes, end }: Pick<FileLimits, 'blockBytes' | 'end'> & { readonly keep: boolean },
): Promise<ReadBlock> {
  const isTooLarge = length > blockBytes
  // Skipped by its length, it would hide all that follows; of a record that was cut short, what follows is its own.
  if (isTooLarge && (length > MAX_PLAUSIBLE_BYTES || length > MAX_TIMES * end) && length > end - reader.at) {
    const all = trimEnd(await readUntilRecord(reader, form, blockBytes + 1))
    const problems = ['its `Content-Length` is larger than what is left of the file']
    return { block: keep && all.length <= blockBytes ? all : NOTHING, problems, isTooLarge: all.length > blockBytes }
  }
  const isChecked = !isTooLarge && (keep || length <= MAX_CHECKED_BYTES)
  const { bytes, problem } = await reader.block(length, form.isStart, isChecked)
  const block = problem === undefined ? bytes : trimEnd(bytes)
  const read = { block, problems: problem === undefined ? [] : [problem], isTooLarge }
  const { block: fitting, ...more } = isChecked ? await fitBlock(reader, read, form) : read
  return { ...more, block: keep ? fitting : NOTHING }
}

/** Ends a block where the next record begins in it, because its stated length was wrong; or takes what is behind it, too. */
async function fitBlock(reader: PieceReader, read: ReadBlock, form: RecordForm): Promise<ReadBlock> {
  const { block, problems } = read
  const next = problems.length > 0 ? 'end' : await whatFollows(reader, form)
  if (next === 'record') return read
  const at = await findRecord(block, await reader.peek(MAX_LINE_BYTES), form)
  if (at !== -1) {
    const isBack = reader.unread(block.subarray(at))
    const lost = isBack ? '' : `, as of many before it, and ${block.length - at} bytes behind it are not read`
    return { block: trimEnd(block.subarray(0, at)), problems: [`its \`Content-Length\` is too large${lost}`] }
  }
  if (next !== 'bytes') return read
  const rest = trimEnd(await readUntilRecord(reader, form, block.length + MAX_LINE_BYTES))
  return { block: Buffer.concat([block, rest]), problems: ['its `Content-Length` is too small'] }
}

/** Tells what is behind a block: a record or the end, with line ends before it, as there should be; other lines; or further bytes. */
async function whatFollows(reader: PieceReader, { isStart }: RecordForm): Promise<'record' | 'lines' | 'bytes'> {
  if (reader.memberHere()) return 'record'
  const next = await reader.peek(24)
  const at = next.findIndex((byte) => byte !== 10 && byte !== 13)
  if (at === -1 || isStart(next.subarray(at))) return 'record'
  return at > 0 ? 'lines' : 'bytes'
}

/** Finds the first line in a block that a record begins with, and that may end behind it. @returns -1 for none */
async function findRecord(read: Buffer, next: Buffer, { isStart, isHead }: RecordForm): Promise<number> {
  const block = Buffer.concat([read, next])
  for (let at = block.indexOf(10) + 1, lines = 0; at > 0 && at < read.length; at = block.indexOf(10, at) + 1, lines++) {
    if (lines % 4096 === 0) await yieldIfHeld()
    if (!isStart(block.subarray(at, at + 16))) continue
    const end = block.indexOf(10, at)
    if (isHead(block.toString('latin1', at, end === -1 || end - at > MAX_LINE_BYTES ? at + MAX_LINE_BYTES : end)))
      return at
  }
  return -1
}

/** Reads up to a record. What begins as the line of an ARC does may be a header, or a line of a text. */
async function readUntilRecord(
  reader: PieceReader,
  { isStart, isHead }: RecordForm,
  maxBytes: number,
): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let left = maxBytes, isHere = true; ; isHere = false) {
    const part = await reader.untilStart(isStart, left, isHere)
    const head = await reader.peek(MAX_LINE_BYTES)
    const end = head.indexOf(10)
    parts.push(part)
    if (head.length === 0 || (end !== -1 && isHead(head.toString('latin1', 0, end)))) break
    left = Math.max(0, left - part.length)
    // What is no head has none behind it up to the end of its line, which may have thousands of starts.
    const length = end !== -1 ? end : head.length < MAX_LINE_BYTES ? head.length : 1
    parts.push((await reader.block(length, () => false, left > 0)).bytes)
    left = Math.max(0, left - length)
  }
  return Buffer.concat(parts)
}

const NOTHING = Buffer.alloc(0)

/** Removes the line ends that end a record. */
function trimEnd(block: Buffer): Buffer {
  let end = block.length
  for (let lines = 0; lines < 2 && block[end - 1] === 10; lines++) end -= block[end - 2] === 13 ? 2 : 1
  return block.subarray(0, end)
}

/** Reads named fields up to an empty line. @returns undefined for a head that is none */
async function readFields(reader: PieceReader): Promise<Map<string, string> | undefined> {
  const fields = new Map<string, string>()
  let last = ''
  let left = MAX_HEAD_CHARACTERS
  for (let lines = 0; lines < MAX_LINES; lines++) {
    // The end of a head whose member is broken may be lost: then it would have the block of the next record.
    if (await reader.startsHere(isWarcStart)) return undefined
    const line = await reader.line(MAX_LINE_BYTES, isWarcStart)
    if (line === undefined || (left -= line.length) < 0) return undefined
    if (line.trim() === '') return fields.size > 0 ? fields : undefined
    const colon = line.indexOf(':')
    if (/^[ \t]/.test(line) && last !== '') fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`.trim())
    else if (colon > 0) {
      last = line.slice(0, colon).trim().toLowerCase()
      if (!fields.has(last)) fields.set(last, line.slice(colon + 1).trim())
    }
  }
  return undefined
}

/** Reads a record of an ARC: a line with URL, address, date, type and length, and the response. */
async function readArcRecord(
  reader: PieceReader,
  place: RecordPlace,
  { wants, ...limits }: FileLimits,
): Promise<ArchiveRecord | undefined> {
  const { warning, isCut } = reader.memberHere() ?? {}
  const head = parseArcLine((await reader.line(MAX_LINE_BYTES)) ?? '')
  if (!head) return undefined
  const { url, date, mime, length } = head
  const isHead = /^filedesc:/i.test(url)
  const type = isHead ? 'warcinfo' : 'response'
  const fields = new Map([
    ['warc-target-uri', url],
    ['warc-date', date],
    ['content-type', /^https?:/i.test(url) ? 'application/http; msgtype=response' : mime],
  ])
  const { problems, ...read } = await readBlock(reader, length, ARC, { ...limits, keep: wants(type, fields) })
  const warnings = warning === undefined ? [] : [`its gzip member ${warning}`]
  const isTorn = isCut === true && problems.length > 0
  return { type, fields, place, problems: [...warnings, ...problems], isTorn, ...read }
}

/** Reads the line of a record of an ARC: URL, address, date, type, in version 2 further words, and length. @returns undefined for none */
function parseArcLine(
  line: string,
): { readonly url: string; readonly date: string; readonly mime: string; readonly length: number } | undefined {
  const words = line
    .trimEnd()
    .split(' ')
    .filter((word) => word !== '')
  // A URL may have spaces in it, and so may a type.
  const at = words.findIndex(
    (word, index) => index >= 2 && /^\d{8,17}$/.test(word) && /^(?:[\da-f.:]+|-)$/i.test(words[index - 1] ?? ''),
  )
  const length = words.at(-1) ?? ''
  if (at === -1 || words.length < at + 3 || !/^\d{1,15}$/.test(length)) return undefined
  return {
    url: words.slice(0, at - 1).join(' '),
    date: words[at] ?? '',
    mime: words[at + 1] ?? '',
    length: Number(length),
  }
}

/** Reads the time of a record, or the time when it is read. */
export const timeOf = ({ fields }: ArchiveRecord): number | undefined => readTime(fields.get('warc-date'))
