import type { ListRow } from '../../index.js'

type CsvValue = ListRow[string] | undefined

/** Separates the values of one cell. */
const SEPARATOR = ' | '

/** Formats a record of CSV, with its line break. @see https://www.rfc-editor.org/rfc/rfc4180 */
export const printRecord = (values: readonly CsvValue[]): string => `${values.map(printCell).join(',')}\r\n`

function printCell(value: CsvValue): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = disarm(Array.isArray(value) ? value.join(SEPARATOR) : (value ?? ''))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Puts an apostrophe before a text that a spreadsheet could run as a formula: also if its sign is written in another form, or
 * after characters that nobody sees, which some programs drop. A number with a sign is none.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection
 */
const disarm = (text: string): string =>
  /^\p{Default_Ignorable_Code_Point}*[=+\-@＝＋－＠\u2212\ufe62\ufe63\ufe66\ufe6b\t\r\n]/u.test(text) &&
  !/^[+\-\u2212][\d.,]+$/.test(text)
    ? `'${text}`
    : text
