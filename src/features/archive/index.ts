import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { CallOptions } from '../../kernel/engine/engine-surface.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import type { FormatItem } from '../../kernel/options/fields/formats.js'
import type { DocumentOf } from '../../kernel/page/document.js'
import type { ArchiveOptions } from './archive-options.js'
import type { ArchivedAt, ArchiveRun } from './archive-run.js'
import type { Replay } from './replay/replay.js'
import { createArchiveCall } from './open-archive.js'
import { Archives, type ArchiveSlice, type PageSlice } from './write/archives.js'
import type { FeaturePage } from '../../kernel/page/feature-page.js'
import { targetSchema } from './write/archive-target.js'
import { type ArchiveSetting, planArchive, planPageArchive } from './write/plan-archive.js'
import type { EnginePlan } from '../../kernel/plan/plan-engine.js'
import type { JobView } from '../../kernel/job/job-hooks.js'
import type { ArchiveSource } from './read/read-archive.js'

export type { ArchiveFilters } from './archive-filters.js'
export type { ArchiveOptions, ArchiveReading } from './archive-options.js'
export type { Replay, ReplayOptions } from './replay/replay.js'
export type { ArchiveSettings, ArchiveTarget } from './write/archive-target.js'
export type { ArchiveSetting } from './write/plan-archive.js'
export type { ArchivedAt, ArchiveOutcome, ArchiveRun, ArchiveStatus } from './archive-run.js'
export type { SkipCause } from './read/capture.js'
export type { ArchiveSource, ByteStream } from './read/read-archive.js'

/** Call that reads archives. */
export interface ArchiveCalls {
  /**
   * Makes documents of the responses of an archive: WARC 1.0 and 1.1, ARC, WACZ, HAR, and folders of `wget --mirror` and HTTrack. Nothing
   * is fetched, nothing is held but the pages under way: an archive may have millions of records. `metadata.archive` says when a page was
   * archived, and where its record stands. A record that cannot be read is an outcome with its reason: see `outcomes()`.
   *
   * @param source paths of files and folders, bytes, or streams of bytes. What a file is, is told from its first bytes. A WACZ and the body of
   * a revisit record are read from files only, since a stream can be read once
   * @param options options of pages as those of `scrape`, and `filters` and `scheme`
   * @throws InvalidRequestError; TrawlError `ENGINE_CLOSED`. The loop throws TrawlError `BAD_REQUEST` for a file that cannot be opened
   * @see docs/guides/archives.md
   * @example
   * for await (const { markdown, metadata } of engine.archive('crawl.warc.gz', { filters: { url: '/docs/' } }))
   *   console.log(metadata.sourceURL, metadata.archive?.date, markdown)
   */
  archive<const F extends readonly FormatItem[] = readonly ['markdown']>(
    source: ArchiveSource | readonly ArchiveSource[],
    options?: ArchiveOptions<F>,
    call?: CallOptions,
  ): ArchiveRun<DocumentOf<F>>
}

/** Fields of the metadata of documents. */
export interface ArchiveMetadata {
  /** The record that the page is from; only for pages of `engine.archive()`. */
  archive?: ArchivedAt
}

declare module '../../kernel/engine/engine-surface.js' {
  interface FeatureCalls extends ArchiveCalls {}
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureConfig extends ArchiveSetting {}
  interface FeatureJobOptions extends ArchiveSetting {}
}

declare module '../../kernel/page/document.js' {
  interface DocumentMetadata extends ArchiveMetadata {}
}

const HELP = 'Write what is received to an archive: a path that ends with .warc.gz or .wacz, or a folder'

/** The archives of engines, by their settings: the observer and the jobs of an engine have the same. */
const archivesOf = new WeakMap<EnginePlan, Archives>()

function openArchives(settings: EnginePlan): Archives {
  const { archive: target, ownFetcher, now } = settings
  const recorded: Partial<Replay> = ownFetcher ?? {}
  const known = archivesOf.get(settings) ?? new Archives(target ?? recorded.target, now)
  archivesOf.set(settings, known)
  return known
}

/** Archives of the web: pages are read from them, written into them, and answered from them. @internal */
export const archive = defineFeature<ArchiveSlice | PageSlice>({
  name: 'archive',
  options: {
    engine: {
      archive: { schema: (z) => targetSchema(z).optional(), help: false },
    } satisfies OptionDefinitions<ArchiveSetting>,
    job: {
      archive: { schema: (z) => targetSchema(z).optional(), help: HELP, stores: 'writes what is received to a file' },
    } satisfies OptionDefinitions<ArchiveSetting>,
  },
  metadata: ['archive'],
  planJob: planArchive,
  plan: (_options, config) => planPageArchive(config),
  open({ settings }) {
    const archives = openArchives(settings)
    return {
      enrich: async (page, internals) => {
        await archives.settlePage(page as FeaturePage<PageSlice>, internals)
        return undefined
      },
    }
  },
  openObserver: openArchives,
  extendEngine: (engine) => {
    const archives = openArchives(engine.settings)
    return {
      calls: { archive: createArchiveCall(engine) as ArchiveCalls['archive'] },
      job: (job: JobView<ArchiveSlice>) => archives.openJob(job),
      release: () => archives.close(),
    }
  },
})
