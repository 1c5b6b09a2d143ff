import { type ErrorRow, errorTable } from '../../src/errors.js'

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorTable)

/** The error codes that an option may lead to, by what the table of errors says, and the text of the option. */
export function writeErrorCodes(name: string, text = ''): string[] {
  const codes = rows
    .filter(
      ([code, { means }]) =>
        means.includes(`\`${name}\``) || means.includes(`\`${name}.`) || text.includes(`\`${code}\``),
    )
    .map(([code]) => `\`${code}\``)
  return codes.length === 0 ? [] : [`Errors: ${codes.join(', ')}; see [errors](errors.md).`]
}
