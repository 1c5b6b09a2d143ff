import { type Judgement, judgeChanges, type PageVersions } from '../../../content/compare/judge-changes.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { hydrate, type HydratedPage } from '../../fetch/hydration/hydrate.js'
import { findNextInData, type NextInData } from '../../fetch/hydration/next-page-data.js'
import { readPageData } from '../../fetch/hydration/page-data.js'
import { type AnswerRows, continueSeries, type FetchedAnswer, type UnreadAnswer } from '../list-data/continue-series.js'
import { type DataRows, findListInData } from '../list-data/find-list-in-data.js'
import type { VisibleList } from '../list-data/learn-mapping.js'
import { learnSeries, type LearntSeries, type RecordedList } from '../list-data/learn-series.js'

/** A page with the list that it shows. */
export interface ListedPage extends FetchedPage {
  readonly list: VisibleList
}

/** Tasks on a page's bytes beside its digest. They are pure functions, so that they can run in a worker thread. */
export interface PageTasks {
  /** Takes the text of a page from the data that it embeds for its scripts. */
  hydrate(page: FetchedPage): HydratedPage | undefined
  /** Finds the next page of a list in the data that a page embeds for its scripts. */
  nextPage(page: FetchedPage): NextInData | undefined
  /** Finds the further rows of a list in the same data. */
  listInData(page: ListedPage): DataRows | undefined
  /** Finds the answers that bring the entries of a list one part after the other. */
  learnSeries(page: RecordedList): LearntSeries | undefined
  /** Reads the rows of a further answer of such a series. */
  continueSeries(answer: FetchedAnswer): AnswerRows | UnreadAnswer
  /** Judges the difference of two versions of a page. */
  judgeChanges(versions: PageVersions): Judgement
}

export const pageTasks: PageTasks = {
  hydrate,
  nextPage(page) {
    const brought = readPageData(page)
    return brought && findNextInData(brought, page.url)
  },
  listInData: (page) => findListInData(page, page.list),
  learnSeries,
  continueSeries: (answer) => continueSeries(answer),
  judgeChanges,
}
