import { chunkKeyOf, sourceKeyOf } from './page-digest.js'
import type { MirrorEntry, MirrorHead, MirrorRecord, RecordChange, Summary } from './mirror-record.js'

/** Facts about the job whose changes are taken. */
export interface MirroredJob {
  readonly jobId: string
  /** Hash of the options that its pages are made with; undefined where this process has not planned the job. */
  readonly asked: string | undefined
  /**
   * Id of the earlier crawl that it compared its pages with. `null` for none, undefined where it is not known: the job ended in another
   * process.
   */
  readonly previous: string | null | undefined
}

/** End of a run. */
interface RunEnd {
  readonly summary: Summary
  /** URL of the start page of which this is a mirror from now on; undefined to leave it as it was. */
  readonly start: string | undefined
  readonly nowMs: number
}

/** Tests for a page that was announced, and of which nothing is acknowledged. */
export const isOnlyAnnounced = ({ begun, chunks = [], isKnown = false }: MirrorEntry): boolean =>
  begun !== undefined && chunks.length === 0 && !isKnown

/** Acknowledged state of a mirror, in memory and in its record. */
export class MirrorState {
  readonly record: MirrorRecord
  readonly #entries: Map<string, MirrorEntry>
  /** Keys of entries by the URLs that were asked for. */
  readonly #sources = new Map<string, string>()
  #head: MirrorHead
  /** Entries whose digests are taken when a run begins. */
  #forgotten: readonly MirrorEntry[] = []
  /** True if it had nothing when it was loaded. */
  readonly #wasEmpty: boolean

  constructor(record: MirrorRecord, head: MirrorHead, entries: readonly MirrorEntry[]) {
    this.record = record
    this.#head = head
    this.#entries = new Map(entries.map((entry) => [entry.key, entry]))
    this.#wasEmpty = entries.length === 0
    for (const { key, from } of entries) if (from !== undefined) this.#sources.set(from, key)
  }

  static async load(record: MirrorRecord): Promise<MirrorState> {
    const { head = { run: 0 }, entries } = await record.load()
    return new MirrorState(record, head, entries)
  }

  get head(): MirrorHead {
    return this.#head
  }

  get size(): number {
    return this.#entries.size
  }

  entries(): Iterable<MirrorEntry> {
    return this.#entries.values()
  }

  get(key: string): MirrorEntry | undefined {
    return this.#entries.get(key)
  }

  /** Finds the entry of a page by the URL that was asked for. */
  findAsked(url: string): MirrorEntry | undefined {
    const key = sourceKeyOf(url)
    const entry = this.#entries.get(key)
    return entry ?? this.#entries.get(this.#sources.get(key) ?? '')
  }

  /** Takes over what the target has written. */
  apply({ put = [], remove = [] }: RecordChange): void {
    for (const key of remove) {
      const { from } = this.#entries.get(key) ?? {}
      if (from !== undefined && this.#sources.get(from) === key) this.#sources.delete(from)
      this.#entries.delete(key)
    }
    for (const entry of put) {
      this.#entries.set(entry.key, entry)
      if (entry.from !== undefined) this.#sources.set(entry.from, entry.key)
    }
  }

  /** Writes a change that no target has to know of. */
  async save(change: RecordChange): Promise<void> {
    await this.record.save(change)
    this.apply(change)
  }

  /**
   * Lets the next run read pages again that the target has not, or not as they were written, and write the lists of a folder. The record
   * has it when the run has begun: before, another process may write it.
   *
   * @param lost keys of pages and chunks
   */
  forget(lost: ReadonlySet<string> = new Set()): void {
    if (lost.size === 0) return
    this.#forgotten = listLost(this.entries(), lost)
    this.apply({ put: this.#forgotten })
    const { lists: _, ...head } = this.#head
    this.#head = head
  }

  /** Begins a run. Entries that it writes are told from those of runs that were cut off. */
  async begin(jobId: string): Promise<void> {
    await this.#saveHead({ ...this.#head, run: this.#head.run + 1, jobId })
    if (this.#forgotten.length > 0) await this.record.save({ put: this.#forgotten })
    this.#forgotten = []
  }

  /**
   * Tests whether a page may be taken as the earlier crawl has left it: the mirror then has what that crawl saw of it, made with the same
   * options.
   */
  agrees(url: string, { previous, asked }: Pick<MirroredJob, 'previous' | 'asked'>): boolean {
    const { covered, coveredRun = 0, asked: had } = this.#head
    if (covered === undefined || covered !== previous || had !== asked) return false
    const entry = this.findAsked(url)
    return entry !== undefined && entry.digest !== '' && entry.run <= coveredRun
  }

  /**
   * Keeps what a run that was cut off has written apart, where a later one has not read it: the record of a crawl that did not reach a page
   * has it as an earlier one saw it.
   */
  async distrust(isUnread: (key: string) => boolean): Promise<void> {
    const { run, coveredRun = 0 } = this.#head
    const unread = [...this.#entries.values()].filter((entry) => entry.run > coveredRun && isUnread(entry.key))
    if (unread.length > 0) await this.save({ put: unread.map((entry) => ({ ...entry, run: run + 1 })) })
  }

  /**
   * Notes which pages a crawl has missed, where they stay for now.
   *
   * @param isWaiting false for a page about which the crawl says nothing
   */
  async noteMissed(
    isSeen: (key: string) => boolean,
    isWaiting: (key: string) => boolean,
    missedAt: string,
  ): Promise<void> {
    const put = [...this.#entries.values()].flatMap((entry) => {
      const { missedAt: before, ...rest } = entry
      if (isSeen(entry.key)) return before === undefined ? [] : [rest]
      return before === undefined && isWaiting(entry.key) ? [{ ...entry, missedAt }] : []
    })
    if (put.length > 0) await this.save({ put })
  }

  /**
   * Ends a run.
   *
   * The record of a crawl also has pages that it did not reach, as an earlier one has left them. The mirror agrees with it if the crawl
   * saw all of the site, or if the mirror agreed with that earlier one.
   */
  async end(job: MirroredJob, { summary, start, nowMs }: RunEnd): Promise<void> {
    const { covered: before, asked: had, run, coveredRun: _, jobId: __, ...head } = this.#head
    const isComplete = summary.gaps.length === 0
    const isFirst = this.#wasEmpty && job.previous === null
    const goesOn = job.previous !== null && job.previous === before && had === job.asked
    const covers = job.asked !== undefined && (isComplete || isFirst || goesOn)
    const syncedAt = new Date(nowMs).toISOString()
    await this.#saveHead({
      ...head,
      start: start ?? head.start,
      run,
      syncedAt,
      summary,
      asked: job.asked,
      ...(covers ? { covered: job.jobId, coveredRun: run } : {}),
      ...(isComplete ? { completeAt: syncedAt } : {}),
    })
  }

  /** Changes what is kept in the head besides. */
  async note(facts: Pick<MirrorHead, 'lists'>): Promise<void> {
    await this.#saveHead({ ...this.#head, ...facts })
  }

  async #saveHead(head: MirrorHead): Promise<void> {
    await this.record.saveHead(head)
    this.#head = head
  }
}

/** Lists the entries of pages and chunks that a target has lost, without their digests. */
function listLost(entries: Iterable<MirrorEntry>, lost: ReadonlySet<string>): MirrorEntry[] {
  return [...entries].flatMap((entry) => {
    const { key, chunks, begun = [] } = entry
    if (!chunks) return lost.has(key) ? [{ ...entry, digest: '' }] : []
    const gone = new Set(chunks.filter((digest) => lost.has(chunkKeyOf(key, digest))))
    if (gone.size === 0) return []
    const left = chunks.filter((digest) => !gone.has(digest))
    // The target may have them in another form.
    return [{ ...entry, digest: '', chunks: left, begun: [...new Set([...begun, ...gone])], isKnown: true }]
  })
}
