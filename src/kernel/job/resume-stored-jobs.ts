import { toTrawlError, TrawlError } from '../../base/errors.js'
import { type JobStore, needsOwner, type StoredJob } from '../ledger/job-store.js'
import type { JobHandle } from './handle/job-handle.js'
import type { ElsewhereParts, JobRequest, RegistryOptions } from './registry-options.js'
import { deepFreeze } from '../../base/collections/deep-freeze.js'
import { type CompleteRequest, findAbsentFeatures, parseStored, readGenerated } from './stored-request.js'

/**
 * Plans a stored job.
 *
 * @param completed its request, where that could not be stored completely
 * @returns the plan, and the reason why a job that has ended can be read here but not resumed
 * @throws TrawlError when the job has not ended, and this engine cannot run it
 */
export function planStored(
  stored: StoredJob,
  { parseRequest, findRefusal, ownFeatures }: RegistryOptions,
  completed?: object,
): { planned: JobRequest; fault: TrawlError | undefined } {
  const given = completed ?? parseStored(stored)
  const absent = findAbsentFeatures(stored, ownFeatures)
  if (absent && stored.state === 'scraping') throw absent
  const generated = readGenerated(stored.generated)
  const planned = namingAbsent(absent, () => parseRequest(stored.kind, given, generated))
  const isIncomplete = completed === undefined && stored.missing.length > 0
  const fault = absent ?? (isIncomplete ? describeMissing([stored]) : findRefusal(planned.request, generated))
  if (fault && stored.state === 'scraping') throw fault
  return { planned, fault }
}

/** Plans a request, whose options may be those of a feature that is absent. @throws TrawlError that of the feature, if it is */
function namingAbsent<Planned>(absent: TrawlError | undefined, plan: () => Planned): Planned {
  try {
    return plan()
  } catch (error) {
    throw absent ?? error
  }
}

/** Plans a job that another process runs. */
export function planElsewhere(stored: StoredJob, { parseRequest }: RegistryOptions): ElsewhereParts['plan'] {
  const request = parseStored(stored)
  return (generated) => {
    const planned = parseRequest(stored.kind, request, readGenerated(generated))
    return { request: deepFreeze(planned.request), strategy: planned.createStrategy() }
  }
}

/** Completes a stored request; undefined when it is incomplete, and `complete` does not return it. */
function completeRequest(
  { id, kind, missing }: StoredJob,
  request: object,
  complete?: CompleteRequest,
): object | undefined {
  return missing.length === 0 ? request : complete?.({ id, kind, request, missing })
}

/** Creates the error for jobs whose requests are incomplete. */
function describeMissing(jobs: readonly StoredJob[]): TrawlError {
  const named = jobs.map(({ id, missing }) => `${id} (${missing.map((path) => `\`${path}\``).join(', ')})`)
  const message =
    `functions and schemas of libraries cannot be stored: \`complete\` of \`engine.resume({ complete })\` must return the requests of ` +
    `job ${named.join(', job ')}`
  return new TrawlError('BAD_REQUEST', message)
}

/** Names a job in the error of an act on it. @throws TrawlError with the code of the act's error */
export function naming<T>(stored: StoredJob, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const error = toTrawlError(cause)
    if (error.message.includes(stored.id)) throw error
    const verb = needsOwner(stored) ? 'resumed' : 'opened'
    throw new TrawlError(error.code, `job ${stored.id} cannot be ${verb} here: ${error.message}`, { cause: error })
  }
}

/** A store of jobs, and what an engine resumes them with. */
interface ResumeParts {
  readonly jobStore: JobStore
  /** Completes the requests that could not be stored completely. */
  readonly complete: CompleteRequest | undefined
  /** Aborted when the engine is closed. */
  readonly closing: AbortSignal
  findLoaded(id: string): JobHandle | undefined
  /** Plans a job. @throws TrawlError when this engine cannot run it */
  check(stored: StoredJob, request: object): object
  /** Runs tasks about one job one after another. */
  alone<T>(id: string, task: () => Promise<T>): Promise<T>
  /** Opens a job that this engine owns. @throws TrawlError `ENGINE_CLOSED` */
  restore(stored: StoredJob, request?: object): JobHandle
}

/**
 * Resumes all jobs left by earlier processes, the reports of ended jobs, and the end of cancelled ones. A job that cannot be
 * resumed stays as it is, and the others go on.
 *
 * @param leave is called for each job that cannot be resumed
 * @throws TrawlError without `leave`: `BAD_REQUEST` naming the jobs whose requests are incomplete, before any job is resumed; the
 *   errors of the others that cannot be resumed, after all others are
 * @throws TrawlError `ENGINE_CLOSED` when the engine is closed meanwhile: what is left stays as it is
 */
export async function resumeStoredJobs(
  parts: ResumeParts,
  leave?: (error: TrawlError) => void,
): Promise<readonly JobHandle[]> {
  const { jobStore, complete, closing, findLoaded, check, restore } = parts
  const faults: TrawlError[] = []
  const report = leave ?? ((error: TrawlError): void => void faults.push(error))
  const attempt = <T>(stored: StoredJob, act: () => T): T | undefined => {
    try {
      return naming(stored, act)
    } catch (error) {
      // No fault of the job.
      closing.throwIfAborted()
      report(toTrawlError(error))
      return undefined
    }
  }
  const alone = <T>(id: string, task: () => Promise<T>): Promise<T> =>
    parts.alone(id, () => {
      closing.throwIfAborted()
      return task()
    })
  // One that has failed here is free before it has ended here.
  const isRunning = (id: string): boolean => findLoaded(id)?.state === 'scraping'
  const interrupted = (await jobStore.listInterrupted()).filter(({ id }) => !isRunning(id))
  const left = interrupted.flatMap((stored) => {
    const parsed = attempt(stored, () => parseStored(stored))
    return parsed ? [{ stored, request: completeRequest(stored, parsed, complete) }] : []
  })
  const unfit = left.filter(({ request }) => request === undefined)
  if (unfit.length > 0 && !leave) throw describeMissing(unfit.map(({ stored }) => stored))
  for (const { stored } of unfit) report(describeMissing([stored]))
  const jobs: JobHandle[] = []
  for (const { stored, request } of left) {
    // Before the job is taken: another engine may be able to run it.
    if (!request || !attempt(stored, () => check(stored, request))) continue
    const job = await alone(stored.id, async () => {
      const taken = isRunning(stored.id) ? undefined : await jobStore.acquire(stored.id)
      // Another process, or another call, may have taken the job meanwhile.
      return typeof taken === 'object' ? attempt(taken, () => restore(taken, request)) : undefined
    })
    if (job) jobs.push(job)
  }
  for (const id of await jobStore.listUnreported()) {
    await alone(id, async () => {
      const known = findLoaded(id)
      // A stopped job of this engine is resumed by its handle; one that has failed here is free before it has ended here.
      if ((known && !known.hasSettled && known.runner.isStopped) || known?.state === 'scraping') return
      const taken = await jobStore.acquire(id)
      if (typeof taken === 'object' && needsOwner(taken)) attempt(taken, () => restore(taken))
    })
  }
  if (faults.length > 0) throw joinFaults(faults)
  return jobs
}

function joinFaults(faults: readonly TrawlError[]): TrawlError {
  const code = faults[0]?.code ?? 'LEDGER_ERROR'
  const named = faults.map((fault) => fault.message).join('; ')
  const message = `${named}. \`engine.cancel(id)\` ends such a job. All other jobs go on: \`engine.jobs()\` lists them`
  return new TrawlError(code, message, { cause: faults[0] })
}
