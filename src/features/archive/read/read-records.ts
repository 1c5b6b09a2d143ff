import type { ArchiveInput, ByteStream } from './archive-input.js'
import { type ArchiveRecord, type Damage, readTime, type RecordPlace } from './archive-record.js'
import { type MemberPiece, readMembers } from './gzip-members.js'
import { PieceReader } from './piece-reader.js'

/** Limits of reading records. */
export interface RecordLimits {
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
  const { bytes, ...told } = await sniff(input.bytes(first))
  const { isGzip = told.isGzip } = limits
  const reader = new PieceReader(isGzip ? readMembers(bytes, first) : readPlain(bytes))
  const place = (): RecordPlace => {
    const offset = isGzip ? reader.memberHere()?.offset : first + reader.at
    return { file: input.name, ...(offset !== undefined && { offset }) }
  }
  let isArc: boolean | undefined
  for (;;) {
    await reader.skipBlankLines()
    if (await reader.isOver()) return
    if (reader.problem !== undefined) {
      const offset = reader.problemAt
      const where = { file: input.name, ...(offset !== undefined && { offset }) }
      yield { damage: `The gzip member ${reader.problem}`, place: where }
      reader.resume()
      continue
    }
    const head = await reader.peek(16)
    isArc ??= /^filedesc:/i.test(head.toString('latin1'))
    const from = reader.at
    const isStart = isArc ? isArcStart : isWarcStart
    if (isStart(head)) {
      const record = isArc
        ? await readArcRecord(reader, place(), limits)
        : await readWarcRecord(reader, place(), limits)
      if (record) yield record
      if (record) continue
    }
    const start = place()
    await reader.untilStart(isStart, 0)
    // The head of a broken record looks like a start: it is left behind, too.
    if (reader.at === from) {
      await reader.block(1, () => false, false)
      await reader.untilStart(isStart, 0)
    }
    yield { damage: `What is here is no record of ${isArc ? 'an ARC' : 'a WARC'}`, place: start }
  }
}

async function* readPlain(bytes: ByteStream): AsyncGenerator<MemberPiece, void, undefined> {
  for await (const chunk of bytes) yield { bytes: Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) }
}

/** Tells a gzip file by its first bytes. */
async function sniff(bytes: ByteStream): Promise<{ readonly isGzip: boolean; readonly bytes: ByteStream }> {
  const chunks = bytes[Symbol.asyncIterator]()
  let first = Buffer.alloc(0)
  while (first.length < 2) {
    const { done, value } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  const rest = async function* (): ByteStream & AsyncGenerator<Uint8Array> {
    try {
      if (first.length > 0) yield first
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  return { isGzip: first[0] === 0x1f && first[1] === 0x8b, bytes: rest() }
}

/** Reads a record of a WARC. @returns undefined for a broken head */
async function readWarcRecord(
  reader: PieceReader,
  place: RecordPlace,
  limits: RecordLimits,
): Promise<ArchiveRecord | undefined> {
  const warning = reader.memberHere()?.warning
  const problems = warning === undefined ? [] : [`its gzip member ${warning}`]
  await reader.line(MAX_LINE_BYTES)
  const fields = await readFields(reader)
  if (!fields) return undefined
  const type = (fields.get('warc-type') ?? '').toLowerCase()
  const keep = limits.wants(type, fields)
  const stated = fields.get('content-length')?.trim() ?? ''
  if (!/^\d{1,15}$/.test(stated)) {
    const all = await reader.untilStart(isWarcStart, limits.blockBytes + 1)
    problems.push(stated === '' ? 'it has no `Content-Length`' : 'its `Content-Length` is no number')
    if (all.length > limits.blockBytes)
      return { type, fields, place, block: Buffer.alloc(0), problems, isTooLarge: true }
    return { type, fields, place, block: keep ? trimEnd(all) : Buffer.alloc(0), problems }
  }
  const length = Number(stated)
  const isTooLarge = length > limits.blockBytes
  const { bytes, problem } = await reader.block(length, isWarcStart, keep && !isTooLarge)
  if (problem !== undefined) problems.push(problem)
  const more = isTooLarge ? { isTooLarge } : undefined
  const block = problem === undefined ? bytes : trimEnd(bytes)
  const record = { type, fields, place, block, problems, ...(more?.isTooLarge && { isTooLarge: true as const }) }
  if (problem !== undefined || !keep || isTooLarge) return record
  return (await isFollowed(reader)) ? record : shorten(reader, record)
}

/** Tests whether a block is followed by what follows one: the end of the record, of the member, or of the archive. */
async function isFollowed(reader: PieceReader): Promise<boolean> {
  const next = await reader.peek(16)
  return next.length === 0 || next[0] === 13 || next[0] === 10 || isWarcStart(next) || reader.memberHere() !== undefined
}

/** Ends a block where the next record begins in it, because its stated length was wrong; or takes what is behind it, too. */
async function shorten(reader: PieceReader, record: ArchiveRecord): Promise<ArchiveRecord> {
  const { block } = record
  const at = block.indexOf('\r\n\r\nWARC/1.')
  if (at !== -1) {
    const isBack = reader.unread(block.subarray(at + 4))
    const lost = isBack ? '' : `, as of many before it, and ${block.length - at} bytes behind it are not read`
    const problem = `its \`Content-Length\` is too large${lost}`
    return { ...record, block: block.subarray(0, at), problems: [...record.problems, problem] }
  }
  const rest = trimEnd(await reader.untilStart(isWarcStart, block.length + MAX_LINE_BYTES))
  return {
    ...record,
    block: Buffer.concat([block, rest]),
    problems: [...record.problems, 'its `Content-Length` is too small'],
  }
}

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
    const line = await reader.line(MAX_LINE_BYTES)
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
  { wants, blockBytes }: RecordLimits,
): Promise<ArchiveRecord | undefined> {
  const warning = reader.memberHere()?.warning
  const line = (await reader.line(MAX_LINE_BYTES)) ?? ''
  // Version 2 has further words between the type and the length.
  const words = line.split(' ').filter((word) => word !== '')
  const [url = '', , date = '', mime = ''] = words
  const length = words.at(-1) ?? ''
  if (words.length < 5 || !/^\d{8,14}$/.test(date) || !/^\d{1,15}$/.test(length)) return undefined
  const isHead = /^filedesc:/i.test(url)
  const type = isHead ? 'warcinfo' : 'response'
  const fields = new Map([
    ['warc-target-uri', url],
    ['warc-date', date],
    ['content-type', /^https?:/i.test(url) ? 'application/http; msgtype=response' : mime],
  ])
  const isTooLarge = Number(length) > blockBytes
  const { bytes, problem } = await reader.block(Number(length), isArcStart, !isTooLarge && wants(type, fields))
  const problems = [
    ...(warning === undefined ? [] : [`its gzip member ${warning}`]),
    ...(problem === undefined ? [] : [problem]),
  ]
  return { type, fields, place, block: bytes, problems, ...(isTooLarge && { isTooLarge: true as const }) }
}

/** Reads the time of a record, or the time when it is read. */
export const timeOf = ({ fields }: ArchiveRecord): number | undefined => readTime(fields.get('warc-date'))
