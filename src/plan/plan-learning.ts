import { jobDefaults } from '../options/defaults.js'
import type { JobOptions } from '../options/job-options.js'
import type { ScrapePlan } from './scrape-plan.js'

/** Formats that are made of the content, and not of the page as it came. */
const OF_CONTENT: ReadonlySet<string> = new Set(['markdown', 'html', 'images'])

/**
 * Whether a job learns what is boilerplate: where it looks for the main content itself. What the caller chose with
 * `includeTags`, or asked for whole, is left as it is; and nobody waits for pages of which nothing is made that it changes.
 */
export function planLearning(
  { learnBoilerplate = jobDefaults.learnBoilerplate }: JobOptions,
  { digest }: ScrapePlan,
): boolean {
  const { onlyMainContent, includeTags } = digest.extract
  const isSeen = digest.convert.formats.some(({ type }) => OF_CONTENT.has(type))
  return learnBoilerplate && onlyMainContent && includeTags.length === 0 && isSeen
}
