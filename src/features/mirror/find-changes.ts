import { TrawlError } from '../../base/errors.js'
import { MAX_EMBED_TEXTS } from '../../base/llm/embedder.js'
import type { LinkedChunk } from '../../content/convert/formats/chunks.js'
import type { JobOutcome } from '../../kernel/job/job-hooks.js'
import { judgeStatus } from '../../kernel/job/site-coverage.js'
import type { Document } from '../../kernel/page/document.js'
import { CONFIRMED_AFTER_MS, findGaps, type Gaps } from './find-gaps.js'
import type {
  ChunkChange,
  MirrorChange,
  MirroredPages,
  MirrorFailure,
  MirrorSummary,
  MirrorUnit,
} from './mirror-change.js'
import type { MirrorEntry, RecordChange } from './mirror-record.js'
import { isOnlyAnnounced, type MirroredJob, type MirrorState } from './mirror-state.js'
import {
  chunkKeyOf,
  contentOf,
  describeMetadata,
  digestChunks,
  digestPage,
  pageKeyOf,
  sourceKeyOf,
} from './page-digest.js'

/** A change, and what the record has after it. */
export interface MirrorStep {
  readonly change: MirrorChange
  /** Change of the record that is saved with it. The target may complete it. */
  saved: RecordChange
  /** Entry of a new item before it is written: a process that dies then leaves it in the target. */
  readonly announced?: MirrorEntry
  /** Chunks of the same page that are put after this one, the first of them: a target embeds them in one call. */
  readonly following?: readonly LinkedChunk[]
}

/** A crawl whose changes are found. */
export interface ReadJob extends AsyncIterable<Document> {
  readonly request: object
  finished(): Promise<JobOutcome>
  /** Lists pages that failed. */
  errors?(): Promise<{ readonly errors: readonly PageFailure[] }>
}

interface PageFailure {
  readonly url: string
  readonly code: string
  readonly error: string
}

/** Settings of a run. */
interface RunOptions {
  readonly unit: MirrorUnit
  readonly maxRemoved: number
  /** True if a change and its record are not written together. @default false */
  readonly announces?: boolean | undefined
  readonly now: () => number
  /** Facts about the job, once it has ended. */
  readonly describe: () => MirroredJob
}

/** A page that may be one that has moved, with its row in the order of delivery. */
interface HeldPage {
  readonly key: string
  readonly digest: string
}

/** Makes the summary of a run that has found nothing yet. */
export const emptySummary = (): MirrorSummary => ({
  new: 0,
  changed: 0,
  moved: 0,
  removed: 0,
  unchanged: 0,
  failed: 0,
  kept: 0,
  gaps: [],
})

/** Finds the changes of a site since what a mirror has acknowledged, from the documents of a crawl. */
export class ChangeFinder {
  readonly summary = emptySummary()
  readonly #job: ReadJob
  readonly #state: MirrorState
  readonly #options: RunOptions
  /** Keys of entries by the digest of their content, of what the mirror had. */
  readonly #byDigest = new Map<string, string[]>()
  /** Keys of pages that the site has, or may have. */
  readonly #seen = new Set<string>()
  /** Keys of pages of the mirror that answered 404 or 410. A broken site answers so for all of them: the end of the crawl decides. */
  readonly #gone = new Set<string>()
  readonly #held = new Map<string, HeldPage>()
  readonly #start: string
  /** The first pages that answered with an error. */
  readonly #failures: MirrorFailure[] = []
  #lacksStart = false
  #failing = 0
  #pages = 0

  constructor(job: ReadJob, state: MirrorState, options: RunOptions) {
    this.#job = job
    this.#state = state
    this.#options = options
    const { url = '' } = job.request as { readonly url?: string }
    this.#start = sourceKeyOf(url)
    for (const { key, digest, chunks } of state.entries()) {
      if ((chunks !== undefined) !== (options.unit === 'chunk'))
        throw new TrawlError(
          'BAD_REQUEST',
          `the mirror has ${chunks ? 'chunks' : 'pages'}: take the others under another name`,
        )
      const keys = this.#byDigest.get(digest)
      if (keys) keys.push(key)
      else this.#byDigest.set(digest, [key])
    }
  }

  /**
   * Yields each change. It is acknowledged when the next one is asked for: whoever takes it has written the step's `saved` by then.
   *
   * @throws the error of the job's loop where it has not ended, as when its engine is closed
   */
  async *steps(): AsyncGenerator<MirrorStep, void, void> {
    const had = this.#state.size
    let fault: unknown
    try {
      for await (const document of this.#job) {
        const steps = this.#read(document)
        if (steps) yield* this.#acknowledge(steps)
      }
    } catch (error) {
      fault = error
    }
    // It may go on elsewhere, or in a later process: then nothing has ended.
    if (fault !== undefined && isUnfinished(fault)) throw fault
    const status = await this.#job.finished()
    const nowMs = this.#options.now()
    const { waits, keepsGone, sawScope } = yield* this.#conclude(status, { had, nowMs })
    this.summary.failed = status.failed + this.#failing
    if (this.summary.failed > 0) this.summary.failures = await this.#listFailures(status)
    const isWaiting = (key: string): boolean => (this.#gone.has(key) ? keepsGone : waits)
    await this.#state.noteMissed((key) => this.#seen.has(key), isWaiting, new Date(nowMs).toISOString())
    if (this.summary.gaps.length > 0) await this.#state.distrust((key) => !this.#seen.has(key))
    const start = sawScope ? this.#start : undefined
    // What names pages is for the caller: the record has the numbers.
    const { pages: _, failures: __, ...summary } = this.summary
    await this.#state.end(this.#options.describe(), { summary, start, nowMs })
    if (fault !== undefined) throw fault
  }

  async *#acknowledge(steps: AsyncGenerator<MirrorStep, void, void>): AsyncGenerator<MirrorStep, void, void> {
    for await (const step of steps) {
      if (this.#options.announces === true && step.announced) await this.#state.save({ put: [step.announced] })
      yield step
      this.#state.apply(step.saved)
    }
  }

  /** Reads a page of the crawl. @returns its changes; undefined where there can be none: most pages of a site are unchanged */
  #read(document: Document): AsyncGenerator<MirrorStep, void, void> | undefined {
    const { metadata, changeTracking } = document
    const { statusCode, url, sourceURL } = metadata
    const key = pageKeyOf(document)
    const source = sourceURL === url ? key : sourceKeyOf(sourceURL)
    // Nothing links to it any more: a crawl without a memory would not have found it.
    if (changeTracking?.visibility === 'hidden') return undefined
    const verdict = judgeStatus(statusCode)
    if (verdict === 'gone') {
      if (source === this.#start) this.#lacksStart = true
      for (const one of [key, source]) this.#gone.add(one)
      return undefined
    }
    if (verdict === 'unread') {
      this.#failing += 1
      if (this.#failures.length < MAX_NAMED) this.#failures.push({ url: sourceURL, reason: String(statusCode) })
      for (const one of [key, source]) this.#keep(this.#state.findAsked(one)?.key ?? one)
      return undefined
    }
    if (this.#seen.has(key)) return undefined
    this.#pages += 1
    const isUnread = changeTracking?.changeStatus === 'same' && Object.keys(contentOf(document)).length === 0
    if (!isUnread) return this.#compare(document, key, source)
    const entry = this.#state.get(key) ?? this.#state.findAsked(source)
    if (!entry) throw new Error(`${key} is unchanged, and the mirror does not have it`)
    this.#keep(entry.key)
    this.summary.unchanged += 1
    return undefined
  }

  async #listFailures({ failed }: JobOutcome): Promise<MirrorFailure[]> {
    const { errors = [] } = failed === 0 ? {} : ((await this.#job.errors?.()) ?? {})
    const failures = errors
      .filter(({ code }) => code !== 'CRAWL_DENIAL' && code !== 'SCRAPE_JOB_CANCELLED')
      .map(({ url, code, error }) => ({ url, reason: `${code}: ${error}` }))
    return [...failures, ...this.#failures].slice(0, MAX_NAMED)
  }

  #keep(key: string): void {
    this.#seen.add(key)
  }

  /** Compares a page that was read with what the mirror has. */
  async *#compare(document: Document, key: string, source: string): AsyncGenerator<MirrorStep, void, void> {
    this.#keep(key)
    const digest = digestPage(document)
    const known = this.#state.get(key)
    const asked = source === key ? {} : { from: source }
    if (known && known.digest === digest) {
      this.summary.unchanged += 1
      const { from, ...rest } = known
      if (from !== asked.from) await this.#state.save({ put: [{ ...rest, ...asked }] })
      return
    }
    const moved = known || source === key || this.#seen.has(source) ? undefined : this.#state.get(source)
    if (known || moved) {
      yield* this.#put(document, { digest, previous: known ?? moved })
      return
    }
    const isCopy = this.#byDigest.get(digest)?.some((one) => !this.#seen.has(one) && this.#state.get(one)) === true
    if (isCopy) this.#held.set(key, { key, digest })
    else yield* this.#put(document, { digest })
  }

  async *#put(
    document: Document,
    { digest, previous }: { digest: string; previous?: MirrorEntry },
  ): AsyncGenerator<MirrorStep, void, void> {
    const key = pageKeyOf(document)
    const source = sourceKeyOf(document.metadata.sourceURL)
    const isMove = previous !== undefined && previous.key !== key
    const isNew = previous === undefined || (!isMove && isOnlyAnnounced(previous))
    if (isNew) notePage(this.summary, 'new', key)
    else if (isMove) notePage(this.summary, 'moved', { from: previous.key, to: key })
    else notePage(this.summary, 'changed', key)
    const entry: MirrorEntry = {
      key,
      digest,
      run: this.#state.head.run,
      from: source === key ? undefined : source,
      ...describeMetadata(document),
    }
    if (this.#options.unit === 'chunk') {
      yield* this.#putChunks(document, entry, previous)
      return
    }
    const saved: RecordChange = {
      put: [{ ...entry, stored: previous?.stored }],
      remove: isMove ? [previous.key] : undefined,
    }
    const item = isNew ? undefined : { key: previous.key, url: previous.key }
    const change: MirrorChange =
      item && isMove
        ? { op: 'move', key, page: document, previous: item }
        : { op: 'put', key, page: document, ...(item && { previous: item }) }
    yield { change, saved, announced: isNew || isMove ? { ...entry, digest: '', begun: [] } : undefined }
  }

  /** Puts the chunks of a page that the mirror does not have, then deletes those that the page no longer has. */
  async *#putChunks(
    document: Document,
    entry: MirrorEntry,
    previous: MirrorEntry | undefined,
  ): AsyncGenerator<MirrorStep, void, void> {
    const { key } = entry
    const url = key
    const chunks: readonly LinkedChunk[] = document.chunks ?? []
    const digests = digestChunks(chunks)
    const isMove = previous !== undefined && previous.key !== key
    const old = { chunks: previous?.chunks ?? [], begun: previous?.begun ?? [] }
    const isKnown = isMove ? undefined : previous?.isKnown
    /** Digests of the chunks that the target has, or may have, where the page was. */
    const left = new Set([...old.chunks, ...old.begun])
    /** Digests of the chunks that the mirror has under this page, and of those that were announced. */
    const [present, begun] = isMove ? [new Set<string>(), new Set<string>()] : [new Set(old.chunks), new Set(old.begun)]
    const wanted = new Set(digests)
    const steps: { change: ChunkChange; apply: () => void; digest?: string }[] = []
    for (const [index, digest] of digests.entries()) {
      const chunk = chunks[index]
      if (!chunk || present.has(digest)) continue
      const put = { key: chunkKeyOf(key, digest), chunk: { ...chunk, url } }
      const before = isMove && old.chunks.includes(digest) ? previous.key : undefined
      const change: ChunkChange =
        before === undefined
          ? { op: 'put', ...put }
          : { op: 'move', ...put, previous: { key: chunkKeyOf(before, digest), url: before } }
      const apply = (): void => {
        present.add(digest)
        begun.delete(digest)
        if (before !== undefined) left.delete(digest)
      }
      steps.push({ change, apply, digest })
    }
    const origin = previous?.key ?? key
    for (const digest of left) {
      // One that moves is no longer there, and one that was only announced cannot move.
      if (wanted.has(digest) && (!isMove || old.chunks.includes(digest))) continue
      const gone = chunkKeyOf(origin, digest)
      const apply = (): void => {
        for (const set of isMove ? [left] : [present, begun]) set.delete(digest)
      }
      steps.push({ change: { op: 'delete', key: gone, previous: { key: gone, url: origin } }, apply })
    }
    const soFar = (also: readonly string[] = []): MirrorEntry =>
      withBegun({ ...entry, digest: '', chunks: [...present], isKnown }, [...begun, ...also])
    for (const [index, { change, apply, digest }] of steps.entries()) {
      const announced = digest === undefined ? undefined : soFar([digest])
      apply()
      const isLast = index === steps.length - 1
      const own = isLast ? { ...entry, chunks: digests } : soFar()
      const [kept, doubted] = [old.chunks, old.begun].map((all) => all.filter((one) => left.has(one)))
      const rest = isMove && !isLast ? [withBegun({ ...previous, digest: '', chunks: kept ?? [] }, doubted)] : []
      const following = change.op === 'put' ? chunksFrom(steps, index + 1) : undefined
      yield {
        change,
        following,
        saved: { put: [own, ...rest], remove: isMove && isLast ? [previous.key] : undefined },
        announced,
      }
    }
    if (steps.length === 0)
      await this.#state.save({ put: [{ ...entry, chunks: digests }], remove: isMove ? [previous.key] : undefined })
  }

  async *#remove(entry: MirrorEntry): AsyncGenerator<MirrorStep, void, void> {
    notePage(this.summary, 'removed', entry.key)
    const { key, chunks = [], begun = [] } = entry
    if (this.#options.unit === 'page') {
      yield { change: { op: 'delete', key, previous: { key, url: key } }, saved: { remove: [key] } }
      return
    }
    const all = [...chunks, ...begun]
    for (const [index, digest] of all.entries()) {
      const gone = chunkKeyOf(key, digest)
      const left = index + 1
      const rest = withBegun(
        { ...entry, digest: '', chunks: chunks.slice(left) },
        all.slice(Math.max(left, chunks.length)),
      )
      const saved = left === all.length ? { remove: [key] } : { put: [rest] }
      yield { change: { op: 'delete', key: gone, previous: { key: gone, url: key } }, saved }
    }
    if (all.length === 0) await this.#state.save({ remove: [key] })
  }

  /** Decides about what was not found or is gone, when the job has ended. */
  async *#conclude(
    status: JobOutcome,
    { had, nowMs }: { readonly had: number; readonly nowMs: number },
  ): AsyncGenerator<MirrorStep, Omit<Gaps, 'gaps'>, void> {
    const missing = [...this.#state.entries()].filter(({ key }) => !this.#seen.has(key))
    const unseen = missing.map(({ key }) => key)
    const moves = this.#pairMoves(new Set(unseen))
    const moved = new Set(moves.values())
    const { gaps, ...verdict } = this.#judge(
      status,
      missing.filter(({ key }) => !moved.has(key)),
      { had, nowMs },
    )
    this.summary.gaps.push(...gaps)
    const isWhole = this.summary.gaps.length === 0
    if (this.#held.size > 0)
      for await (const document of this.#job) {
        const held = this.#held.get(pageKeyOf(document))
        if (!held || judgeStatus(document.metadata.statusCode) !== 'page') continue
        this.#held.delete(held.key)
        const from = isWhole ? moves.get(held.key) : undefined
        const previous = from === undefined ? undefined : this.#state.get(from)
        yield* this.#acknowledge(this.#put(document, { digest: held.digest, previous }))
      }
    for (const key of unseen.toSorted()) {
      const entry = this.#state.get(key)
      if (!entry) continue
      const isRemoved = this.#gone.has(key) ? !verdict.keepsGone : isWhole
      if (isRemoved) yield* this.#acknowledge(this.#remove(entry))
      else notePage(this.summary, 'kept', key)
    }
    return verdict
  }

  /** Judges whether pages that are missing are believed to be so. */
  #judge(
    status: JobOutcome,
    lost: readonly MirrorEntry[],
    { had, nowMs }: { readonly had: number; readonly nowMs: number },
  ): Gaps {
    const { start: before = this.#start } = this.#state.head
    const atMs = ({ missedAt }: MirrorEntry): number =>
      (missedAt === undefined ? nowMs : Date.parse(missedAt)) + CONFIRMED_AFTER_MS
    const doubted = lost.filter((entry) => atMs(entry) > nowMs)
    const gone = lost.filter(({ key }) => this.#gone.has(key))
    const facts = {
      status,
      failing: this.#failing,
      lacksStart: this.#lacksStart || this.#pages === 0,
      otherStart: before === this.#start ? undefined : before,
      pages: this.#pages,
      unseen: lost.length - gone.length,
      gone: gone.length,
      had,
      doubted: doubted.length,
      doubtedGone: gone.filter((entry) => atMs(entry) > nowMs).length,
      confirmedAtMs: doubted.reduce((latest, entry) => Math.max(latest, atMs(entry)), nowMs),
    }
    return findGaps(facts, this.#options.maxRemoved)
  }

  /** Finds the page that each one that was held has been, in the order of their URLs. */
  #pairMoves(unseen: ReadonlySet<string>): Map<string, string> {
    const taken = new Set<string>()
    const moves = new Map<string, string>()
    for (const { key, digest } of [...this.#held.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))) {
      const before = this.#byDigest.get(digest)?.find((one) => unseen.has(one) && !taken.has(one))
      if (before === undefined) continue
      taken.add(before)
      moves.set(key, before)
    }
    return moves
  }
}

/** The chunks that are put from a step on, as many as are embedded at once. */
const chunksFrom = (steps: readonly { readonly change: ChunkChange }[], from: number): LinkedChunk[] =>
  steps.slice(from, from + MAX_EMBED_TEXTS - 1).flatMap(({ change }) => (change.op === 'put' ? [change.chunk] : []))

/** Tests for the error of a job that has not ended. */
const isUnfinished = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENGINE_CLOSED' || error.code === 'JOB_NOT_FOUND')

/** Gives an entry the digests of chunks that were announced; none for an empty list. */
function withBegun({ begun: _, ...entry }: MirrorEntry, begun: readonly string[] = []): MirrorEntry {
  return begun.length === 0 ? entry : { ...entry, begun }
}

/** Pages of a kind that a summary names. */
const MAX_NAMED = 100

/** Counts a page in a summary, and names it there, unless there are too many. */
function notePage<Kind extends keyof MirroredPages>(
  summary: MirrorSummary,
  kind: Kind,
  page: NonNullable<MirroredPages[Kind]>[number],
): void {
  summary[kind] += 1
  summary.pages ??= {}
  const named: unknown[] = (summary.pages[kind] ??= [])
  if (named.length < MAX_NAMED) named.push(page)
}
