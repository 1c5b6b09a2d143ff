import { UsageError } from './usage-error.js'

/** Options of a command that select rows of lists. */
interface RowOptions {
  /** Value of `--output`. */
  readonly output?: string
  readonly rows?: boolean
  readonly all?: boolean
}

/** Page options from the flags, not checked yet. */
type PageRequest = Readonly<Record<string, unknown>>

/** Returns true if the output gets the rows of lists, and not pages. */
export const wantsRows = ({ rows, output = '' }: RowOptions): boolean => rows === true || /\.csv$/i.test(output)

/**
 * Completes the formats for `--all` and for rows: both need format `list`, which is the only one if none is given.
 *
 * @throws UsageError if formats are given, and `list` is not one of them
 */
export function completeFormats(pages: PageRequest = {}, options: RowOptions): PageRequest {
  const isAll = options.all === true
  if (!isAll && !wantsRows(options)) return pages
  const { formats } = pages
  const items: unknown[] = Array.isArray(formats) ? formats : ['list']
  if (!items.some(isList)) {
    const what = isAll ? '--all' : options.rows === true ? '--rows' : '--output: FILE.csv gets the rows of lists, which'
    throw new UsageError([`${what} needs format list: add it to --formats`])
  }
  return { ...pages, formats: isAll ? items.map((item) => (isList(item) ? toWholeList(item) : item)) : items }
}

const isList = (item: unknown): boolean =>
  item === 'list' || (typeof item === 'object' && item !== null && 'type' in item && item.type === 'list')

const toWholeList = (item: unknown): object => ({ ...(typeof item === 'object' && item), type: 'list', all: true })
