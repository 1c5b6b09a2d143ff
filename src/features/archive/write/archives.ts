import type { Exchange, ExchangeObserver } from '../../../base/http/observe-exchanges.js'
import type { JobHooks, JobView } from '../../../kernel/job/job-hooks.js'
import type { Ending, LedgerRow } from '../../../kernel/ledger/ledger.js'
import type { Document } from '../../../kernel/page/document.js'
import type { FeaturePage } from '../../../kernel/page/feature-page.js'
import type { PageInternals } from '../../../kernel/page/feature-steps.js'
import { ArchiveWriter } from './archive-writer.js'
import { type ArchiveTarget, readTarget } from './archive-target.js'
import { packWacz, WaczPages, partsOf } from './pack-wacz.js'

/** Slice of a page whose responses are archived. Plain data, which other engines have too: they have no such archive open. */
export interface PageSlice {
  /** Name of the archive. */
  readonly key: string
  /** True if a page that came from elsewhere than the network, such as the cache, is written as well. */
  readonly isWhole: boolean
}

/** Slice of a job that is archived. */
export interface ArchiveSlice {
  readonly target: ArchiveTarget
  /** Options of the job that say nothing of who asks. */
  readonly options: Readonly<Record<string, unknown>>
}

/** An archive that is open, with its list of pages if it is a WACZ. */
interface OpenArchive {
  readonly writer: ArchiveWriter
  readonly pages: WaczPages | undefined
}

/** The archives that an engine writes. */
export class Archives implements ExchangeObserver {
  isActive: boolean
  readonly #now: () => number
  readonly #own: ArchiveTarget | undefined
  readonly #open = new Map<string, OpenArchive>()
  /** Pages of jobs that this engine has read, until their jobs have recorded them. */
  readonly #read = new Set<string>()
  /** Pages that are done and not noted yet, by the ids of their jobs. */
  readonly #done = new Map<string, DonePages>()

  constructor(own: string | ArchiveTarget | undefined, now: () => number) {
    this.#now = now
    this.#own = own === undefined ? undefined : readTarget(own)
    this.isActive = own !== undefined
  }

  /** Opens an archive, once. */
  #archiveOf(target: ArchiveTarget): OpenArchive {
    const key = keyOf(target)
    const known = this.#open.get(key)
    if (known) return known
    const isWacz = target.type === 'wacz'
    const writer = isWacz
      ? new ArchiveWriter({ ...target, path: partsOf(target.path) }, this.#now, target.path)
      : new ArchiveWriter(target, this.#now)
    const opened = { writer, pages: isWacz ? new WaczPages(target.path) : undefined }
    this.#open.set(key, opened)
    this.isActive = true
    return opened
  }

  observe(exchange: Exchange): void {
    const { recorder } = exchange
    if (this.#own) this.#archiveOf(this.#own).writer.write(exchange)
    const own = this.#own && keyOf(this.#own)
    if (recorder !== undefined && recorder !== own) this.#open.get(recorder)?.writer.write(exchange)
    // The robots.txt of a site is read once for all jobs, and is part of each that is archived.
    else if (recorder === undefined && /^\/robots\.txt$/.test(exchange.url.pathname))
      for (const [key, { writer }] of this.#open) if (key !== own) writer.write(exchange)
  }

  /** Waits until a page is written, if it is one of an archive here, and warns if it cannot be. */
  async settlePage(page: FeaturePage<PageSlice>, { fetched }: PageInternals): Promise<void> {
    const { slice } = page
    const own = this.#own && keyOf(this.#own) === slice.key ? this.#archiveOf(this.#own) : undefined
    const writer = (own ?? this.#open.get(slice.key))?.writer
    if (!writer) return
    this.#read.add(page.url)
    if (slice.isWhole && !writer.has(fetched.url)) writer.writeHeld(fetched)
    await writer.flush()
    if (writer.failure !== undefined) page.warn(`${writer.failure}.`)
  }

  /** Opens the hooks of a job. */
  openJob({ id, slice, warn }: JobView<ArchiveSlice>): JobHooks {
    const archive = (): OpenArchive => this.#archiveOf(slice.target)
    // An exchange names its archive, which is opened before the first one.
    archive()
    const settle = async (): Promise<void> => {
      const { writer } = archive()
      await writer.flush()
      if (writer.failure !== undefined) warn(`${writer.failure}.`)
    }
    return {
      begin: () => archive().writer.note(`urn:trawl:job:${id}`, { jobId: id, options: slice.options }),
      // Before the ledger records it: after a crash the archive has each page that the ledger has.
      ended: async (row, ending) => {
        const { writer, pages } = archive()
        const isHere = this.#read.delete(row.url)
        if (ending.outcome === 'done' && !isHere) warn(NOT_HERE)
        if (ending.outcome === 'done') this.#noteDone(id, writer, row)
        else writer.note(row.url, describeEnding(id, row, ending))
        if (ending.outcome === 'done') await pages?.add(row.url, ending.documents[0] ?? {}, this.#now())
        await settle()
        return undefined
      },
      conclude: async () => {
        this.#flushDone(id)
        await settle()
      },
    }
  }

  /** Notes that a page is done, with many others: a record for each took a fifth of what an unchanged page adds to an archive. */
  #noteDone(id: string, writer: ArchiveWriter, { url, depth, via }: LedgerRow): void {
    const done: DonePages = this.#done.get(id) ?? { writer, pages: [] }
    done.pages.push({ url, depth, via })
    this.#done.set(id, done)
    if (done.pages.length >= DONE_PER_RECORD) this.#flushDone(id)
  }

  #flushDone(id: string): void {
    const done = this.#done.get(id)
    this.#done.delete(id)
    done?.writer.note(`urn:trawl:job:${id}`, { jobId: id, outcome: 'done', pages: done.pages })
  }

  async close(): Promise<void> {
    for (const id of this.#done.keys()) this.#flushDone(id)
    for (const [, { writer }] of this.#open) {
      await writer.close()
    }
    for (const { pages, writer } of this.#open.values())
      if (pages && writer.failure === undefined) await packWacz(pages.path, this.#now())
    this.#open.clear()
  }
}

/** Pages of a job that are done, to be noted in one record. */
interface DonePages {
  readonly writer: ArchiveWriter
  readonly pages: Pick<LedgerRow, 'url' | 'depth' | 'via'>[]
}

/** Number of pages whose outcome is written at once. Pages themselves, and what failed or was skipped, are written before the ledger has them. */
const DONE_PER_RECORD = 100

const NOT_HERE =
  'Pages were read by engines on other machines, or are known from an earlier job: their responses are not in the archive.'

/** Identifies an archive: the name of its recorder. */
export const keyOf = ({ type, path }: ArchiveTarget): string => `${type} ${path}`

/** Describes the outcome of a page for its metadata record. */
function describeEnding(jobId: string, row: LedgerRow, ending: Ending<Document>): object {
  const { depth, via } = row
  const facts = { jobId, outcome: ending.outcome, depth, via }
  return { ...facts, ...describeReason(ending) }
}

const describeReason = (ending: Ending<Document>): object => {
  if (ending.outcome === 'failed') return { code: ending.code, reason: ending.error }
  return ending.outcome === 'skipped' ? { code: ending.refusal.reason, reason: ending.refusal.message } : {}
}
