import type { SchemaBuilder } from '../../convert/format.js'
import { findSelectorFault } from '../../parse/html/find-selector-fault.js'
import { printSeen } from '../../errors.js'

/** A list of CSS selectors, or of words between asterisks: see `excludeTags`. @internal */
export const selectorsSchema = (z: SchemaBuilder) =>
  z.array(
    z.string().superRefine((selector, context) => {
      const message = /^\*[^*]+\*$/.test(selector.trim()) ? undefined : describeSelectorFault(selector)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    }),
  )

/** What is wrong with a CSS selector; undefined when nothing is. */
export function describeSelectorFault(selector: string): string | undefined {
  const fault = findSelectorFault(selector)
  return fault === undefined ? undefined : `${printSeen(selector)} is not a CSS selector: ${fault}`
}
