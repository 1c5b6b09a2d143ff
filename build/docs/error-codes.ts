import type { ErrorRow } from '../../src/base/errors.js'
import { errorTable } from '../../src/features/create-engine.js'

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorTable)

/**
 * Lists the error codes that an option can cause: those whose meaning in the table of errors names the option, or that
 * its text names.
 */
export function writeErrorCodes(name: string, text = ''): string[] {
  const codes = rows
    .filter(
      ([code, { means }]) =>
        means.includes(`\`${name}\``) || means.includes(`\`${name}.`) || text.includes(`\`${code}\``),
    )
    .map(([code]) => `\`${code}\``)
  return codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}; see [errors](errors.md).`]
}
