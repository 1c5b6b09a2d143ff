import type { XmlTree } from './package/xml.js'

/** Warning about a file that exceeds the limits. */
export const CUT_WARNING = 'The file is longer than can be read: its end is missing.'

/** Warning about a truncated file, such as an interrupted download. */
export const CUT_OFF_WARNING = 'The file is cut off: content after its last byte may be missing.'

/** Warning about elements beyond the maximum depth. */
export const TOO_DEEP_WARNING = 'The file is nested too deeply: parts of it may be missing.'

/** Warning about rows and cells of OpenDocument tables that stand for many equal ones. */
export const REPEATS_WARNING = 'Rows or cells of a table that repeat too often are shown fewer times.'

/** Lists the warnings about what is missing of a part. */
export const lossWarnings = ({ isCut, isCutOff, isTooDeep }: XmlTree): string[] => [
  ...(isCut ? [CUT_WARNING] : isCutOff ? [CUT_OFF_WARNING] : []),
  ...(isTooDeep ? [TOO_DEEP_WARNING] : []),
]

/** Warning about a workbook without displayed cells. */
export const EMPTY_WORKBOOK_WARNING =
  'No cell of a visible sheet has text or a number. Charts, pictures and macros are not read.'

/** Writes the warnings about formulas without values, which programs write that do not calculate them. */
export const formulaWarnings = (count: number): string[] =>
  count === 0
    ? []
    : [
        count === 1
          ? 'A cell is empty, because the file has its formula without a value.'
          : `${count} cells are empty, because the file has their formulas without values.`,
      ]

const MAX_NAMED = 10

/** Writes the warning about hidden parts. */
export function hiddenWarning(kind: string, names: readonly string[]): string {
  return `Hidden ${kind}${names.length === 1 ? ' is' : 's are'} left out: ${listNames(names)}.`
}

/** Writes the warning about sheets that consist of a chart. */
export const chartSheetWarning = (names: readonly string[]): string =>
  `${names.length === 1 ? 'A sheet that is a chart is' : 'Sheets that are charts are'} left out: ${listNames(names)}.`

function listNames(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMED).map((name) => `“${name}”`)
  const more = names.length - quoted.length
  return more > 0 ? `${quoted.join(', ')} and ${more} more` : quoted.join(', ')
}

/** Writes the warnings about drawings whose contents are not text, and about embedded documents. */
export const leftOutWarnings = ({
  charts,
  diagrams,
  documents,
}: {
  readonly charts: number
  readonly diagrams: number
  readonly documents: number
}): string[] => {
  const drawings = [countOf(charts, 'chart'), countOf(diagrams, 'diagram')].flatMap((counted) =>
    counted === undefined ? [] : [`${counted} left out: only text is read.`],
  )
  const embedded = countOf(documents, 'embedded document')
  return embedded === undefined
    ? drawings
    : [...drawings, `${embedded} left out: only the text of the file itself is read.`]
}

const countOf = (count: number, kind: string): string | undefined =>
  count === 0 ? undefined : count === 1 ? `One ${kind} is` : `${count} ${kind}s are`
