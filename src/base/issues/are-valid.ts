import type { z } from 'zod'

/** Creates a test for an object in which none of these fields has an issue: the condition of a rule that reads them. */
export const areValid =
  (...fields: string[]) =>
  ({ issues, value }: z.core.ParsePayload): boolean =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !issues.some(({ path }) => fields.includes(String(path?.[0])))
