import { basename } from 'node:path'
import { type ArchiveInput, describePath, fileInput } from './archive-input.js'
import { METHOD_FIELD, targetOf } from './archive-record.js'
import { type CaptureLine, parseLine } from './cdxj.js'
import { readMembers } from './gzip-members.js'
import { parseHead } from './http-message.js'
import { splitLines } from './lines.js'
import { isRecordFile } from './list-records.js'
import { readRecords } from './read-records.js'
import { openZipEntries } from './zip-directory.js'

/** Path of the index beside a file: with the whole name, since `x.warc` and `x.warc.gz` may stand in one folder. */
export const indexPath = (path: string): string => `${path}.cdxj`

/** A line of an index, and the input that has its record. */
export interface IndexedRecord extends CaptureLine {
  readonly input: ArchiveInput
}

/** Receives the lines of an index, one after the other: an archive may have millions. */
interface IndexReader {
  add(record: IndexedRecord): void
  /** Called when an index turns out not to be that of its file: its lines so far are none, and others come. */
  restart(): void
  /** Told why responses of a file cannot be found; a sentence. */
  readonly warn?: ((problem: string) => void) | undefined
}

/**
 * Reads which responses an archive has: from the index beside a file, or in a WACZ, and from the records that it lacks.
 *
 * @throws TrawlError `BAD_REQUEST` for a file that cannot be read
 */
export async function readIndex(path: string, reader: IndexReader): Promise<void> {
  const { bytes } = await describePath(path)
  const isWacz = /\.wacz$/i.test(path)
  const entries: readonly ArchiveInput[] = isWacz ? await openZipEntries(path) : [{ ...fileInput(path), size: bytes }]
  const inputs = entries.filter(({ name }) => !isWacz || isRecordFile(name))
  const indexes = isWacz ? entries.filter(({ name }) => isIndex(name.slice(path.length))) : [fileInput(indexPath(path))]
  const ends = (await readLines(indexes, inputs, reader)) ?? inputs.map(() => 0)
  for (const [at, input] of inputs.entries()) {
    const from = ends[at] ?? 0
    const scanned = await scanIndex(input, from, isWacz ? undefined : bytes)
    if (scanned.unplaced > 0)
      reader.warn?.(
        `${scanned.unplaced} responses of \`${input.name}\` share a gzip member, and cannot be read alone: decompress the file, or read it with \`engine.archive()\`.`,
      )
    else if (from === 0 && scanned.records === 0 && bytes > 0)
      reader.warn?.(`\`${input.name}\` has no records of a WARC or an ARC.`)
    for (const line of scanned.found) reader.add({ ...line, input })
  }
}

/** Reads which responses an archive has, all at once. @throws TrawlError as `readIndex` does */
export async function listIndex(path: string): Promise<readonly IndexedRecord[]> {
  let found: IndexedRecord[] = []
  await readIndex(path, { add: (record) => found.push(record), restart: () => (found = []) })
  return found
}

/** Tests for the name of an index in a WACZ, after that of the file. */
const isIndex = (name: string): boolean => /^[/\\]indexes[/\\].*\.cdxj?(?:\.gz)?$/i.test(name)

/** Maximum size of a line of an index: of longer ones no trawl writes, and none is read. Bytes. */
const MAX_LINE_BYTES = 64 * 1024

/**
 * Reads the lines of indexes.
 *
 * @returns the place in each input behind the last record with a line; undefined for an index that is not whole, or leads to places that are
 * none: it is not known what it lacks, and the records are read
 */
async function readLines(
  indexes: readonly ArchiveInput[],
  inputs: readonly ArchiveInput[],
  reader: IndexReader,
): Promise<readonly number[] | undefined> {
  const ends = inputs.map(() => 0)
  const places = new Map(inputs.map(({ name }, at) => [basename(name), at]))
  const take = (text: string): boolean => {
    if (text.startsWith('!') || text.trim() === '') return true
    const line = parseLine(text)
    const at = places.get(basename(line?.filename ?? ''))
    const input = at === undefined ? undefined : inputs[at]
    if (!line || at === undefined || !input || line.offset + line.length > (input.size ?? 0)) return false
    ends[at] = Math.max(ends[at] ?? 0, line.offset + line.length)
    // The answer to a form is none to a request of its page.
    if (line.method === undefined || line.method === 'GET') reader.add({ ...line, input })
    return true
  }
  // Files of one name in several folders of a WACZ cannot be told apart.
  if (places.size < inputs.length) return undefined
  try {
    for (const index of indexes) for await (const text of linesOf(index)) if (!take(text)) throw new Error(text)
    return ends
  } catch {
    reader.restart()
    return undefined
  }
}

/** Reads an index line by line. @throws Error for a line that is too long, and where gzip cannot be read; TrawlError for a file that is none */
async function* linesOf(input: ArchiveInput): AsyncGenerator<string, void, undefined> {
  const last = yield* splitLines(/\.gz$/i.test(input.name) ? unpack(input) : input.bytes(), MAX_LINE_BYTES)
  // Of a line that a dead process left, the record is found behind those of the others.
  if (last.trimEnd().endsWith('}')) yield last
}

async function* unpack(input: ArchiveInput): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const { bytes, problem } of readMembers(input.bytes(), 0)) {
    if (problem !== undefined) throw new Error(problem)
    yield bytes
  }
}

/** Records found behind a place of a file. */
interface ScannedIndex {
  /** End of the last whole record, or of the file. */
  readonly end: number
  readonly found: readonly CaptureLine[]
  /** Number of records of all types. */
  readonly records: number
  /** Number of responses that have no place of their own. */
  readonly unplaced: number
}

/** Reads the records behind a place. @param size size of the file; undefined for an entry of a zip, whose end nobody needs */
export async function scanIndex(input: ArchiveInput, from: number, size: number | undefined): Promise<ScannedIndex> {
  const found: CaptureLine[] = []
  if (size !== undefined && from >= size) return { end: size, found, records: 0, unplaced: 0 }
  let open: Omit<CaptureLine, 'length'> | undefined
  let tornAt: number | undefined
  let records = 0
  let unplaced = 0
  const close = (end: number): void => {
    if (open) found.push({ ...open, length: end - open.offset })
    open = undefined
  }
  const wants = (type: string): boolean => type === 'response' || type === 'revisit' || type === 'resource'
  for await (const record of readRecords(input, {
    wants,
    blockBytes: MAX_BLOCK_BYTES,
    from,
    isGzip: /\.gz$/i.test(input.name) || undefined,
  })) {
    const { offset } = record.place
    if (offset !== undefined) close(offset)
    if ('damage' in record || record.problems.length > 0) tornAt ??= offset
    // A record that is torn is the last one: what others follow is broken, and stays.
    else tornAt = undefined
    if ('damage' in record) continue
    records += 1
    if (offset === undefined && wants(record.type)) unplaced += 1
    const url = targetOf(record)
    // The answer to a form is none to a request of its page, and what is left of a response is none.
    if (record.fields.has(METHOD_FIELD) || record.isTorn) continue
    if (!wants(record.type) || offset === undefined || url === undefined || !/^https?:/i.test(url)) continue
    const head = record.type === 'resource' ? undefined : parseHead(record.block)
    const type = head?.lines['content-type']?.[0] ?? record.fields.get('content-type') ?? 'unk'
    open = {
      url,
      date: record.fields.get('warc-date') ?? '',
      mime: record.type === 'revisit' ? 'warc/revisit' : (type.split(';', 1)[0] ?? 'unk'),
      status: head?.statusCode ?? 200,
      digest: record.fields.get('warc-payload-digest') ?? '',
      filename: input.name,
      offset,
    }
  }
  const end = tornAt ?? size
  close(end ?? Infinity)
  const whole = found.filter(({ offset }) => tornAt === undefined || offset < tornAt)
  return { end: end ?? 0, found: whole, records, unplaced }
}

/** Maximum size of a record. Bytes. */
const MAX_BLOCK_BYTES = 256 * 1024 * 1024
