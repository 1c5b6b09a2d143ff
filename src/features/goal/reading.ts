import type { TreeQuery } from '../../content/extract/tree-task.js'
import type { GoalTerms } from './relevance/goal-words.js'

/** Plans the reading of pages for a goal: `src/features/tasks.ts` has the task. */
export const readingOf = (terms: GoalTerms): TreeQuery => ({ task: 'goal/words', argument: terms })
