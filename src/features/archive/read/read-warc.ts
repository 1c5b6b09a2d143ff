import { isUrl } from '../../../base/url.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import type { ArchiveInput } from './archive-input.js'
import { type ArchiveRecord, type Damage, METHOD_FIELD, targetOf } from './archive-record.js'
import type { ArchiveEntry, BrokenRecord, ArchivedCapture, CaptureOptions, SkipCause } from './capture.js'
import { isInParts } from './byte-ranges.js'
import { parseHead, parseResponse, type ParsedHead } from './http-message.js'
import { readRecords, timeOf } from './read-records.js'
import { OriginalsWanted, type WantedOriginal } from './wanted-originals.js'

/** Records with a response, or what stands for one. Others say something about them. */
const HOLDS_RESPONSE: ReadonlySet<string> = new Set(['response', 'resource', 'revisit', 'conversion', 'continuation'])

/**
 * Reads the responses of WARC and ARC files, in the order of the files. A revisit record has the body of another record: those are
 * looked for by reading the files again, once for each 20,000 of them, so that memory does not grow with the archive.
 */
export async function* readWarc(
  inputs: readonly ArchiveInput[],
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const wanted = new OriginalsWanted()
  for (const input of inputs) {
    const wants = (type: string): boolean => HOLDS_RESPONSE.has(type)
    for await (const record of readReadable(input, { wants, blockBytes: options.wireBytes })) {
      if ('damage' in record) {
        yield { broken: record.damage, place: record.place }
        continue
      }
      if (!HOLDS_RESPONSE.has(record.type)) {
        // A record that gives no page may hide the next one.
        if (record.problems.length > 0)
          yield brokenRecord(record, `A record of type \`${record.type}\`: ${record.problems.join(', ')}`)
        continue
      }
      if (record.fields.has(METHOD_FIELD)) {
        yield { skipped: 'FILTER', place: record.place }
        continue
      }
      if (record.type === 'revisit') {
        const entry = await openRevisit(record, options, wanted)
        if (entry) yield entry
        if (wanted.isFull) yield* findOriginals(inputs, wanted, options)
      } else yield await readResponse(record, options)
    }
  }
  if (!wanted.isEmpty) yield* findOriginals(inputs, wanted, options)
}

/** Reads the records of a file up to where it cannot be read: others follow. */
async function* readReadable(...given: Parameters<typeof readRecords>): AsyncGenerator<ArchiveRecord | Damage, void> {
  try {
    yield* readRecords(...given)
  } catch (error) {
    if (!(error instanceof TrawlError) || error.code !== 'SCRAPE_FILE_BROKEN') throw error
    yield { damage: error.message, place: { file: given[0].name } }
  }
}

const brokenRecord = (record: ArchiveRecord, broken: string): BrokenRecord => ({
  broken,
  url: targetOf(record),
  timeMs: timeOf(record),
  place: record.place,
})

/** Reads a record with a response of its own. */
export async function readResponse(record: ArchiveRecord, options: CaptureOptions): Promise<ArchiveEntry> {
  const url = targetOf(record)
  const { type, fields, block, place, problems } = record
  const skip = (skipped: SkipCause) => ({ skipped, place, url })
  if (type === 'conversion') return skip('CONVERSION')
  if (type === 'continuation') return skip('CONTINUATION')
  if (url === undefined || url === '') return brokenRecord(record, 'The record has no `WARC-Target-URI`')
  if (!/^https?:\/\//i.test(url)) return skip('NOT_HTTP')
  if (!isUrl(url)) return brokenRecord(record, 'What the record has as its URL is none')
  const why = problems.length > 0 ? `: ${problems.join(', ')}` : ''
  if (record.isTooLarge)
    return brokenRecord(record, `The record is larger than \`limits.wireBytes\` (${options.wireBytes} bytes)${why}`)
  const timeMs = timeOf(record)
  // Some writers state the type of the page as that of the record, with a head before the page, or without.
  const saysHttp = /^(?:(?:application|message)\/http\b|$)/i.test(fields.get('content-type') ?? '')
  const read = type === 'response' ? parseHead(block) : undefined
  const isHttp = read !== undefined || (type === 'response' && saysHttp)
  const head = isHttp ? read : { statusCode: 200, lines: {} as ParsedHead['lines'] }
  if (!head) return brokenRecord(record, `The record holds no response of HTTP${why}`)
  const contentType = isHttp ? lastOf(head.lines['content-type']) : fields.get('content-type')
  const judge = isInParts(head.statusCode, contentType) ? undefined : options.judge
  const cause = judge?.({ url, timeMs, statusCode: head.statusCode, contentType, place })
  if (cause) return skip(cause)
  const truncated = fields.get('warc-truncated')
  const warnings = [
    ...problems,
    ...(truncated === undefined ? [] : [`it was cut when it was archived (${truncated})`]),
    ...(fields.has('warc-segment-number') ? ['it goes on in other records, which are not read'] : []),
  ]
  const base = { url, timeMs, place, id: fields.get('warc-record-id') }
  if (!read) {
    const headers: Record<string, string> = contentType === undefined ? {} : { 'content-type': contentType }
    return { ...base, statusCode: 200, statusText: '', headers, contentType, body: block, problems: warnings }
  }
  try {
    const { headers, problems: more, ...response } = await parseResponse(block, read, options.bodyBytes)
    const capture = { ...base, ...response, headers, contentType: headers['content-type'] }
    const late = judge ? undefined : options.judge(capture)
    // A body that is cut short by much may be nothing at all.
    return late ? skip(late) : { ...capture, problems: [...warnings, ...more] }
  } catch (error) {
    return brokenRecord(record, messageOf(error))
  }
}

const lastOf = (lines: readonly string[] | undefined): string | undefined => lines?.at(-1)

/** Reads the head of a revisit record, and notes whose body it has. @returns what it gives if there is nothing to look for */
async function openRevisit(
  record: ArchiveRecord,
  options: CaptureOptions,
  wanted: OriginalsWanted,
): Promise<ArchiveEntry | undefined> {
  const url = targetOf(record)
  if (url === undefined) return brokenRecord(record, 'The record has no `WARC-Target-URI`')
  const head = parseHead(record.block)
  const timeMs = timeOf(record)
  // A site that answered 304 has the page of before: the status is that of the original.
  const isUnchanged = head === undefined || head.statusCode === 304
  const contentType = lastOf(head?.lines['content-type'])
  if (!isUnchanged && !isInParts(head.statusCode, contentType)) {
    const cause = options.judge({ url, timeMs, statusCode: head.statusCode, contentType, place: record.place })
    if (cause) return { skipped: cause, url, place: record.place }
  }
  if (!record.place.file || record.place.file === 'stream')
    return brokenRecord(
      record,
      'The body of a revisit record is in another one, and a stream is read once: give the file',
    )
  if (!wanted.add(record, url, timeMs))
    return brokenRecord(record, 'The revisit record does not say which record has its body')
  return undefined
}

/** Reads the files again for the bodies of revisit records. */
async function* findOriginals(
  inputs: readonly ArchiveInput[],
  wanted: OriginalsWanted,
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const everything = { ...options, judge: () => undefined }
  for (const input of inputs) {
    if (wanted.isEmpty) break
    const wants = (type: string, fields: ReadonlyMap<string, string>): boolean =>
      (type === 'response' || type === 'resource') && wanted.has(fields)
    for await (const record of readReadable(input, { wants, blockBytes: options.wireBytes })) {
      if ('damage' in record || !wants(record.type, record.fields)) continue
      const original = await readResponse(record, everything)
      for (const revisit of wanted.take(record.fields)) yield mergeRevisit(revisit, original, options)
    }
  }
  for (const { revisit } of wanted.takeAll())
    yield brokenRecord(revisit, 'The record that has the body of this revisit record is not in the archive')
}

/** Gives a revisit record the body of its original. */
function mergeRevisit(
  { revisit, url, timeMs }: WantedOriginal,
  original: ArchiveEntry,
  options: CaptureOptions,
): ArchiveEntry {
  if (!('body' in original))
    return brokenRecord(
      revisit,
      'broken' in original ? `Its original: ${original.broken}` : 'Its original holds no response',
    )
  const own = parseHead(revisit.block)
  const id = revisit.fields.get('warc-record-id')
  const isOwn = own !== undefined && own.statusCode !== 304
  const capture: ArchivedCapture = {
    ...original,
    url,
    timeMs,
    place: revisit.place,
    id,
    ...(isOwn && { statusCode: own.statusCode, statusText: own.statusText }),
    problems: [...revisit.problems, ...original.problems],
  }
  const cause = options.judge(capture)
  return cause ? { skipped: cause, url, place: revisit.place } : capture
}
