import type { JobBudget } from '../../../base/accounting/budget.js'
import type { OptionSchemas, SchemaBuilder } from '../../../content/convert/format.js'
import { inUnit } from '../../../base/issues/describe-issue.js'
import { wholeNumber } from './basic-schemas.js'

/** Creates the schema of a {@link JobBudget}. @internal */
export function budgetSchema(z: SchemaBuilder) {
  const seconds = () => z.number(inUnit('seconds')).gt(0).optional()
  return z.strictObject({
    bytes: wholeNumber(z, 'bytes', 1).optional(),
    requests: wholeNumber(z, 'requests', 1).optional(),
    browserSeconds: seconds(),
    modelTokens: wholeNumber(z, 'tokens', 1).optional(),
    modelCost: z.number().gt(0).optional(),
    seconds: seconds(),
  } satisfies OptionSchemas<JobBudget>)
}
