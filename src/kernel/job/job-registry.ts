import { toTrawlError, TrawlError } from '../../base/errors.js'
import { needsOwner, type StoredJob } from '../ledger/job-store.js'
import { sharedOf } from '../ledger/shared-jobs.js'
import { deepFreeze } from '../../base/collections/deep-freeze.js'
import { estimatePageCredits } from '../plan/page-credits.js'
import { makeUuid } from '../../base/uuid.js'
import { EndedJobs } from './ended-jobs.js'
import { JobHandle } from './handle/job-handle.js'
import type { JobElsewhere, JobRequest, RegistryOptions, StartOptions } from './registry-options.js'
import { serveJob, hasOtherEnd, wentOnElsewhere } from './handle/serve-job.js'
import { isReported } from './job-reporter.js'
import type { JobStrategy } from './job-strategy.js'
import { type Cancellation, cancelUnfit } from './lifecycle/cancel-unfit.js'
import type { EndedHandle, JobOrigin, JobPlanner } from './job-origin.js'
import { naming, planElsewhere, planStored, resumeStoredJobs } from './resume-stored-jobs.js'
import {
  type CompleteRequest,
  hashRequest,
  packJobRequest,
  type StartKind,
  refuseTransientLedger,
} from './stored-request.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import { onAbort } from '../../base/concurrency/on-abort.js'

/** A request that is not stored. */
const NOT_STORED = { text: '', missing: [] }

/** A request with its strategy, and in the form in which it is stored. */
interface PackedJob {
  readonly kind: StartKind
  readonly request: object
  readonly strategy: JobStrategy
  readonly text: string
  readonly missing: readonly string[]
}

/** Jobs of an engine: those that it runs or has run, and those in a ledger that outlives the process. */
export class JobRegistry {
  readonly #options: RegistryOptions
  readonly #jobs = new Map<string, JobHandle>()
  readonly #ended: EndedJobs
  /** Hashes of the requests of jobs with an idempotency key, and these keys, by job id. */
  readonly #requests = new Map<string, { readonly hash: string; readonly key: string }>()
  /** Job ids by idempotency key. */
  readonly #keys = new Map<string, string>()
  /** The last task about each job, and about each idempotency key. */
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #plans: Readonly<Record<StartKind, JobPlanner>>
  readonly #onEnd = (job: EndedHandle): void => {
    // A job that ends while the engine is closed is let go of with all others.
    if (this.#jobs.get(job.id) === job) this.#ended.add(job)
  }

  constructor(options: RegistryOptions) {
    const { tools, ledger, transientLedger, parseRequest } = options
    this.#options = options
    const planOf = (kind: StartKind): JobPlanner => ({
      kind,
      strategy: (request, generated) => parseRequest(kind, request, generated).createStrategy(),
    })
    this.#plans = {
      'batch-scrape': planOf('batch-scrape'),
      crawl: planOf('crawl'),
      'v1-batch-scrape': planOf('v1-batch-scrape'),
      'v1-crawl': planOf('v1-crawl'),
    }
    this.#ended = new EndedJobs({
      tools,
      bounds: ledger.keeps,
      forget: (id) => {
        const key = this.#requests.get(id)?.key
        if (key !== undefined && this.#keys.get(key) === id) this.#keys.delete(key)
        this.#requests.delete(id)
        this.#jobs.delete(id)
        ledger.forget(id)
        transientLedger.forget(id)
      },
    })
  }

  /** Starts a job. It is in the ledger when its `prepared()` resolves, and fails when it cannot be written there. */
  start(kind: StartKind, { request, createStrategy }: JobRequest, options: StartOptions): JobHandle {
    const strategy = createStrategy()
    const packed = this.#options.ledger.jobStore ? packJobRequest(request, strategy.plan.page.ownFeatures) : NOT_STORED
    const job = { kind, request, strategy, ...packed }
    return this.#begin(job, this.#store(job, options), options)
  }

  /**
   * Starts a job that is in the ledger, or returns the one that was started with the same idempotency key.
   *
   * @throws TrawlError `IDEMPOTENCY_CONFLICT` when the key was used with another request; `LEDGER_ERROR`
   */
  startOnce(
    kind: StartKind,
    { request, createStrategy }: JobRequest,
    options: StartOptions & { readonly idempotencyKey: string },
  ): Promise<JobHandle | JobElsewhere> {
    const { idempotencyKey: key } = options
    const strategy = createStrategy()
    const packed = packJobRequest(request, strategy.plan.page.ownFeatures)
    const hash = hashRequest(kind, packed.text)
    return this.#alone(`key ${key}`, async () => {
      const known = await this.#findByKey(key, hash)
      if (known) return known
      this.#options.closing.throwIfAborted()
      options.signal?.throwIfAborted()
      const job = { kind, request, strategy, ...packed }
      const { added, ...origin } = this.#store(job, options)
      const { id } = origin
      // The ledger may list the job before it has answered: who asks for it meanwhile waits, and has this handle.
      return this.#alone(id, async () => {
        await added
        const begin = (): JobHandle => {
          this.#keys.set(key, id)
          this.#requests.set(id, { hash, key })
          return this.#begin(job, origin, options)
        }
        return this.#whileOpen({ id, reports: false }, begin, origin.ledger)
      })
    })
  }

  /** Adds a new job to its ledger. */
  #store({ kind, request, strategy, text, missing }: PackedJob, options: StartOptions): JobOrigin {
    const { tools, ledger, transientLedger } = this.#options
    const { acknowledge = false, idempotencyKey } = options
    const { page, features } = strategy.plan
    tools.credits.refuseWhenSpent(estimatePageCredits(page))
    if (page.zeroDataRetention && acknowledge) {
      const message = '`acknowledge` keeps documents until they are acknowledged, and `zeroDataRetention` keeps none'
      throw new TrawlError('BAD_REQUEST', message)
    }
    const createdAtMs = tools.now()
    const id = makeUuid(createdAtMs)
    const target = page.zeroDataRetention ? transientLedger : ledger
    const added = target.jobStore?.add({
      id,
      kind,
      request: text,
      missing,
      acknowledges: acknowledge,
      createdAtMs,
      reports: isReported(tools.extensions, features),
      state: 'scraping',
      warnings: [],
      idempotencyKey,
    })
    return {
      id,
      createdAtMs,
      request: deepFreeze(request),
      acknowledges: acknowledge,
      ledger: target,
      added,
      jobStore: target.jobStore,
      plan: this.#plans[kind],
    }
  }

  #begin({ strategy }: PackedJob, origin: JobOrigin, { signal }: StartOptions): JobHandle {
    const job = this.#add(strategy, origin)
    if (signal) cancelWith(signal, job)
    return job
  }

  /**
   * Appends URLs to a batch of this engine or of another one, or to one left by an earlier process.
   *
   * @throws TrawlError `JOB_NOT_FOUND`; `JOB_FINISHED` when it has ended; `ENGINE_CLOSED`
   */
  async append(id: string, urls: readonly string[]): Promise<JobHandle | JobElsewhere> {
    const job = await this.find(id)
    // The engine may have been closed meanwhile, and a job that it has parked has not ended.
    this.#options.closing.throwIfAborted()
    if (job?.kind !== 'batch-scrape') {
      throw new TrawlError('JOB_NOT_FOUND', `\`appendToId\`: this engine knows no batch ${id}`)
    }
    if (!(job instanceof JobHandle)) {
      job.appendInBackground(urls)
      return job
    }
    const { lifecycle } = job.runner
    job.runner
      .append(urls)
      .catch((error: unknown) => lifecycle.warn(`URLs were not added: ${toTrawlError(error).message}.`))
    return job
  }

  /** Finds a job that this engine has in memory. */
  findLoaded(id: string): JobHandle | undefined {
    return this.#jobs.get(id)
  }

  /**
   * Finds a job by its id. A job left by an earlier process is resumed; one that another process runs is used from here, if the
   * ledger is one of several processes.
   *
   * @throws TrawlError `JOB_HELD` when another process runs it on a ledger of one process; `BAD_REQUEST` when its request could not be
   *   stored completely
   */
  find(id: string): Promise<JobHandle | JobElsewhere | undefined> {
    return this.#find(id, (stored) => this.#restore(stored))
  }

  /**
   * Cancels a job, also one that this engine cannot run.
   *
   * @throws TrawlError `JOB_NOT_FOUND`; `JOB_HELD` as {@link JobRegistry.find}; what `cancel()` of a job throws
   */
  async cancel(id: string): Promise<void> {
    const { tools, ledger } = this.#options
    const parts = { tools, jobStore: ledger.jobStore, open: (cancelled: StoredJob) => this.#openStored(cancelled) }
    const open = (stored: StoredJob): Cancellation => {
      try {
        return this.#openStored(stored)
      } catch {
        return cancelUnfit(stored, parts)
      }
    }
    const job = await this.#find(id, open)
    if (!job) throw new TrawlError('JOB_NOT_FOUND', `this engine knows no job ${id}`)
    const known = this.#jobs.get(id)
    const error = await job.cancel().then(
      () => undefined,
      (cause: unknown) => cause,
    )
    // It could not be written here, or another engine has resumed it and this one is not told of it yet: the one in the ledger is meant.
    if (known && job === known && (await hasOtherEnd(known, ledger))) {
      const current = this.#jobs.get(id)
      // This engine may have taken it again meanwhile: see `resume` of the engine.
      const meant = current && current !== known ? current : await this.#alone(id, () => this.#findStored(id, open))
      await meant?.cancel()
    } else if (error !== undefined) throw error
  }

  #find<Found>(id: string, open: (stored: StoredJob) => Found): Promise<JobHandle | JobElsewhere | Found | undefined> {
    this.forgetExpired()
    return this.#alone(id, async () => {
      const known = this.#jobs.get(id)
      if (known && !(await wentOnElsewhere(known, this.#options.ledger))) return known
      return this.#findStored(id, open)
    })
  }

  async #findStored<Found>(id: string, open: (stored: StoredJob) => Found): Promise<JobElsewhere | Found | undefined> {
    const { ledger, closing, findOpener } = this.#options
    const shared = sharedOf(ledger)
    // A database would refuse a value of another type, as if it could not be used.
    const stored = typeof id === 'string' ? await ledger.jobStore?.acquire(id) : undefined
    if (stored !== 'held') return stored && this.#whileOpen(stored, () => open(stored))
    const openElsewhere = findOpener()
    const held = openElsewhere && (await shared?.find(id))
    closing.throwIfAborted()
    // Its next handle is one of this process, if the job is taken over meanwhile.
    if (shared && held)
      return naming(held, () => openElsewhere(held, { shared, plan: planElsewhere(held, this.#options) }))
    // The engine may be one of this process.
    const message = `job ${id} is run by another engine: use it there, or call again when that engine is closed or its process has ended`
    throw new TrawlError('JOB_HELD', message)
  }

  /**
   * Resumes all jobs left by earlier processes, the reports of ended jobs, and the end of cancelled ones.
   *
   * @throws TrawlError `BAD_REQUEST` for a ledger that ends with the process; what {@link resumeStoredJobs} throws
   */
  async resume(
    complete: CompleteRequest | undefined,
    leave?: (error: TrawlError) => void,
  ): Promise<readonly JobHandle[]> {
    this.forgetExpired()
    const { ledger, closing, durableLedgers } = this.#options
    const { jobStore } = ledger
    if (!jobStore) {
      throw refuseTransientLedger(durableLedgers)
    }
    const parts = {
      jobStore,
      complete,
      closing,
      findLoaded: (id: string) => this.findLoaded(id),
      check: (stored: StoredJob, request: object) => planStored(stored, this.#options, request),
      alone: <T>(id: string, task: () => Promise<T>) => this.#alone(id, task),
      restore: (stored: StoredJob, request?: object) => this.#whileOpen(stored, () => this.#restore(stored, request)),
    }
    return resumeStoredJobs(parts, leave)
  }

  /** Lists the running jobs, oldest first. */
  running(): readonly JobHandle[] {
    return [...this.#jobs.values()].filter((job) => job.state === 'scraping')
  }

  /** Number of ended jobs that the bounds of the ledger have cost before they expired; undefined where it has none. */
  get dropped(): number | undefined {
    return this.#ended.dropped
  }

  forgetExpired(): void {
    const { ledger, tools } = this.#options
    const nowMs = tools.now()
    for (const { forgetExpired } of tools.extensions) forgetExpired?.(nowMs)
    this.#ended.forgetExpired(nowMs)
    ledger.jobStore?.forgetExpired(nowMs)
  }

  /** Parks the jobs that are kept beyond the process and cancels the others. Resolves when none runs any more. */
  async stop(drain: boolean): Promise<void> {
    const runners = [...this.#jobs.values()].filter((job) => !job.hasSettled).map(({ runner }) => runner)
    for (const runner of runners) runner.park(drain)
    // Pages that are waited for are written with all patience.
    if (drain) await Promise.all(runners.map(({ ended }) => ended))
    this.#options.ledger.jobStore?.hurry?.()
    // A job that is taken meanwhile is given back.
    await Promise.allSettled(this.#underWay.values())
    await Promise.all(runners.map(({ ended, reporters }) => ended.then(() => reporters?.close(drain))))
    // Handles that the caller has stay readable: a closed engine keeps none, whoever has it.
    this.#ended.clear()
    for (const known of [this.#jobs, this.#requests, this.#keys]) known.clear()
  }

  /** Runs tasks about one job, or one key, one after another: while one waits for the store, no other takes the job. */
  async #alone<T>(key: string, task: () => Promise<T>): Promise<T> {
    const earlier = this.#underWay.get(key)
    const own = (async () => {
      await earlier?.catch(() => undefined)
      return task()
    })()
    this.#underWay.set(key, own)
    try {
      return await own
    } finally {
      if (this.#underWay.get(key) === own) this.#underWay.delete(key)
    }
  }

  /** Opens a job that was taken from the store of `ledger`. @throws TrawlError `ENGINE_CLOSED`, after it is given back */
  #whileOpen<T>(
    taken: { readonly id: string; readonly reports: boolean; readonly completedAtMs?: number },
    open: () => T,
    ledger = this.#options.ledger,
  ): T {
    const { closing } = this.#options
    if (closing.aborted && needsOwner(taken)) ledger.jobStore?.release(taken.id)
    closing.throwIfAborted()
    return open()
  }

  async #findByKey(key: string, requestHash: string): Promise<JobHandle | JobElsewhere | undefined> {
    const id = this.#keys.get(key) ?? (await this.#options.ledger.jobStore?.findByKey(key))
    const job = id === undefined ? undefined : await this.find(id)
    const found =
      job === undefined || job instanceof JobHandle
        ? job && this.#requests.get(job.id)?.hash
        : hashRequest(job.stored.kind, job.stored.request)
    if (job && found !== requestHash) {
      const message = `job ${job.id} was started with the \`idempotencyKey\` ${key} by another request`
      throw new TrawlError('IDEMPOTENCY_CONFLICT', message)
    }
    return job
  }

  #restore(stored: StoredJob, completed?: object): JobHandle {
    const { ledger } = this.#options
    try {
      return naming(stored, () => this.#openStored(stored, completed))
    } catch (error) {
      if (needsOwner(stored)) ledger.jobStore?.release(stored.id)
      throw error
    }
  }

  #openStored(stored: StoredJob, completed?: object): JobHandle {
    const { ledger } = this.#options
    const { planned, fault } = planStored(stored, this.#options, completed)
    const { id, kind, createdAtMs, acknowledges, idempotencyKey: key } = stored
    if (key !== undefined) this.#requests.set(id, { hash: hashRequest(kind, stored.request), key })
    const known = { id, createdAtMs, acknowledges, request: deepFreeze(planned.request), plan: this.#plans[kind] }
    const origin = { ...known, ledger, jobStore: ledger.jobStore, stored, fault }
    return this.#add(planned.createStrategy(), origin)
  }

  #add(strategy: JobStrategy, origin: JobOrigin): JobHandle {
    const job = new JobHandle(strategy, this.#options.tools, { ...origin, onEnd: this.#onEnd, bounds: this.#ended })
    this.#jobs.set(job.id, job)
    const shared = origin.jobStore && sharedOf(origin.ledger)
    if (shared) serveJob(job, shared)
    return job
  }
}

/** Cancels a job when the signal of its start aborts. */
export function cancelWith(signal: AbortSignal, { runner }: JobHandle): void {
  const call = followSignals(signal)
  // `cancel` rejects when another process owns the job, which then must not be cancelled here.
  const listener = (): void => void runner.cancel(call.signal.reason).catch(() => undefined)
  onAbort(call.signal, listener)
  // It may have aborted while the ledger was asked.
  if (call.signal.aborted) listener()
  // A stopped job may be resumed, and must stay cancellable.
  void runner.ended.then(() => runner.isStopped || call[Symbol.dispose]())
}
