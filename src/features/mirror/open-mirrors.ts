import { createHash } from 'node:crypto'
import { RecentMap } from '../../base/collections/recent-map.js'
import { TrawlError } from '../../base/errors.js'
import { anyFunction, checkArgument, checkOptions, oneOf, type Rule } from '../../base/runtime/check-options.js'
import { VERSION } from '../../base/runtime/version.js'
import type { EngineParts } from '../../kernel/engine/entry-points.js'
import type { EngineExtension } from '../../kernel/engine/feature.js'
import type { CalledJob, JobHooks, JobView } from '../../kernel/job/job-hooks.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { ChangeFinder, emptySummary } from './find-changes.js'
import { MAX_REMOVED, MISSED, SHARE_RULE } from './find-gaps.js'
import type { Changes, ChangesOptions } from './job-changes.js'
import type { ChangeOf, MirrorChange } from './mirror-change.js'
import { type MirroredJob, MirrorState } from './mirror-state.js'
import { OpenRecords } from './open-records.js'
import { SiteMirror } from './site-mirror.js'

/** Part of a mirror in the plan of a crawl. */
export interface MirrorSlice {
  readonly name: string
  /** Hash of what decides how pages are made, given what the site answers. */
  readonly asked: string
}

/** Hashes the options by which pages are made, and the version that makes them: with others, the same page has another text. */
export const hashAsked = ({ digest, enrich, features }: ScrapePlan): string =>
  createHash('sha256')
    .update(JSON.stringify([VERSION, digest, enrich, features ?? null]))
    .digest('hex')
    .slice(0, 32)

const CHANGES_RULES: Readonly<Record<keyof ChangesOptions, Rule>> = {
  unit: oneOf('page', 'chunk'),
  maxRemoved: SHARE_RULE,
}

/** Jobs of which facts are kept for whoever takes their changes. */
const KEPT_JOBS = 1000

/** Mirrors of which it is kept what `verify()` has found. */
const KEPT_MIRRORS = 50

/** Opens the mirrors of an engine. */
export function openMirrors(engine: EngineParts): EngineExtension {
  const { settings } = engine
  const records = new OpenRecords(settings)
  /** States of mirrors that are synchronized here. */
  const running = new Map<string, MirrorState>()
  const facts = new RecentMap<string, Omit<MirroredJob, 'jobId'>>(KEPT_JOBS)
  const describe = (jobId: string): MirroredJob => ({
    jobId,
    ...(facts.get(jobId) ?? { asked: undefined, previous: undefined }),
  })
  const entered = new Set<string>()
  const enter = (name: string): (() => void) => {
    if (entered.has(name))
      throw new TrawlError('BAD_REQUEST', `the changes of the mirror ${name} are being taken: await that first`)
    entered.add(name)
    return () => void entered.delete(name)
  }
  const turns = new Map<string, Promise<unknown>>()
  const lost = new RecentMap<string, ReadonlySet<string>>(KEPT_MIRRORS)
  const tools = { ...engine, records, running, describe, enter, turns, lost }
  const runTools: RunTools = { records, describe, now: settings.now, enter, closing: engine.closing }
  return {
    calls: {
      mirror: (request, target, options = {}) => new SiteMirror(tools, { request, target, options }),
    },
    job: (job: JobView<MirrorSlice>) => followJob(job, { records, running, facts }),
    jobCalls: {
      changes(options = {}) {
        checkOptions('job.changes', options, CHANGES_RULES)
        return readChanges(this, options, runTools) as Changes<never>
      },
      async each(store, options = {}) {
        checkArgument('job.each(store)', store, anyFunction)
        checkOptions('job.each', options, CHANGES_RULES)
        const run = await openRun(this, { ...options, transacts: true }, runTools)
        const { record } = run.state
        try {
          for await (const { change, saved } of run.finder.steps()) {
            const given = change as ChangeOf<never>
            if (record.transact) await record.transact(saved, async (tx) => void (await store(given, tx)))
            else {
              await record.checkAlone?.()
              await store(given, undefined)
              await record.save(saved)
            }
          }
        } finally {
          run.leave()
        }
        return run.finder.summary
      },
    },
    release: () => records.close(),
  }
}

/** State of an engine that follows its jobs. */
interface FollowTools {
  readonly records: OpenRecords
  readonly running: ReadonlyMap<string, MirrorState>
  readonly facts: RecentMap<string, Omit<MirroredJob, 'jobId'>>
}

/** Follows a crawl: what the mirror does not have as an earlier crawl saw it is read again. */
function followJob(job: JobView<MirrorSlice>, { records, running, facts }: FollowTools): JobHooks {
  const { name, asked } = job.slice
  let loaded: Promise<MirrorState> | undefined
  facts.set(job.id, { asked, previous: undefined })
  return {
    async mayReuse({ url }) {
      const state = running.get(name) ?? (await (loaded ??= records.open(name).then((one) => MirrorState.load(one))))
      return state.agrees(url, { asked, previous: job.previousJobId ?? null })
    },
    missed: (what) => job.warn(`${MISSED}: ${what}.`),
    async conclude() {
      loaded = undefined
      facts.set(job.id, { asked, previous: job.previousJobId ?? null })
    },
  }
}

/** Services for a run over the changes of a job. */
interface RunTools {
  readonly records: OpenRecords
  readonly describe: (jobId: string) => MirroredJob
  readonly now: () => number
  readonly enter: (name: string) => () => void
  readonly closing: AbortSignal
}

interface OpenRun {
  readonly leave: () => void
  readonly finder: ChangeFinder
  readonly state: MirrorState
}

/** Begins a run over the changes of a job. @throws TrawlError `BAD_REQUEST` for a job that has no mirror, or keeps no documents */
async function openRun(
  job: CalledJob,
  { unit = 'page', maxRemoved = MAX_REMOVED, transacts = false }: ChangesOptions & { readonly transacts?: boolean },
  { records, describe, now, enter, closing }: RunTools,
): Promise<OpenRun> {
  const { mirror: name, retain } = job.request as { readonly mirror?: string; readonly retain?: boolean }
  if (name === undefined)
    throw new TrawlError('BAD_REQUEST', `job ${job.id} has no mirror: name one in its request, as \`mirror: 'docs'\``)
  if (retain === false)
    throw new TrawlError(
      'BAD_REQUEST',
      `job ${job.id} keeps no documents (\`retain: false\`): a mirror reads them again after a crash`,
    )
  closing.throwIfAborted()
  const leave = enter(name)
  try {
    const record = await records.open(name)
    const state = await MirrorState.load(record)
    const announces = !transacts || record.transact === undefined
    const finder = new ChangeFinder(job, state, { unit, maxRemoved, announces, now, describe: () => describe(job.id) })
    await state.begin(job.id)
    return { state, finder, leave }
  } catch (error) {
    leave()
    throw error
  }
}

/** Reads the changes of a job, each of which is acknowledged when the next one is asked for. */
function readChanges(job: CalledJob, options: ChangesOptions, tools: RunTools): Changes<MirrorChange> {
  const summary = emptySummary()
  async function* read(): AsyncGenerator<MirrorChange, void, void> {
    const { state, finder, leave } = await openRun(job, options, tools)
    try {
      for await (const { change, saved } of finder.steps()) {
        yield change
        await state.record.save(saved)
      }
    } finally {
      leave()
      Object.assign(summary, finder.summary)
    }
  }
  return Object.assign(read(), { summary })
}
