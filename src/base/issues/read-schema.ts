import type { z } from 'zod'

type RawIssue = z.core.$ZodRawIssue

/** Limits of a length or a number, as the checks of a schema define them. */
export interface Limits {
  readonly min?: number
  readonly max?: number
  /** True where the minimum itself is not allowed. */
  readonly isAbove: boolean
  /** True where the maximum itself is not allowed. */
  readonly isBelow: boolean
  /** Type of the schema in the words of zod: `string`, `number`, `array`. */
  readonly type: string
}

type Check = { check: string; value?: number; inclusive?: boolean; minimum?: number; maximum?: number }

/** Reads the limits of the schema that an issue belongs to; undefined where it has none. */
export function readLimits(issue: RawIssue): Limits | undefined {
  const definition = findSchema(issue)
  const checks = (definition?.checks ?? []).map((check) => definitionOf(check) as Check)
  const lower = checks.find(({ check }) => check === 'greater_than' || check === 'min_length')
  const upper = checks.find(({ check }) => check === 'less_than' || check === 'max_length')
  const [min, max] = [lower?.minimum ?? lower?.value, upper?.maximum ?? upper?.value]
  if (definition === undefined || (min === undefined && max === undefined)) return undefined
  const [isAbove, isBelow] = [lower?.inclusive === false, upper?.inclusive === false]
  return { min, max, isAbove, isBelow, type: definition.type }
}

/** Lists the keys that the object schema of an issue allows. */
export const readKeys = (issue: RawIssue): string[] => Object.keys(readShape(issue))

/** Lists the keys that the object schema of an issue requires. */
export const readRequiredKeys = (issue: RawIssue): string[] =>
  Object.entries(readShape(issue)).flatMap(([key, { _zod: internals }]) =>
    internals.optin === 'optional' ? [] : [key],
  )

function readShape(issue: RawIssue): z.core.$ZodShape {
  const definition: object = findSchema(issue) ?? {}
  return 'shape' in definition ? (definition as z.core.$ZodObjectDef).shape : {}
}

/** Finds the schema of an issue. The issue of a check, such as a minimum, names the schema as well as the check. */
function findSchema(issue: RawIssue): z.core.$ZodTypeDef | undefined {
  const raised = issue.schema ?? issue.inst
  if (raised === undefined) return undefined
  const definition = definitionOf<z.core.$ZodTypeDef | z.core.$ZodCheckDef>(raised)
  return 'type' in definition ? definition : undefined
}

const definitionOf = <Definition>({ _zod: internals }: { readonly _zod: { readonly def: Definition } }): Definition =>
  internals.def
