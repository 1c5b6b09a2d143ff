import { type Judgement, judgeChanges, type PageVersions } from '../../../content/compare/judge-changes.js'
import type { FetchedPage } from '../../fetch/fetched-page.js'
import { hydrate, type HydratedPage } from '../../../content/hydration/hydrate.js'

/** Tasks on a page's bytes beside its digest. They are pure functions, so that they can run in a worker thread. */
interface PageTasks {
  /** Takes the text of a page from the data that it embeds for its scripts. */
  hydrate(page: FetchedPage): HydratedPage<FetchedPage> | undefined
  /** Judges the difference of two versions of a page. */
  judgeChanges(versions: PageVersions): Judgement
}

export const pageTasks: PageTasks = { hydrate, judgeChanges }
