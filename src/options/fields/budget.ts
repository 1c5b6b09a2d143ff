import type { JobBudget } from '../../accounting/budget.js'
import type { OptionSchemas, SchemaBuilder } from '../../convert/format.js'
import { inUnit } from '../issues/describe-issue.js'

/** Creates the schema of a {@link JobBudget}. @internal */
export function budgetSchema(z: SchemaBuilder) {
  const whole = (unit: string) => z.number(inUnit(unit)).multipleOf(1).min(1).optional()
  const seconds = () => z.number(inUnit('seconds')).gt(0).optional()
  return z.strictObject({
    bytes: whole('bytes'),
    requests: whole('requests'),
    browserSeconds: seconds(),
    modelTokens: whole('tokens'),
    modelCost: z.number().gt(0).optional(),
    seconds: seconds(),
  } satisfies OptionSchemas<JobBudget>)
}
