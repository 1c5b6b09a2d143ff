import { checkArgument, checkOptions, nonEmptyString, oneOf, type Rule } from '../../../base/runtime/check-options.js'
import { readdir, stat } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { InvalidRequestError, TrawlError } from '../../../base/errors.js'
import { parseUrl } from '../../../base/url.js'
import type { FeatureFetcher, FetcherRequest, FetcherResponse } from '../../../kernel/fetch/feature-fetcher.js'
import { type ArchiveRecord, readTime, targetOf } from '../read/archive-record.js'
import type { ArchiveEntry } from '../read/capture.js'
import { indexPath, readIndex } from '../read/read-index.js'
import { readRecords } from '../read/read-records.js'
import { readResponse } from '../read/read-warc.js'
import { listArchiveFiles } from '../read/list-records.js'
import type { CassetteTarget } from '../write/archive-target.js'
import { type CapturePlace, CaptureTable, type FoundCapture, isNewer, plainDigest } from './capture-table.js'

/** Settings of a replay. */
export interface ReplayOptions {
  /**
   * Treatment of a request that the archive has no response for: `fail` fails its page, `fetch` sends it to the network, `skip` answers 404. A
   * robots.txt that is missing is answered with 404, but for `fetch`. A form that is sent is always missing.
   * @default 'fail'; 'fetch' with `record`, which allows no other
   */
  missing?: 'fail' | 'fetch' | 'skip'
  /** Answers as fast as it can, or after the time that the site took. @default 'none' */
  timing?: 'none' | 'recorded'
  /** Takes the newest response until this time, as a date or in a form that `Date` reads. @default the newest */
  date?: string | Date
  /** Sends requests that the archive has no response for to the network, and writes them to it: the first run of a test records it. */
  record?: 'missing'
}

/** Answers the requests of an engine from an archive, as its setting `fetcher`. */
export interface Replay extends FeatureFetcher {
  /** The archive that missing responses are written to; undefined without `record`. */
  readonly target?: CassetteTarget | undefined
}

const RULES: Readonly<Record<keyof ReplayOptions, Rule>> = {
  missing: oneOf('fail', 'fetch', 'skip'),
  timing: oneOf('none', 'recorded'),
  date: {
    allowed: 'a date',
    accepts: (value) => typeof value === 'string' || (value instanceof Date && !Number.isNaN(value.getTime())),
  },
  record: oneOf('missing'),
}

/** Maximum size of a record. Bytes. */
const MAX_BLOCK_BYTES = 256 * 1024 * 1024

/**
 * Answers the requests of an engine from archives, in the place of the network: those over HTTP, and those of pages in a browser.
 *
 * @param archive paths of WARC files, folders of them, or WACZ
 * @see docs/guides/archives.md
 * @example
 * const engine = createEngine({ fetcher: replay('crawl.warc.gz') })
 */
export function replay(archive: string | readonly string[], options: ReplayOptions = {}): Replay {
  const paths = [archive].flat()
  checkOptions('replay', options, RULES)
  const { record, timing = 'none', date } = options
  const untilMs = date === undefined ? Infinity : readTime(typeof date === 'string' ? date : date.toISOString())
  if (untilMs === undefined) throw wrong('date', 'is no date')
  const [first] = paths
  if (first === undefined) throw wrong('archive', 'names no archive')
  for (const path of paths)
    checkArgument('replay(archive)', path, nonEmptyString("the path of an archive, such as 'crawl.warc.gz'"))
  if (record !== undefined && (paths.length > 1 || /\.wacz$/i.test(first)))
    throw wrong('record', 'writes to one WARC: a WACZ, and several archives, are read only')
  if (record !== undefined && options.missing !== undefined && options.missing !== 'fetch')
    throw wrong('missing', "must be 'fetch', or left out, with `record: 'missing'`: what is recorded is fetched")
  const index = new ReplayIndex(paths, untilMs, record !== undefined)
  const missing = options.missing ?? (record === undefined ? 'fail' : 'fetch')
  return {
    servesBrowser: true,
    isRecorded: true,
    open: () => index.open(),
    // A response is known by its URL alone: that of the form's page is no answer to what the form sends.
    handles: (url, method = 'GET') => missing !== 'fetch' || (method === 'GET' && index.find(url) !== undefined),
    fetch: (request) => answer(index, request, { missing, timing }),
    // Which of two responses refers to the body of the other is another one in each run.
    target: record && { type: 'warc', path: first, dedupe: false, isCassette: true },
  }
}

const wrong = (name: string, message: string): InvalidRequestError =>
  new InvalidRequestError([{ code: 'custom', path: [name], message }])

async function answer(
  index: ReplayIndex,
  { url, method, signal, limits }: FetcherRequest,
  { missing, timing }: { readonly missing: string; readonly timing: 'none' | 'recorded' },
): Promise<FetcherResponse> {
  await index.open()
  const found = method === 'GET' ? await index.findNow(url) : undefined
  if (!found) {
    if (missing === 'skip' || /^[^?#]*\/robots\.txt$/.test(url)) return { status: 404, body: '' }
    throw new Error(`The archive has no response for ${method === 'GET' ? '' : 'a form sent to '}${url}`)
  }
  const { entry, tookMs } = await index.answer(found, url, limits.bodyBytes)
  if (!('body' in entry)) throw new Error('broken' in entry ? entry.broken : 'The record holds no response of HTTP')
  if (timing === 'recorded' && tookMs > 0) await setTimeout(tookMs, undefined, { signal })
  const { statusCode, statusText, headers, lines, body } = entry
  // The body is decoded, and whole.
  const {
    'content-encoding': _coding,
    'content-length': _length,
    'transfer-encoding': _transfer,
    ...kept
  } = lines ?? headers
  return { status: statusCode, statusText, headers: kept, body }
}

/** A response, and the time that the site took. */
interface ReadResponse {
  readonly entry: ArchiveEntry
  readonly tookMs: number
}

/** A file, and how it was written last. */
interface FileState {
  readonly path: string
  readonly state: string
}

/** The responses of archives by their URL. */
class ReplayIndex {
  readonly #paths: readonly string[]
  readonly #untilMs: number
  readonly #mayBeMissing: boolean
  #opening: Promise<void> | undefined
  #tables: readonly CaptureTable[] = []
  /** The files, as they were when their indexes were read. */
  #files: readonly FileState[] = []
  /** The reason why the files cannot be read, and the files as they were. */
  #refusal: { readonly error: unknown; readonly files: readonly FileState[] } | undefined

  constructor(paths: readonly string[], untilMs: number, mayBeMissing: boolean) {
    this.#paths = paths
    this.#untilMs = untilMs
    this.#mayBeMissing = mayBeMissing
  }

  /** Reads the indexes. What cannot be read is read again by the next one who asks after its files have changed. */
  open(): Promise<void> {
    if (this.#opening) return this.#opening
    const opening = this.#loadOnce().catch((error: unknown) => {
      if (this.#opening === opening) this.#opening = undefined
      throw error
    })
    this.#opening = opening
    return opening
  }

  async #loadOnce(): Promise<void> {
    if (this.#refusal && !(await hasChanged(this.#refusal.files))) throw this.#refusal.error
    this.#refusal = undefined
    const files: FileState[] = []
    try {
      await this.#load(files)
    } catch (error) {
      // What the system fails to read may be read a moment later.
      const isRefused = error instanceof TrawlError && error.cause === undefined
      if (isRefused && files.length > 0) this.#refusal = { error, files }
      throw error
    }
  }

  /**
   * Reads the indexes, in the place of those that were read before, which stay if one cannot be read.
   *
   * @param files receives the files as they are before they are read
   */
  async #load(files: FileState[]): Promise<void> {
    // A cassette is made by its first run.
    const paths: string[] = []
    for (const path of this.#paths) if (!this.#mayBeMissing || (await isThere(path))) paths.push(path)
    const tables: CaptureTable[] = []
    for (const path of await listArchiveFiles(paths)) {
      // The index beside it may say where the responses are that it does not.
      for (const one of [path, indexPath(path)]) files.push({ path: one, state: await stateOf(one) })
      let table = new CaptureTable()
      await readIndex(path, {
        add: (one) => table.add(one, keyOf(one.url), this.#untilMs),
        restart: () => (table = new CaptureTable()),
        // What a dead process left of a cassette is mended when it is written again.
        warn: this.#mayBeMissing ? undefined : refuse,
      })
      tables.push(table)
    }
    this.#tables = tables
    this.#files = files
  }

  find(url: string): CapturePlace | undefined {
    const key = keyOf(url)
    let best: FoundCapture | undefined
    for (const table of this.#tables) {
      const found = table.find(key)
      if (found && isNewer(found.rank, best?.rank)) best = found
    }
    return best
  }

  /** Finds a response, also if it came into the files since their indexes were read: they may have been cut short at that time. */
  async findNow(url: string): Promise<CapturePlace | undefined> {
    const given = this.open()
    await given
    const found = this.find(url)
    if (found || !(await hasChanged(this.#files))) return found
    await this.#reopen(given)
    return this.find(url)
  }

  /** Reads the indexes again, unless another request has done so. @param given the reading that the asker has found to be old */
  #reopen(given: Promise<void> | undefined): Promise<void> {
    if (given === this.#opening) this.#opening = undefined
    return this.open()
  }

  /** Reads a response, also if another process has sorted the files since their indexes were read: then those are read again. */
  async answer(place: CapturePlace, url: string, bodyBytes: number): Promise<ReadResponse> {
    const given = this.#opening
    const read = await this.#read(place, url, bodyBytes).catch((error: unknown) => ({ error }))
    if ('entry' in read && !('broken' in read.entry)) return read
    const isSame = given === this.#opening && !(await hasChanged(this.#files))
    if (!isSame) {
      await this.#reopen(given)
      const again = this.find(url)
      if (again) return this.#read(again, url, bodyBytes)
    }
    if ('error' in read) throw read.error
    return read
  }

  /** Reads a response. That of a revisit record has the body of its original. */
  async #read(place: CapturePlace, url: string, bodyBytes: number): Promise<ReadResponse> {
    const options = { judge: () => undefined, wireBytes: MAX_BLOCK_BYTES, bodyBytes }
    const record = await readAt(place)
    if (!record || keyOf(targetOf(record) ?? '') !== keyOf(url))
      throw new Error('The index leads to no record of this URL')
    const tookMs = Number(record.fields.get('x-fetch-time-ms') ?? 0)
    if (record.type !== 'revisit') return { entry: await readResponse(record, options), tookMs }
    const original = await this.#originalOf(record.fields)
    if (!original) throw new Error('The record that has the body of this revisit record is not in the archive')
    const entry = await readResponse(original, options)
    const own = await readResponse({ ...record, type: 'response' }, options)
    if (!('body' in entry) || !('body' in own) || own.statusCode === 304) return { entry, tookMs }
    return { entry: { ...own, body: entry.body }, tookMs }
  }

  /** Reads the record that has the body of a revisit record. */
  async #originalOf(fields: ReadonlyMap<string, string>): Promise<ArchiveRecord | undefined> {
    const digest = fields.get('warc-payload-digest') ?? ''
    const key = keyOf(fields.get('warc-refers-to-target-uri')?.replace(/^<|>$/g, '') ?? '')
    const timeMs = readTime(fields.get('warc-refers-to-date')) ?? 0
    for (const table of digest === '' ? [] : this.#tables) {
      const place = table.findBody(digest)
      const record = place && (await readAt(place))
      const found = record?.fields.get('warc-payload-digest') ?? digest
      if (record && record.type !== 'revisit' && plainDigest(found) === plainDigest(digest)) return record
    }
    for (const table of this.#tables) {
      const place = table.findAt(key, timeMs)
      const record = place && (await readAt(place))
      if (record && record.type !== 'revisit' && keyOf(targetOf(record) ?? '') === key) return record
    }
    return undefined
  }
}

async function hasChanged(files: readonly FileState[]): Promise<boolean> {
  for (const { path, state } of files) if ((await stateOf(path)) !== state) return true
  return false
}

/** Describes which file stands at a path, and how it was written last: one that was replaced, or added to, is another, also with an old date. */
async function stateOf(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  return found ? `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}` : ''
}

/** Reads the record at a place. @throws Error for what is none */
async function readAt({ input, offset: from }: CapturePlace): Promise<ArchiveRecord | undefined> {
  for await (const record of readRecords(input, { wants: () => true, blockBytes: MAX_BLOCK_BYTES, from })) {
    if ('damage' in record) throw new Error(record.damage)
    return record
  }
  return undefined
}

/** Refuses an archive that requests would be missed in. @throws TrawlError `BAD_REQUEST` */
function refuse(problem: string): never {
  throw new TrawlError('BAD_REQUEST', `The archive cannot be replayed: ${problem}`)
}

/** Returns a URL as requests have it: written in full, without a fragment. */
function keyOf(url: string): string {
  const parsed = parseUrl(url)
  if (!parsed) return url
  parsed.hash = ''
  return parsed.href
}

/** Tests for a file, or for a folder with something in it. */
const isThere = (path: string): Promise<boolean> =>
  readdir(path).then(
    (names) => names.length > 0,
    (error: unknown) => !(error instanceof Error && 'code' in error && error.code === 'ENOENT'),
  )
