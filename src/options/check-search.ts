import { z } from 'zod'
import type { SearchFilter } from '../search/search-index.js'
import { wholeNumber } from './fields/basic-schemas.js'
import { parseChecked } from './parse-checked.js'

/** A checked search. */
export interface CheckedSearch {
  query: string
  limit?: number | undefined
  filter?: SearchFilter | undefined
}

/** Defaults of a search. */
export const searchDefaults = { limit: 10 } as const

/** Maximum characters of a query. */
const MAX_QUERY_LENGTH = 10_000
/** Maximum number of hits. */
const MAX_HITS = 100

const isDate = (text: string): boolean => !Number.isNaN(Date.parse(text))
const dateSchema = () => z.string().refine(isDate, 'is not an ISO date').optional()

const createSearchSchema = () =>
  z.strictObject({
    query: z.string().max(MAX_QUERY_LENGTH),
    limit: wholeNumber(z, 'hits', 0).max(MAX_HITS).optional(),
    filter: z
      .strictObject({
        url: z.string().optional(),
        language: z.string().min(1).optional(),
        after: dateSchema(),
        before: dateSchema(),
      })
      .optional(),
  })

/** Checks a question. @throws InvalidRequestError */
export const checkQuestion = (question: unknown): string =>
  parseChecked<string>(z.string().min(1).max(MAX_QUERY_LENGTH), question, ['question'])

/** Checks a search. @throws InvalidRequestError with every problem found */
export const checkSearch = (query: unknown, options: object = {}): CheckedSearch =>
  parseChecked<CheckedSearch>(createSearchSchema(), { ...options, query })
