import { createCheck } from '../../kernel/options/check.js'
import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import type { WorkOptions } from './pages/page-worker.js'

const check = createCheck<WorkOptions>((z) =>
  z.strictObject({ concurrency: wholeNumber(z, 'pages at once', 1).max(1000).optional() }),
)

/** Checks the options of working for other engines. @throws InvalidRequestError with every problem found */
export const checkWork = (options: unknown = {}): WorkOptions => check(options)
