import type { EngineInternals } from '../../../kernel/engine/feature.js'
import type { FetchedPage } from '../../../kernel/fetch/fetched-page.js'
import { type AnswerRows, continueSeries, type FetchedAnswer, type UnreadAnswer } from '../data/continue-series.js'
import { type DataRows, findListInData, type ListedPage } from '../data/find-list-in-data.js'
import { learnSeries, type LearntSeries, type RecordedList } from '../data/learn-series.js'
import { findNextInData, type NextInData } from '../data/next-page-data.js'

/** Tasks on the data of pages, which run in worker threads. A task that takes too long has no result. */
export interface ListTasks {
  /** Finds the next page of a list in the data that a page embeds for its scripts. */
  nextPage(page: FetchedPage, signal: AbortSignal): Promise<NextInData | undefined>
  /** Finds the further rows of a list in the same data. */
  listInData(page: ListedPage, signal: AbortSignal): Promise<DataRows | undefined>
  /** Finds the answers that bring the entries of a list one part after the other. */
  learnSeries(page: RecordedList, signal: AbortSignal): Promise<LearntSeries | undefined>
  /** Reads the rows of a further answer of such a series. */
  continueSeries(answer: FetchedAnswer, signal: AbortSignal): Promise<AnswerRows | UnreadAnswer | undefined>
}

/** Maximum size of data that is compared with a list in the caller's thread, which nothing stops. Bytes or characters. */
const SMALL_BYTES = 65_536

const NO_BODY = new Uint8Array()

/** Functions that run tasks in threads. */
interface TaskRunner {
  readonly task: EngineInternals['task']
  readonly pageTask: EngineInternals['pageTask']
}

/** Creates the tasks of an engine. Those that compare rows with each value of the data run in a thread for small pages too. */
export const createListTasks = ({ task, pageTask }: TaskRunner): ListTasks => ({
  nextPage: (page, signal) => pageTask('list/nextPage', page, findNextInData, signal),
  listInData: ({ url, body, contentType, list }, signal) =>
    task(
      'list/listInData',
      { url, body, list, contentType },
      (page) => (page.body.byteLength <= SMALL_BYTES ? findListInData(page) : undefined),
      signal,
    ),
  learnSeries: (page, signal) =>
    task(
      'list/learnSeries',
      { ...page, body: NO_BODY },
      (given) =>
        given.answers.reduce((sum, { text }) => sum + text.length, 0) <= SMALL_BYTES ? learnSeries(given) : undefined,
      signal,
    ),
  continueSeries: (answer, signal) =>
    task('list/continueSeries', answer, (given) => continueSeries(given, SMALL_BYTES), signal),
})
