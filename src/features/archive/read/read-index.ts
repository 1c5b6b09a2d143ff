import { type ArchiveInput, describePath, fileInput } from './archive-input.js'
import { METHOD_FIELD, targetOf } from './archive-record.js'
import { type CaptureLine, parseLine } from './cdxj.js'
import { parseHead } from './http-message.js'
import { listWaczRecords } from './list-records.js'
import { readRecords } from './read-records.js'

/** Path of the index beside a file. */
export const indexPath = (path: string): string => `${path.replace(/\.warc(?:\.gz)?$/i, '')}.cdxj`

/** A line of an index, and the input that has its record. */
export interface IndexedRecord extends CaptureLine {
  readonly input: ArchiveInput
}

/**
 * Reads which responses an archive has: from the index beside a file, and from the records that it lacks.
 *
 * @param warn is told why responses of a file cannot be found; a sentence
 * @throws TrawlError `BAD_REQUEST` for a file that cannot be read
 */
export async function readIndex(path: string, warn?: (problem: string) => void): Promise<readonly IndexedRecord[]> {
  const found: IndexedRecord[] = []
  const { bytes } = await describePath(path)
  for (const input of /\.wacz$/i.test(path) ? await listWaczRecords(path) : [fileInput(path)]) {
    const lines = input.path === undefined ? [] : await readLines(input.path, bytes)
    const from = lines.reduce((end, { offset, length }) => Math.max(end, offset + length), 0)
    const scanned = await scanIndex(input, from, input.path === undefined ? undefined : bytes)
    if (scanned.unplaced > 0)
      warn?.(
        `${scanned.unplaced} responses of \`${input.name}\` share a gzip member, and cannot be read alone: decompress the file, or read it with \`engine.archive()\`.`,
      )
    else if (lines.length === 0 && scanned.records === 0 && bytes > 0)
      warn?.(`\`${input.name}\` has no records of a WARC or an ARC.`)
    for (const line of [...lines, ...scanned.found]) found.push({ ...line, input })
  }
  return found
}

/** Maximum size of a line of an index: of longer ones no trawl writes, and none is read. Bytes. */
const MAX_LINE_BYTES = 64 * 1024

/** Reads the lines of the index beside a file. Of one that is not whole, it is not known what is missing: then the records are read. */
async function readLines(path: string, bytes: number): Promise<readonly CaptureLine[]> {
  const lines: CaptureLine[] = []
  try {
    let rest = Buffer.alloc(0)
    for await (const chunk of fileInput(indexPath(path)).bytes()) {
      let text: Buffer = Buffer.concat([rest, chunk])
      for (let end = text.indexOf(10); end !== -1; end = text.indexOf(10)) {
        const line = end > MAX_LINE_BYTES ? '' : text.toString('utf8', 0, end)
        text = text.subarray(end + 1)
        const parsed = parseLine(line)
        if (parsed && parsed.offset + parsed.length <= bytes) lines.push(parsed)
        else if (!line.startsWith('!') && line.trim() !== '') return []
        else if (end > MAX_LINE_BYTES) return []
      }
      if (text.length > MAX_LINE_BYTES) return []
      rest = Buffer.from(text)
    }
    return lines
  } catch {
    return []
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
    // The answer to a form is none to a request of its page.
    if (record.fields.has(METHOD_FIELD)) continue
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
