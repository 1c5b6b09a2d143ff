import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { messageOf } from '../../../base/errors.js'
import { parseUrl } from '../../../base/url.js'
import type { FetchedPage } from '../../../kernel/fetch/fetched-page.js'
import { VERSION } from '../../../base/runtime/version.js'
import { RecentMap } from '../../../base/collections/recent-map.js'
import type { Exchange } from '../../../base/http/observe-exchanges.js'
import { listArchiveFiles, listRolled } from '../read/list-records.js'
import type { IndexFacts } from '../read/cdxj.js'
import { readIndex } from '../read/read-index.js'
import { ArchiveFile } from './archive-file.js'
import { type ArchiveTarget, type CassetteTarget, MAX_FILE_BYTES } from './archive-target.js'
import {
  cassetteIds,
  type KnownBody,
  type MadeRecord,
  makeExchange,
  type MakeId,
  makeWarcinfo,
  makeMetadata,
  targetUrl,
} from './make-records.js'
import { SCRUB_RULE } from './scrub.js'
import { sortCassette } from './sort-cassette.js'

/** Number of bodies that are remembered, to write them once: 200 bytes each. A body that is forgotten is written again. */
const MAX_KNOWN_BODIES = 500_000
/** Number of URLs that are remembered, to tell pages that came from elsewhere. One that is forgotten is written again. */
const MAX_WRITTEN_PAGES = 100_000
/** Bytes of records that may wait for the disk; pages wait for it beyond. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

/** Writes an archive: exchanges in the order in which they end, one after the other. */
export class ArchiveWriter {
  readonly target: ArchiveTarget
  readonly #now: () => number
  readonly #packed: string | undefined
  readonly #makeId: MakeId | undefined
  #known = new RecentMap<string, KnownBody>(MAX_KNOWN_BODIES)
  readonly #written = new RecentMap<string, true>(MAX_WRITTEN_PAGES)
  #file: ArchiveFile | undefined
  #number = 0
  #writing: Promise<void> = Promise.resolve()
  #waitingBytes = 0
  #failure: string | undefined
  #isClosed = false

  /** @param packed the WACZ that it will be packed into, whose bodies need not be written again */
  constructor(target: ArchiveTarget | CassetteTarget, now: () => number, packed?: string) {
    this.#makeId = 'isCassette' in target ? cassetteIds() : undefined
    this.target = target
    this.#now = now
    this.#packed = packed
  }

  /** Reason why something could not be written; undefined while all was. */
  get failure(): string | undefined {
    return this.#failure
  }

  /** True while the disk is far behind. */
  get isBehind(): boolean {
    return this.#waitingBytes > MAX_WAITING_BYTES
  }

  /** Writes an exchange. */
  write(exchange: Exchange & { readonly isHeld?: boolean }): void {
    const { response, url, method } = exchange
    if (exchange.isPrivate && this.target.keepCredentials !== true) return
    if (response?.isWhole && response.statusCode !== 304 && method === 'GET') this.#written.set(targetUrl(url), true)
    const bytes = response?.body.reduce((sum, { length }) => sum + length, 0) ?? 0
    this.#waitingBytes += bytes
    this.#enqueue(async () => {
      this.#waitingBytes -= bytes
      const { keepCredentials = false, dedupe = true } = this.target
      await this.#open()
      const made = makeExchange(exchange, {
        keepCredentials,
        isHeld: exchange.isHeld,
        makeId: this.#makeId,
        findBody: (digest) => (dedupe === false ? undefined : this.#known.get(digest)),
      })
      await this.#append(made)
      for (const { index } of made) if (index) this.#remember(index)
    })
  }

  /** Tests whether the response of a page was written since the archive was opened. */
  has(url: string): boolean {
    const parsed = parseUrl(url)
    return parsed !== undefined && this.#written.get(targetUrl(parsed)) === true
  }

  /** Writes a page that was not received now, but was held: by the cache, or by a fetcher in the place of the network. */
  writeHeld({ url, statusCode, error = '', headers, body, fetchedAtMs, fetcher }: FetchedPage): void {
    const parsed = parseUrl(url)
    if (!parsed) return
    this.note(url, {
      outcome: 'held',
      reason: 'the page was not requested now: its response is as it was held',
      fetcher,
    })
    this.write({
      url: parsed,
      method: 'GET',
      requestHeaders: {},
      sentAtMs: fetchedAtMs,
      tookMs: 0,
      isHeld: true,
      response: {
        statusCode,
        statusText: error,
        headers,
        setCookies: [],
        body: [body],
        isWhole: true,
        isDecoded: true,
      },
    })
  }

  /** Writes what is known about a URL. */
  note(url: string, facts: object): void {
    this.#enqueue(async () => {
      await this.#open()
      await this.#append([{ bytes: makeMetadata(url, this.#now(), facts, this.#makeId) }])
    })
  }

  /** Waits until all that was given is written. Never rejects. */
  async flush(): Promise<void> {
    await this.#writing
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    await this.#closeFile().catch((error: unknown) => this.#fail(error))
  }

  async #closeFile(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if ((await file?.close()) && file && this.#makeId) await sortCassette(file.path)
  }

  #enqueue(work: () => Promise<void>): void {
    if (this.#isClosed) return
    this.#writing = this.#writing.then(work).catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    this.#failure ??= `The archive \`${this.target.path}\` could not be written: ${messageOf(error)}`
  }

  async #append(made: readonly MadeRecord[]): Promise<void> {
    const { maxBytes = MAX_FILE_BYTES } = this.target
    if (this.#file && this.#file.bytes >= maxBytes) await this.#roll()
    // Another process may write the same archive: then each has files of its own.
    while (this.#file && !(await this.#file.append(made))) await this.#roll()
  }

  /** Opens the last file of the archive, or its first one, and reads which bodies it has. */
  async #open(): Promise<void> {
    if (this.#file) return
    this.#number = await findLast(this.target.path)
    const { dedupe = true } = this.target
    const earlier = typeof dedupe === 'boolean' ? [] : [dedupe].flat()
    if (dedupe !== false) {
      const earlierOwn = Array.from({ length: this.#number }, (_, number) => fileName(this.target.path, number))
      const own = await keepThere([...earlierOwn, ...(this.#packed === undefined ? [] : [this.#packed])])
      for (const path of [...(await listArchiveFiles(earlier)), ...own]) {
        await readIndex(path, {
          add: (line) => this.#remember(line),
          // Which of the bodies that are known stand there is not known any more.
          restart: () => (this.#known = new RecentMap<string, KnownBody>(MAX_KNOWN_BODIES)),
        })
      }
    }
    await this.#openFile()
  }

  /** Goes on in a new file. */
  async #roll(): Promise<void> {
    await this.#closeFile()
    for (;;) {
      this.#number += 1
      try {
        await this.#openFile({ isNew: true })
        return
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
      }
    }
  }

  async #openFile(how: { readonly isNew?: boolean } = {}): Promise<void> {
    const path = fileName(this.target.path, this.#number)
    const add = (line: IndexFacts): void => (this.target.dedupe === false ? undefined : this.#remember(line))
    const file = await ArchiveFile.open(path, { ...how, add })
    this.#file = file
    if (file.bytes > 0) return
    const facts = {
      software: `trawl/${VERSION}`,
      format: 'WARC File Format 1.1',
      conformsTo: 'https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/',
      credentials: this.target.keepCredentials ? 'kept' : SCRUB_RULE,
      requests: 'a revisit record without a request had that of the record that it refers to, byte for byte',
    }
    if (!(await file.append([{ bytes: makeWarcinfo(basename(path), this.#now(), facts, this.#makeId) }])))
      await this.#roll()
  }

  #remember({ url, date, mime, digest, status, request }: IndexFacts): void {
    if (mime !== 'warc/revisit' && digest !== '' && status > 0) this.#known.set(digest, { url, date, request })
  }
}

const isFile = (path: string): boolean => /\.warc(?:\.gz)?$/i.test(path)

/** Returns the path of a file of an archive by its number, from 0. */
export function fileName(path: string, number: number): string {
  if (!isFile(path)) return join(path, `archive-${String(number).padStart(5, '0')}.warc.gz`)
  return number === 0 ? path : path.replace(/(\.warc(?:\.gz)?)$/i, `-${String(number).padStart(5, '0')}$1`)
}

/** Finds the number of the last file of an archive. */
async function findLast(path: string): Promise<number> {
  const rolled = await listRolled(isFile(path) ? path : join(path, 'archive.warc.gz'))
  return Number(/-(\d{5})\.warc(?:\.gz)?$/i.exec(rolled.at(-1) ?? '')?.[1] ?? 0)
}

/** Returns the paths of those files that are there. */
async function keepThere(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size > 0,
        () => false,
      ),
    ),
  )
  return paths.filter((_, at) => found[at])
}
