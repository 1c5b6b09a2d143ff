import { dropsRepeats } from '../../content/convert/convert.js'
import type { DroppedBlock } from '../../content/extract/fidelity/dropped-block.js'
import { defineFeature, type PlannedJob } from '../../kernel/engine/feature.js'
import { crawlDefaults } from '../../kernel/options/crawl-options.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { AskedJob } from '../../kernel/plan/feature-plan.js'
import type { ScrapePlan } from '../../kernel/plan/scrape-plan.js'
import { BlockLearner } from './block-learner.js'
import { MIN_PAGES } from './template-group.js'

/** Options of jobs that learn boilerplate. */
export interface BoilerplateOptions {
  /**
   * Remove blocks from the content that repeat over pages of one template: footers, consent texts, lists of related
   * pages, but never headings, code or tables. They are learned from the first four or five pages of a folder or host,
   * which are delayed until then and converted again. Applies only with `onlyMainContent` and without `includeTags`. Not
   * in the interface. @default false
   */
  learnBoilerplate?: boolean
}

/** Metadata of documents from jobs that learn boilerplate. */
export interface BoilerplateMetadata {
  /**
   * In a crawl or batch, blocks dropped from the content because they repeat over pages, each with its selector, size,
   * reason and the start of its text; at most 20, absent for none. @see {@link CrawlRequest.learnBoilerplate}
   */
  learntBoilerplate?: string[]
}

declare module '../../kernel/options/feature-options.js' {
  interface FeatureJobOptions extends BoilerplateOptions {}
}

declare module '../../kernel/page/document.js' {
  interface DocumentMetadata extends BoilerplateMetadata {}
}

/**
 * Plans the removal of repeated blocks: where the main content is detected, and a format drops them. The whole page, and a selection
 * by `includeTags`, stay as the caller requested them.
 */
function planLearning(
  { digest }: ScrapePlan,
  { learnBoilerplate = false, limit = crawlDefaults.limit }: AskedJob,
): PlannedJob | undefined {
  const { onlyMainContent, includeTags } = digest.extract
  if (!learnBoilerplate || limit < MIN_PAGES || !onlyMainContent || includeTags.length > 0) return undefined
  return digest.convert.formats.some(dropsRepeats) ? { slice: true } : undefined
}

/** Maximum number of dropped blocks that a document lists. */
const MAX_DROPPED = 20

const describeDropped = ({ selector, characters, reason, text }: DroppedBlock): string =>
  `${selector} (${characters} characters): ${reason}${text === '' ? '' : `: “${text}”`}`

/** Blocks that repeat over the pages of a job, and are left out of them. @internal */
export const boilerplate = defineFeature<true, readonly DroppedBlock[]>({
  name: 'boilerplate',
  options: {
    job: {
      learnBoilerplate: {
        schema: optionalBoolean,
        default: false,
        help: 'Drop content that repeats over pages of one template',
      },
    } satisfies OptionDefinitions<BoilerplateOptions>,
  },
  metadata: ['learntBoilerplate'] satisfies (keyof BoilerplateMetadata)[],
  planJob: planLearning,
  extendEngine: () => ({ job: (job) => ({ openLearner: () => new BlockLearner(job) }) }),
  document: (dropped) => ({ metadata: { learntBoilerplate: dropped.slice(0, MAX_DROPPED).map(describeDropped) } }),
})
