import type { WorkTask } from '../../content/digest/workers/worker.js'
import type { AsyncPageTasks } from '../../kernel/page/workers/page-pool.js'
import { readSiteIndex, type SiteIndexTask } from './site-search/read-site-index.js'
import type { IndexAnswer } from './site-search/site-index.js'
import { type AnswerTask, readAnswer, type ReadAnswer } from './read-answer.js'
import { readDescription, type SearchDescription } from './read-description.js'

/** Maximum size of what a task reads in the caller's thread, where there are no others: nothing stops it there. Bytes. */
const SMALL_BYTES = 65_536
/** Maximum size of a search index that is read in the caller's thread. Bytes. A larger one may repeat a long text for many pages. */
const SMALL_INDEX = 8192
/** Reason why a larger one is not read. */
const TOO_LARGE = 'it is too large to be read without worker threads'

const NO_BODY = new Uint8Array()

/** Runs a task in a thread. */
interface TaskRunner {
  readonly task: AsyncPageTasks['task']
}

const sizeOf = ({ files }: SiteIndexTask): number => files.reduce((sum, { body }) => sum + body.byteLength, 0)

/** Finds the pages of a site's search index that fit a goal. @returns what is wrong with the index; undefined if it took too long */
export async function readIndexAside(
  task: SiteIndexTask,
  runner: TaskRunner,
  signal: AbortSignal,
): Promise<IndexAnswer | string | undefined> {
  if (sizeOf(task) <= SMALL_INDEX) return readSiteIndex(task)
  const here = (index: SiteIndexTask): IndexAnswer | string =>
    sizeOf(index) <= SMALL_BYTES ? readSiteIndex(index) : TOO_LARGE
  return await runner.task<SiteIndexTask & WorkTask['page'], IndexAnswer | string>(
    'goal/siteIndex',
    { ...task, url: task.index.root, body: NO_BODY },
    here,
    signal,
  )
}

/** Finds the results on the search page of a site. @returns what is wrong with the page; undefined if it took too long */
export async function readAnswerAside(
  task: AnswerTask,
  runner: TaskRunner,
  signal: AbortSignal,
): Promise<ReadAnswer | string | undefined> {
  const here = (answer: AnswerTask): ReadAnswer | string =>
    answer.body.byteLength <= SMALL_BYTES ? readAnswer(answer) : TOO_LARGE
  return await runner.task<AnswerTask, ReadAnswer | string>('goal/searchAnswer', task, here, signal)
}

/** Finds the template of a search page in an OpenSearch description. @returns undefined if there is none */
export const readDescriptionAside = (
  description: SearchDescription,
  runner: TaskRunner,
  signal: AbortSignal,
): Promise<string | undefined> => runner.task('goal/searchDescription', description, readDescription, signal)
