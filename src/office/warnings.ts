/** Said of a file that was not read to its end. */
export const CUT_WARNING = 'The file is longer than can be read: its end is missing.'

/** Said of a file that ends before it should: a download that broke off. */
export const CUT_OFF_WARNING = 'The file is cut off: content after its last byte may be missing.'

/** Said of a workbook of which nothing is shown. */
export const EMPTY_WORKBOOK_WARNING =
  'No cell of a visible sheet has text or a number in it: charts, pictures and macros are not read.'

const MAX_NAMED = 10

/** Said of parts that a reader of the file does not see. */
export function hiddenWarning(kind: string, names: readonly string[]): string {
  return `Hidden ${kind}${names.length === 1 ? ' is' : 's are'} left out: ${listNames(names)}.`
}

/** Said of sheets that are a chart each. */
export const chartSheetWarning = (names: readonly string[]): string =>
  `${names.length === 1 ? 'A sheet that is a chart is' : 'Sheets that are charts are'} left out: ${listNames(names)}.`

function listNames(names: readonly string[]): string {
  const quoted = names.slice(0, MAX_NAMED).map((name) => `“${name}”`)
  const more = names.length - quoted.length
  return more > 0 ? `${quoted.join(', ')} and ${more} more` : quoted.join(', ')
}

/** Said of what is drawn, and is not told by its description alone. */
export const leftOutWarnings = ({
  charts,
  diagrams,
}: {
  readonly charts: number
  readonly diagrams: number
}): string[] =>
  [countOf(charts, 'chart'), countOf(diagrams, 'diagram')].flatMap((counted) =>
    counted === undefined ? [] : [`${counted} left out: what is drawn there is not read.`],
  )

const countOf = (count: number, kind: string): string | undefined =>
  count === 0 ? undefined : count === 1 ? `One ${kind} is` : `${count} ${kind}s are`
