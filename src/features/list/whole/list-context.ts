import type { Deadline } from '../../../base/concurrency/deadline.js'
import type { RequestsForPage } from '../../../kernel/page/feature-steps.js'
import type { ScrapePlan } from '../../../kernel/plan/scrape-plan.js'
import type { ListTasks } from './list-tasks.js'

/** Options of reading a list to its end. */
export interface WholeListPlan {
  /** Number of rows after which it is not read further. */
  readonly maxRows: number
}

/** A page whose list is read to its end. */
export interface ListContext extends WholeListPlan {
  readonly plan: Pick<ScrapePlan, 'digest'>
  /** The page's own deadline. */
  readonly deadline: Pick<Deadline, 'signal'>
  readonly requests: RequestsForPage
  readonly tasks: ListTasks
}
