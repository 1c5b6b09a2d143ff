import type { JobBudget } from '../../base/accounting/budget.js'
import { checkCall, checkResumeJob } from '../options/check.js'

/** Reads the options of waiting for a job. @throws InvalidRequestError with every problem found */
export const planWaiting = (options: unknown): AbortSignal | undefined => checkCall(options).signal

/** Reads the options of resuming a job. @throws InvalidRequestError with every problem found */
export const planResuming = (options: unknown): JobBudget | undefined => checkResumeJob(options).budget
