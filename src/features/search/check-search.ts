import { isObject } from '../../base/collections/is-object.js'
import type { SearchFilter } from './search-index.js'
import type { SearchOptions } from './search-options.js'
import { checkCall, createCheck } from '../../kernel/options/check.js'
import { wholeNumber } from '../../kernel/options/fields/basic-schemas.js'
import type { SchemaBuilder } from '../../content/convert/format.js'

/** A checked search. */
interface CheckedSearch {
  query: string
  limit?: number
  filter?: SearchFilter
}

/** Defaults of a search. */
export const searchDefaults = { limit: 10 } as const

/** Maximum characters of a query. */
const MAX_QUERY_LENGTH = 10_000
/** Maximum number of hits. */
const MAX_HITS = 100

/** Tests for a date that begins with its year: `Date.parse` reads `03/04/2024` as well, as a day of March. */
const isDate = (text: string): boolean =>
  Number.isInteger(Number(text.slice(0, 4))) &&
  (text.length === 4 || text[4] === '-') &&
  !Number.isNaN(Date.parse(text))
const dateSchema = (z: SchemaBuilder) => z.string().refine(isDate, 'is not an ISO date').optional()

const optionShape = (z: SchemaBuilder) => ({
  limit: wholeNumber(z, 'hits', 0).max(MAX_HITS).optional(),
  filter: z
    .strictObject({
      url: z.string().optional(),
      language: z.string().min(1).optional(),
      after: dateSchema(z),
      before: dateSchema(z),
    })
    .optional(),
})

/** Checks a question. @throws InvalidRequestError */
export const checkQuestion = createCheck((z) => z.string().min(1).max(MAX_QUERY_LENGTH), ['question'])

const checkAskOptions = createCheck(
  (z) => z.strictObject({ limit: z.any(), filter: z.any(), signal: z.any() }).partial(),
  ['options'],
)

/** Checks the options of a question, and separates the signal from those of its search. @throws InvalidRequestError with every problem found */
export function checkAsk(options: unknown): { signal: AbortSignal | undefined; search: SearchOptions } {
  // A number or a text in place of the options would be spread into none, or into its characters.
  if (!isObject(options ?? {})) checkAskOptions(options)
  const { signal, ...search } = isObject(options) ? options : {}
  return { signal: checkCall({ signal }).signal, search }
}

const checkSearchOptions = createCheck((z) => z.strictObject(optionShape(z)), ['options'])

const checkWhole = createCheck<CheckedSearch>((z) =>
  z.strictObject({ query: z.string().max(MAX_QUERY_LENGTH), ...optionShape(z) }),
)

/** Checks a search. @throws InvalidRequestError with every problem found */
export function checkSearch(query: unknown, options: object | null = {}): CheckedSearch {
  // A number or a text in place of the options would be spread into none, or into its characters.
  if (options !== null && !isObject(options)) checkSearchOptions(options)
  return checkWhole({ ...options, query })
}
