import { createHash } from 'node:crypto'
import { toTrawlError, TrawlError } from '../errors.js'
import { followSignals } from '../concurrency/deadline.js'
import type { InterruptedJob, StoredJob } from '../ledger/job-store.js'
import type { Ledger } from '../ledger/ledger.js'
import type { PromptedOptions } from '../plan/crawl/crawl-prompt.js'
import { freeze } from '../plan/freeze.js'
import { estimatePage } from '../plan/page-price.js'
import { makeUuid } from '../uuid.js'
import type { JobOrigin } from './lifecycle/job-origin.js'
import { JobRun } from './job-run.js'
import type { JobStrategy } from './job-strategy.js'
import type { JobTools } from './job-tools.js'
import { type PackedRequest, packRequest } from './stored-request.js'
import { parseJson } from '../text/parse-json.js'

/** Which call a job was started by. */
export type StartKind = StoredJob['kind']

/** What a job is started with, beside its request. */
export interface StartOptions {
  readonly signal?: AbortSignal | undefined
  readonly acknowledge?: boolean | undefined
  readonly idempotencyKey?: string | undefined
}

/** What was asked for. */
export interface Asked {
  /** The request as it was checked. */
  readonly request: object
  /** Makes what the job goes by. */
  script(): JobStrategy
}

/** What the register needs of its engine. */
interface RegisterParts {
  readonly tools: JobTools
  readonly ledger: Ledger
  /** Where jobs are kept of which nothing is to be written anywhere. */
  readonly passing: Ledger
  /** Reads a request that was stored. @param generated the options that were generated for it */
  ask(kind: StartKind, request: unknown, generated: PromptedOptions | undefined): Asked
}

/** The jobs of an engine: those that it runs, has run, and finds in a ledger that outlives the process. */
export class JobRegister {
  readonly #parts: RegisterParts
  readonly #jobs = new Map<string, JobRun>()
  /** What jobs with a key were asked for, by their ids: a hash of it. */
  readonly #asked = new Map<string, string>()
  /** The ids of jobs by the key that they were started with. */
  readonly #keys = new Map<string, string>()

  constructor(parts: RegisterParts) {
    this.#parts = parts
  }

  /**
   * Starts a job, or gives back the one that was started with this key.
   *
   * @throws TrawlError `IDEMPOTENCY_CONFLICT` when that was asked for something else
   */
  start(kind: StartKind, { request, script: makeScript }: Asked, options: StartOptions): JobRun {
    const { tools, ledger, passing } = this.#parts
    const { signal, acknowledge = false, idempotencyKey } = options
    const isWrittenDown = ledger.shelf !== undefined || idempotencyKey !== undefined
    const { text, missing } = isWrittenDown ? packRequest(request) : NOTHING
    const known = idempotencyKey === undefined ? undefined : this.#findByKey(idempotencyKey, hashOf(kind, text))
    if (known) return known
    const script = makeScript()
    tools.credits.refuseWhenSpent(estimatePage(script.page))
    if (script.keepsNothing && acknowledge) {
      const message = '`acknowledge` keeps documents until they are acknowledged, and `zeroDataRetention` keeps none'
      throw new TrawlError('BAD_REQUEST', message)
    }
    const createdAtMs = tools.now()
    const id = makeUuid(createdAtMs)
    // Of a job that is to leave nothing behind, nothing is written down.
    const home = script.keepsNothing ? passing : ledger
    const key = idempotencyKey === undefined ? {} : { idempotencyKey }
    home.shelf?.add({
      id,
      kind,
      request: text,
      missing,
      acknowledges: acknowledge,
      createdAtMs,
      reports: script.webhook !== undefined,
      state: 'scraping',
      warnings: [],
      ...key,
    })
    if (idempotencyKey !== undefined) {
      this.#keys.set(idempotencyKey, id)
      this.#asked.set(id, hashOf(kind, text))
    }
    const origin = {
      id,
      createdAtMs,
      request: freeze(request),
      acknowledges: acknowledge,
      ledger: home,
      shelf: home.shelf,
    }
    const job = this.#put(script, origin)
    if (signal) {
      const call = followSignals(signal)
      // It has ended, or another process has it: then there is nothing to cancel.
      const cancel = (): void => void job.interrupt(call.signal.reason).catch(() => undefined)
      call.signal.addEventListener('abort', cancel, { once: true })
      // One that was stopped may go on, and can still be cancelled.
      void job.ended.then(() => job.isStopped || call[Symbol.dispose]())
    }
    return job
  }

  /**
   * Adds URLs to a batch, which this engine has or an earlier process left.
   *
   * @throws TrawlError `JOB_NOT_FOUND`; `JOB_FINISHED` when it has ended
   */
  append(id: string, urls: readonly string[]): JobRun {
    const job = this.find(id)
    if (job?.kind !== 'batch-scrape') {
      throw new TrawlError('JOB_NOT_FOUND', `\`appendToId\`: this engine knows no batch ${id}`)
    }
    if (!job.isRunning) throw new TrawlError('JOB_FINISHED', `job ${id} has ended: start another batch for these URLs`)
    job.append(urls).catch((error: unknown) => job.warn(`URLs were not added: ${toTrawlError(error).message}.`))
    return job
  }

  /** A job that this engine has already. */
  known(id: string): JobRun | undefined {
    return this.#jobs.get(id)
  }

  /**
   * A job by its id: this engine's, or one that an earlier process left, which then goes on.
   *
   * @throws TrawlError `JOB_HELD` when another process runs it; `BAD_REQUEST` when its request could not be stored whole
   */
  find(id: string): JobRun | undefined {
    this.forgetExpired()
    const known = this.#jobs.get(id)
    if (known) return known
    const stored = this.#parts.ledger.shelf?.take(id)
    if (stored !== 'held') return stored && this.#goOn(stored)
    throw new TrawlError('JOB_HELD', `job ${id} is run by another process`)
  }

  /**
   * Goes on with all jobs that earlier processes left; of those that have ended, with what is left to tell their webhooks.
   *
   * @param complete gives the request of a job that could not be stored whole
   * @throws TrawlError `BAD_REQUEST` naming the jobs whose requests are not whole; none is gone on with then
   */
  resume(complete: ((job: InterruptedJob) => object | undefined) | undefined): readonly JobRun[] {
    this.forgetExpired()
    const { shelf } = this.#parts.ledger
    if (!shelf) {
      throw new TrawlError('BAD_REQUEST', 'the ledger of this engine ends with the process: give it `sqlite(…)`')
    }
    const left = shelf.listLeft().map((stored) => ({ stored, request: readRequest(stored, complete) }))
    const unfit = left.filter(({ request }) => request === undefined)
    if (unfit.length > 0) throw describeMissing(unfit.map(({ stored }) => stored))
    const jobs = left.flatMap(({ stored, request }) => {
      const taken = shelf.take(stored.id)
      // Another process was faster.
      return taken === undefined || taken === 'held' ? [] : [this.#goOn(taken, request)]
    })
    for (const id of shelf.listUnreported()) {
      // Who has a job's handle may go on with it there.
      if (this.#jobs.get(id)?.isStopped) continue
      const taken = shelf.take(id)
      if (typeof taken === 'object' && taken.reports) this.#goOn(taken)
    }
    return jobs
  }

  /** The jobs that run, oldest first. */
  running(): readonly JobRun[] {
    return [...this.#jobs.values()].filter((job) => job.state === 'scraping')
  }

  forgetExpired(): void {
    const { ledger, passing, tools } = this.#parts
    const nowMs = tools.now()
    for (const job of this.#jobs.values()) {
      if ((job.expiresAtMs ?? Infinity) > nowMs) continue
      void job.webhook.close(false)
      this.#jobs.delete(job.id)
      this.#asked.delete(job.id)
      ledger.forget(job.id)
      passing.forget(job.id)
    }
    for (const [key, id] of this.#keys) if (!this.#jobs.has(id)) this.#keys.delete(key)
    ledger.shelf?.forgetExpired(nowMs)
  }

  /** Parks the jobs that are kept beyond the process, and cancels the others; resolves when none runs any more. */
  async stop(drain: boolean): Promise<void> {
    for (const job of this.#jobs.values()) job.park(drain)
    await Promise.all([...this.#jobs.values()].map((job) => job.ended.then(() => job.webhook.close(drain))))
    for (const job of this.running()) this.#jobs.delete(job.id)
  }

  #findByKey(key: string, asked: string): JobRun | undefined {
    const id = this.#keys.get(key) ?? this.#parts.ledger.shelf?.findByKey(key)
    const job = id === undefined ? undefined : this.find(id)
    if (job && this.#asked.get(job.id) !== asked) {
      const message = `job ${job.id} was started with the \`idempotencyKey\` ${key} by another request`
      throw new TrawlError('IDEMPOTENCY_CONFLICT', message)
    }
    return job
  }

  #goOn(stored: StoredJob, given?: object): JobRun {
    const { ledger } = this.#parts
    const request = given ?? readRequest(stored)
    if (request === undefined && stored.state === 'scraping') {
      ledger.shelf?.release(stored.id)
      throw describeMissing([stored])
    }
    if (stored.idempotencyKey !== undefined) this.#asked.set(stored.id, hashOf(stored.kind, stored.request))
    const { id, createdAtMs, acknowledges } = stored
    const generated = stored.generated === undefined ? undefined : (parseJson(stored.generated) as PromptedOptions)
    const asked = this.#parts.ask(stored.kind, request ?? parseJson(stored.request), generated)
    const known = { id, createdAtMs, acknowledges, request: freeze(asked.request) }
    // What has ended can be read; to go on, a job has to know all that was asked for.
    const fault = request === undefined ? { fault: describeMissing([stored]) } : {}
    const origin = { ...known, ledger, shelf: ledger.shelf, past: stored, ...fault }
    return this.#put(asked.script(), origin)
  }

  #put(script: JobStrategy, origin: JobOrigin): JobRun {
    const job = new JobRun(script, this.#parts.tools, origin)
    this.#jobs.set(job.id, job)
    return job
  }
}

const NOTHING: PackedRequest = { text: '', missing: [] }

const hashOf = (kind: StartKind, request: string): string =>
  createHash('sha256').update(`${kind} ${request}`).digest('hex')

function readRequest(stored: StoredJob, complete?: (job: InterruptedJob) => object | undefined): object | undefined {
  const { id, kind, missing } = stored
  const request = parseJson(stored.request) as object
  return missing.length === 0 ? request : complete?.({ id, kind, request, missing })
}

function describeMissing(jobs: readonly StoredJob[]): TrawlError {
  const named = jobs.map(({ id, missing }) => `${id} (${missing.map((path) => `\`${path}\``).join(', ')})`)
  const message =
    `functions and schemas of libraries cannot be stored: \`engine.resume({ complete })\` is to give the requests again of ` +
    `job ${named.join(', job ')}`
  return new TrawlError('BAD_REQUEST', message)
}
