import type { ListTemplate } from '../../../content/extract/list/page-list.js'
import type { ExpandPlan } from '../../../kernel/fetch/browser-plan.js'
import type { FetchedPage, ListGrowth } from '../../../kernel/fetch/fetched-page.js'
import type { FollowedPages } from './follow-pages.js'
import type { ListContext } from './read-further-page.js'
import type { ListEnding, ListStep } from './list-ending.js'
import { readAnswers } from './read-answers.js'
import { type FurtherPage, readFurtherPage, withinTime } from './read-further-page.js'
import { RowMerger } from './row-merger.js'

/** The rows of a list from all sources, and how they end. */
export interface ListReading extends FollowedPages {
  readonly rows: RowMerger
  readonly heading: string | undefined
}

/** The list as its pages deliver it. */
interface PlainList {
  readonly heading: ListReading['heading']
  readonly steps: ListReading['steps']
  readonly page: FetchedPage
  /** Undefined if the page has no list. */
  readonly rows: RowMerger | undefined
}

/**
 * Reads the list of the page in a browser, where it grows. Once the page has shown which requests bring further entries,
 * the rest is requested over HTTP. If that is not possible, the page is loaded once more, and grows to its end.
 */
export async function readInBrowser(
  context: ListContext,
  { page: { url }, rows: known, heading, steps }: PlainList,
  signal: AbortSignal,
): Promise<ListReading | undefined> {
  const { maxRows } = context
  // Rows from data have the fields of the first page. Otherwise, the list in the browser has more to choose them by.
  const keeps = known && steps.some(({ how, added }) => how === 'data' && added > 0) ? known : undefined
  const load = async (expand: ExpandPlan, template?: ListTemplate): Promise<FurtherPage | string> => {
    const request = { url, expand, template }
    return await withinTime(context, signal, readFurtherPage(context, request, signal))
  }
  const answer = await load({ maxRows, recordsAnswers: true }, keeps?.template)
  if (typeof answer === 'string') return known && { rows: known, heading, steps, stoppedBy: answer }
  const { list, fetched } = answer
  if (!list || known?.isIn(list) === false) return known && { rows: known, heading, steps, stoppedBy: NO_LIST }
  const before = known?.items.length ?? 0
  const rows = keeps ?? new RowMerger(list, maxRows)
  keeps?.add(list)
  const step: ListStep = {
    how: 'browser',
    url,
    evidence: 'the page itself',
    added: Math.max(0, rows.items.length - before),
  }
  const reading = { rows, heading: list.heading ?? heading, steps: [...steps, step] }
  if (fetched.growth?.stoppedBy !== 'answers') return { ...reading, ...describeGrowth(rows, growthOf(answer)) }
  const { answers = [] } = fetched.growth
  const recorded = { url: fetched.url, answers, list }
  const continued = await withinTime(context, signal, readAnswers(context, recorded, reading, signal))
  if (typeof continued !== 'string' && continued.isDone) return { ...reading, ...continued.ending }
  const whole = await load({ maxRows }, rows.template)
  if (typeof whole === 'string') return { ...reading, stoppedBy: whole }
  if (!whole.list) return { ...reading, stoppedBy: NO_LIST }
  const added = rows.add(whole.list)
  const why = typeof continued === 'string' ? continued : (continued.ending.stoppedBy ?? 'They have not shown the end.')
  reading.steps.push({ how: 'browser', url, evidence: `the page itself, because: ${why}`, added })
  return { ...reading, ...describeGrowth(rows, growthOf(whole)) }
}

/** End of a list that has grown in the browser. */
interface GrowthEnd {
  readonly end?: string
  readonly stoppedBy?: ListGrowth['stoppedBy']
}

const NO_LIST = 'The list is not in the page of the browser.'

const growthOf = ({ list, fetched }: FurtherPage): GrowthEnd => ({
  ...fetched.growth,
  end: list?.end ?? fetched.growth?.end,
})

/** Describes the end of a list that has grown. */
export function describeGrowth(rows: RowMerger, { end, stoppedBy }: GrowthEnd): ListEnding {
  const isInterrupted = stoppedBy === 'timeout' || stoppedBy === 'bytes' || stoppedBy === 'navigation'
  // Advertisements that are not known as such count as entries: with them, a list that was cut off may reach its total.
  if (rows.hasTotal && !isInterrupted) return { end: `all ${rows.entries} entries` }
  if (rows.isFull) return { stoppedBy: rows.whyFull }
  return end === undefined ? { stoppedBy: growthEndings[stoppedBy ?? 'idle'] } : { end }
}

const growthEndings = {
  idle: 'Two attempts to load more in the browser brought nothing new, and the page does not say that the list ends.',
  failed: 'A request by which the page loads more of the list failed.',
  most: 'The list has more rows than `most`.',
  timeout: 'The list was still growing when the `timeout` of the page was nearly up.',
  bytes: 'The list was still growing when it reached the limit of bytes of a page.',
  answers: 'The requests of the page could not be continued.',
  navigation: 'The page went to another document while it loaded more of the list.',
} as const
