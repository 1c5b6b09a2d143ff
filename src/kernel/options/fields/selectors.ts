import type { SchemaBuilder } from '../../../content/convert/format.js'
import { printSeen } from '../../../base/errors.js'
import { findSelectorFault } from '../../../content/parse/html/load-tree.js'

/** Creates the schema of a list of CSS selectors, and of words between asterisks: see `excludeTags`. @internal */
export const selectorsSchema = (z: SchemaBuilder) =>
  z.array(
    z.string().superRefine((selector, context) => {
      const message = /^\*[^*]+\*$/.test(selector.trim()) ? undefined : describeSelectorFault(selector)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    }),
  )

/** Describes the fault of a CSS selector; undefined if it is valid. */
export function describeSelectorFault(selector: string): string | undefined {
  const fault = findSelectorFault(selector)
  return fault === undefined ? undefined : `${printSeen(selector)} is not a CSS selector: ${fault}`
}
