import { createCheck } from '../../kernel/options/check.js'
import type { FormatItem } from '../../kernel/options/fields/formats.js'
import { mustBe } from '../../base/issues/describe-issue.js'
import type { ScrapeOptions } from '../../kernel/options/scrape-options.js'
import { compileEcmaPattern } from '../../base/text/linear-pattern.js'
import { InvalidRequestError } from '../../base/errors.js'
import type { SchemaBuilder } from '../../content/convert/format.js'
import type { ArchiveFilters } from './archive-filters.js'
import type { ArchiveSource } from './read/read-archive.js'

/** Options of reading an archive, besides those of the pages. */
export interface ArchiveReading {
  /** Filters of the responses. @default those of pages: no redirects, images, scripts and style sheets */
  filters?: ArchiveFilters
  /** Scheme of the URLs of a mirrored folder, which does not say it. @default 'https' */
  scheme?: 'http' | 'https'
}

/**
 * Options of {@link ArchiveCalls.archive}: those of reading, and those of pages. Options for fetching have no effect.
 *
 * @typeParam F formats of the documents
 */
export type ArchiveOptions<F extends readonly FormatItem[] = readonly FormatItem[]> = ArchiveReading & ScrapeOptions<F>

const texts = (z: SchemaBuilder) => z.union([z.string().min(1), z.array(z.string().min(1)).max(1000)]).optional()

const isPattern = (source: string): boolean => {
  try {
    compileEcmaPattern(source)
    return true
  } catch {
    return false
  }
}

const patterns = (z: SchemaBuilder) =>
  z
    .union([z.string().min(1).max(10_000), z.array(z.string().min(1).max(10_000)).max(1000)])
    .refine((given) => [given].flat().every(isPattern), mustBe('a regular expression in the syntax of RE2'))
    .optional()

const dates = (z: SchemaBuilder) =>
  z.union([z.date(), z.string().refine((text) => !Number.isNaN(Date.parse(text)), mustBe('a date'))]).optional()

const checkReading = createCheck<ArchiveReading>(
  (z) =>
    z.strictObject({
      filters: z
        .strictObject({
          url: patterns(z),
          exclude: patterns(z),
          status: z
            .array(z.union([z.number().int().min(100).max(599), z.enum(['1xx', '2xx', '3xx', '4xx', '5xx'])]))
            .max(500)
            .optional(),
          type: texts(z),
          from: dates(z),
          to: dates(z),
        })
        .optional(),
      scheme: z.enum(['http', 'https']).optional(),
    }),
  [],
)

/** Separates the options of reading from those of the pages. @throws InvalidRequestError */
export function checkArchiveOptions({ filters, scheme, ...page }: ArchiveOptions): {
  readonly reading: ArchiveReading
  readonly page: ScrapeOptions
} {
  return { reading: checkReading({ filters, scheme }), page }
}

/** Checks what an archive is read from. @throws InvalidRequestError */
export function checkSources(given: unknown): readonly ArchiveSource[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given]
  for (const [index, one] of list.entries()) {
    const isStream = typeof one === 'object' && one !== null && Symbol.asyncIterator in one
    if (isStream || one instanceof Uint8Array || (typeof one === 'string' && one !== '')) continue
    const path = Array.isArray(given) ? ['source', index] : ['source']
    throw new InvalidRequestError([
      { code: 'invalid_type', path, message: 'is no path, no bytes and no stream of bytes' },
    ])
  }
  if (list.length === 0)
    throw new InvalidRequestError([{ code: 'invalid_type', path: ['source'], message: 'is an empty list' }])
  return list as readonly ArchiveSource[]
}
