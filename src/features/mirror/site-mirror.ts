import { isObject } from '../../base/collections/is-object.js'
import { checkArgument, checkOptions, objectWithMethods, type Rule } from '../../base/runtime/check-options.js'
import { compact } from '../../base/collections/compact.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import type { RecentMap } from '../../base/collections/recent-map.js'
import { InvalidRequestError } from '../../base/errors.js'
import { type AnyJob, createPageCalls, type EngineParts } from '../../kernel/engine/entry-points.js'
import { validatorsOf } from '../../kernel/cache/revalidate.js'
import { AssetFetcher } from '../../kernel/job/run/asset-fetcher.js'
import { packRequest } from '../../kernel/job/stored-request.js'
import { itemType } from '../../kernel/options/fields/formats.js'
import type { CrawlRequest } from '../../kernel/options/crawl-options.js'
import { ChangeFinder } from './find-changes.js'
import { MAX_REMOVED, SHARE_RULE } from './find-gaps.js'
import type { Mirror, MirrorCheck, MirrorOptions, MirrorStatus, VerifyOptions } from './mirror.js'
import type { MirrorSummary } from './mirror-change.js'
import { isOnlyAnnounced, type MirroredJob, MirrorState } from './mirror-state.js'
import type { MirrorEntry, MirrorRecord } from './mirror-record.js'
import type { MirrorFault, MirrorTarget, OpenTarget, TargetParts } from './mirror-target.js'
import type { OpenRecords } from './open-records.js'
import { sourceKeyOf } from './page-digest.js'
import { compareSample } from './compare-sample.js'

/** Parts of an engine that its mirrors use. */
interface MirrorTools extends EngineParts {
  readonly records: OpenRecords
  /** States of mirrors that are synchronized, for the hooks of their jobs. */
  readonly running: Map<string, MirrorState>
  /** Begins a run over the changes of a mirror, alone. @returns a function that ends it. @throws TrawlError `BAD_REQUEST` where another has begun */
  readonly enter: (name: string) => () => void
  /** The last call that opens each target: an open one would take the files of another that are being written for those of a dead process. */
  readonly turns: Map<string, Promise<unknown>>
  /** Keys of what `verify()` has found missing or changed, by the name of the mirror: the next run puts it back. */
  readonly lost: RecentMap<string, ReadonlySet<string>>
  readonly describe: (jobId: string) => MirroredJob
}

/** Parts of a mirror. */
interface MirrorParts {
  readonly request: CrawlRequest
  readonly target: MirrorTarget
  readonly options: MirrorOptions
}

const TWO_MIRRORS =
  'A crawl from the same start page as the one before removes what it does not find: give each of two mirrors a target of its own.'

const ENDS_WITH_ENGINE =
  'Another one writes all of it again, and deletes nothing of it: set `ledger: sqlite(file)` or `snapshots` to keep it.'

/** Keys of pages and chunks that are kept for the next run. Another `verify()` finds the others. */
const MAX_LOST = 100_000

/** Allows what is checked as a crawl later. */
const REQUEST_RULE: Rule = { allowed: 'an object with `url`', accepts: isObject }

const TARGET_RULE = objectWithMethods('a target, such as `mirrorTo(folder)`', 'open')

/** Work on an open target. */
type ActOnTarget<Result> = (target: OpenTarget, state: MirrorState) => Promise<Result>

/** The mirror of a site in a target. */
export class SiteMirror implements Mirror {
  readonly #tools: MirrorTools
  readonly #request: CrawlRequest
  readonly #target: MirrorTarget
  readonly #maxRemoved: number
  /** True for a target that keeps no record, in an engine that keeps none. */
  #endsWithEngine = false

  constructor(tools: MirrorTools, { request, target, options }: MirrorParts) {
    checkArgument('engine.mirror(request, target)', request, REQUEST_RULE)
    checkArgument('engine.mirror(request, target)', target, TARGET_RULE)
    checkOptions('engine.mirror', options, { maxRemoved: SHARE_RULE })
    this.#tools = tools
    this.#target = target
    this.#maxRemoved = options.maxRemoved ?? MAX_REMOVED
    const formats = target.unit === 'chunk' ? (['chunks'] as const) : (['markdown'] as const)
    const scrapeOptions = { ...request.scrapeOptions, formats: request.scrapeOptions?.formats ?? formats }
    this.#request = { ...request, since: request.since ?? 'last', scrapeOptions, mirror: target.name }
  }

  get name(): string {
    return this.#target.name
  }

  async sync({ signal }: { signal?: AbortSignal } = {}): Promise<MirrorSummary> {
    const { closing, running, enter, lost } = this.#tools
    closing.throwIfAborted()
    signal?.throwIfAborted()
    // A wrong request makes nothing.
    this.#plan()
    const leave = enter(this.name)
    const run = async (target: OpenTarget, state: MirrorState): Promise<MirrorSummary> => {
      state.forget(lost.get(this.name))
      running.set(this.name, state)
      try {
        const left = await this.#findLeft(state)
        const first = left && (await this.#run(left.job, target, state, signal))
        // One that had ended tells of the site as it was then.
        if (first && !left.hadEnded) return first
        signal?.throwIfAborted()
        return await this.#run(this.#start(), target, state, signal)
      } finally {
        running.delete(this.name)
      }
    }
    return this.#open(run, signal).finally(leave)
  }

  async status(): Promise<MirrorStatus> {
    const running = this.#tools.running.get(this.name)
    return running ? this.#describe(running) : this.#open(async (_, state) => this.#describe(state), 'read')
  }

  #describe(state: MirrorState): MirrorStatus {
    const { syncedAt, completeAt, summary } = state.head
    let [pages, chunks] = [0, 0]
    const assets = new Set<string>()
    for (const entry of state.entries()) {
      for (const { file } of entry.assets ?? []) assets.add(file)
      chunks += entry.chunks?.length ?? 0
      if (!isOnlyAnnounced(entry)) pages += 1
    }
    return compact({
      name: this.name,
      pages,
      chunks: this.#target.unit === 'chunk' ? chunks : undefined,
      assets: assets.size === 0 ? undefined : assets.size,
      syncedAt,
      completeAt,
      summary: summary && { ...summary, gaps: [...summary.gaps] },
    })
  }

  async verify({ fetch = 0, signal }: VerifyOptions = {}): Promise<MirrorCheck> {
    if (!Number.isSafeInteger(fetch) || fetch < 0)
      throw new InvalidRequestError([{ code: 'out_of_range', path: ['fetch'], message: 'a whole number from 0' }])
    signal?.throwIfAborted()
    let { entries, found, compared } = await this.#compare(signal)
    if (found.length > 0) {
      // Another process that fills the target may have written something between the reading of the record and that of the target.
      const first = new Set(found.map(({ key }) => key))
      ;({ entries, found, compared } = await this.#compare(signal))
      found = found.filter(({ key }) => first.has(key))
    }
    const lost = found.filter(({ kind }) => kind === 'missing' || kind === 'changed').slice(0, MAX_LOST)
    this.#tools.lost.set(this.name, new Set(lost.map(({ key }) => key)))
    signal?.throwIfAborted()
    const { scrape } = createPageCalls(this.#tools)
    const options = { ...this.#request.scrapeOptions, maxAge: 0 }
    const call = signal ? { signal } : {}
    const { fetched, faults } = await compareSample(entries, fetch, (url) => scrape(url, options, call), signal)
    const all = [...found, ...faults]
    const isUnread = compared === 0 && entries.length > 0
    const warning = isUnread ? `${this.name} cannot be read: nothing was compared with it.` : undefined
    return compact({ ok: all.length === 0 && !isUnread, compared, fetched, faults: all, warning })
  }

  /** Compares the target with the record. */
  #compare(
    signal?: AbortSignal,
  ): Promise<{ entries: readonly MirrorEntry[]; found: readonly MirrorFault[]; compared: number }> {
    return this.#open(async (target, state) => {
      const entries = [...state.entries()]
      const found = (await target.check?.(entries, signal)) ?? []
      return { entries, found, compared: target.check ? entries.length : 0 }
    }, 'read')
  }

  /**
   * Opens the target for a call. One whose pages are not as they were written has entries without a digest: they are read again.
   *
   * @param how `read` to change nothing; the signal of a run, if it has one
   */
  #open<Result>(act: ActOnTarget<Result>, how: 'read' | AbortSignal | undefined): Promise<Result> {
    const { turns } = this.#tools
    const own = (turns.get(this.name) ?? Promise.resolve()).then(() => this.#openNow(act, how))
    const leave = (): void => void (turns.get(this.name) === turn && turns.delete(this.name))
    const turn: Promise<void> = own.then(leave, leave)
    turns.set(this.name, turn)
    return own
  }

  async #openNow<Result>(act: ActOnTarget<Result>, how: 'read' | AbortSignal | undefined): Promise<Result> {
    const { closing, records } = this.#tools
    closing.throwIfAborted()
    const isRead = how === 'read'
    const openRecord = (name: string): Promise<MirrorRecord> => {
      this.#endsWithEngine = records.isInMemory
      return records.open(name)
    }
    using follower = followSignals(closing, ...(how === undefined || isRead ? [] : [how]))
    const { signal } = follower
    const parts = isRead ? {} : { signal, fetchAsset: this.#openAssets(signal) }
    const target = await this.#target.open({ openRecord, isRead, ...parts })
    try {
      return await act(target, await MirrorState.load(target.record))
    } finally {
      await target.close?.()
    }
  }

  /** Opens the way to the files that pages show, by the plan of the crawl. */
  #openAssets(signal: AbortSignal): NonNullable<TargetParts['fetchAsset']> {
    let fetcher: AssetFetcher | undefined
    return async (file) => {
      if (!fetcher) {
        const { crawl } = this.#plan().createStrategy()
        if (!crawl) throw new Error('a mirror is made by a crawl')
        fetcher = new AssetFetcher(crawl.plan, this.#tools)
      }
      const page = await fetcher.fetch(file, signal)
      const { etag, lastModified } = validatorsOf(page) ?? {}
      return { statusCode: page.statusCode, body: page.body, etag, lastModified }
    }
  }

  /** Starts the crawl of a run. It has no signal: the reason of one would be thrown to who reads its documents later as well. */
  #start(): AnyJob {
    return this.#tools.jobs.start('crawl', this.#plan(), {})
  }

  #plan(): ReturnType<MirrorTools['strategies']['crawl']> {
    const { strategies, capabilities } = this.#tools
    const planned = strategies.crawl(this.#request, capabilities)
    const { needs = this.#target.unit === 'chunk' ? 'chunks' : undefined } = this.#target
    const formats = this.#request.scrapeOptions?.formats ?? []
    if (needs !== undefined && !formats.some((item) => itemType(item) === needs)) {
      const message = `without \`${needs}\`, of which ${this.name} is made: add it to ${formats.map(itemType).join(', ') || 'the list'}`
      throw new InvalidRequestError([{ code: 'invalid_value', path: ['scrapeOptions', 'formats'], message }])
    }
    return planned
  }

  /** Finds the job of a run that was cut off. One with another request is ended. @throws TrawlError `JOB_HELD` where another process runs it */
  async #findLeft({ head: { jobId } }: MirrorState): Promise<{ job: AnyJob; hadEnded: boolean } | undefined> {
    const job = jobId === undefined ? undefined : await this.#tools.jobs.find(jobId)
    const { status } = (await job?.status({ limit: 0 })) ?? {}
    if (!job || (status !== 'scraping' && status !== 'completed')) return undefined
    const { request } = this.#plan()
    if (packRequest(job.request).text === packRequest(request).text) return { job, hadEnded: status === 'completed' }
    if (status === 'scraping') await job.cancel()
    return undefined
  }

  /** @param signal cancels the job, and ends the run with its reason */
  async #run(job: AnyJob, target: OpenTarget, state: MirrorState, signal?: AbortSignal): Promise<MirrorSummary> {
    const { describe, lost } = this.#tools
    const cancel = async (): Promise<void> => void (await job.cancel().catch(() => undefined))
    const onAbort = (): void => void cancel()
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
    let isDone = false
    try {
      const start = sourceKeyOf(String(this.#request.url))
      const { start: before = start } = state.head
      await state.begin(job.id)
      lost.set(this.name, new Set())
      const finder = new ChangeFinder(job, state, {
        unit: this.#target.unit ?? 'page',
        maxRemoved: this.#maxRemoved,
        announces: target.announces,
        now: this.#tools.settings.now,
        describe: () => describe(job.id),
      })
      for await (const step of finder.steps()) {
        signal?.throwIfAborted()
        step.saved = await target.write(step)
      }
      signal?.throwIfAborted()
      const warnings = [...((await target.settle?.(state, start)) ?? [])]
      if (before !== start) warnings.push(`${this.name} was a mirror of ${before}. ${TWO_MIRRORS}`)
      if (this.#endsWithEngine) warnings.push(`What ${this.name} has is known to this engine only. ${ENDS_WITH_ENGINE}`)
      isDone = true
      return { ...finder.summary, ...(warnings.length > 0 && { warnings }) }
    } finally {
      signal?.removeEventListener('abort', onAbort)
      // What the target did not take is taken by the next call: its crawl need not go on.
      if (!isDone) await cancel()
    }
  }
}
