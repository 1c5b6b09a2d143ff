import { checkArgument, nonEmptyString, type Rule } from '../../../base/runtime/check-options.js'
import type { SchemaBuilder } from '../../../content/convert/format.js'
import { wholeNumber } from '../../../kernel/options/fields/basic-schemas.js'

/** Settings of an archive that is written. */
export interface ArchiveSettings {
  /**
   * Size at which a file is left, and the next one begun. Bytes, from 1,000,000.
   * @default 1,000,000,000
   */
  maxBytes?: number
  /**
   * Writes a body that the archive has already as a revisit record, which names the one that has it. With paths of earlier archives, also
   * for the bodies of those: they are then needed for reading this one.
   * @default true
   */
  dedupe?: boolean | string | readonly string[]
  /**
   * Keeps what says who asks: headers such as `Authorization` and `Cookie`, the values of `Set-Cookie`, and the fields of login forms. Without it
   * they are written as `scrubbed`.
   * @default false
   */
  keepCredentials?: boolean
}

/** An archive that is written: `warc(…)`, `wacz(…)`. Plain data, which is stored with the request of a job. */
export interface ArchiveTarget extends ArchiveSettings {
  readonly type: 'warc' | 'wacz'
  /** File; of `warc`, also a folder. */
  readonly path: string
}

/**
 * Writes what an engine or a job receives to WARC 1.1: one member of gzip for each record, and a CDXJ index beside. An archive that is there
 * is continued; a record that a dead process left unfinished is cut off.
 *
 * @param path a file, `.warc.gz` or `.warc`; another name is a folder of files
 * @see docs/guides/archives.md
 */
export const warc = (path: string, settings: ArchiveSettings = {}): ArchiveTarget => target('warc', path, settings)

/**
 * Writes what an engine or a job receives to a WACZ, which is packed when the engine is closed. Until then, and after a crash, its parts
 * stand in a folder beside it, with the ending `.parts`.
 *
 * @see https://specs.webrecorder.net/wacz/1.1.1/
 */
export const wacz = (path: string, settings: ArchiveSettings = {}): ArchiveTarget => target('wacz', path, settings)

/** Creates a target. Its settings are checked where it is used, as those of one that is plain data. @throws TypeError */
function target(type: ArchiveTarget['type'], path: string, settings: ArchiveSettings): ArchiveTarget {
  checkArgument(
    `${type}(path)`,
    path,
    nonEmptyString(`the path of a file, such as 'crawl.${type === 'warc' ? 'warc.gz' : type}'`),
  )
  checkArgument(`${type}(path)`, path, fittingName(type))
  checkArgument(`${type}(path)`, path, noArc)
  return { ...settings, type, path }
}

/** Names of files that the other function writes: a reader would take them for what they are not. */
const OTHER_NAMES = { warc: /\.wacz$/i, wacz: /\.warc(?:\.gz)?$/i } as const

const fittingName = (type: ArchiveTarget['type']): Rule => ({
  allowed: `the path of a ${type.toUpperCase()}: for this file, call \`${type === 'warc' ? 'wacz' : 'warc'}(path)\``,
  accepts: (value) => typeof value !== 'string' || !OTHER_NAMES[type].test(value),
})

const noArc = {
  allowed: 'the path of an archive that is written: what has the name of an ARC is read only',
  accepts: (value: unknown): boolean => typeof value !== 'string' || !/\.arc(?:\.gz)?$/i.test(value),
} satisfies Rule

/** A cassette: an archive that is recorded for tests, and whose files are the same for the same run but for dates. */
export interface CassetteTarget extends ArchiveTarget {
  readonly isCassette: true
}

/** Default size of a file. Bytes. @internal */
export const MAX_FILE_BYTES = 1_000_000_000

/** Creates the schema of a target: an object, or the path of a WARC or a WACZ. @internal */
export const targetSchema = (z: SchemaBuilder) => {
  const path = z
    .string()
    .min(1)
    .refine(noArc.accepts, { message: `not ${noArc.allowed}` })
  return z.union([
    path,
    z
      .strictObject({
        type: z.enum(['warc', 'wacz']),
        path,
        maxBytes: wholeNumber(z, 'bytes', 1_000_000).optional(),
        dedupe: z.union([z.boolean(), z.string().min(1), z.array(z.string().min(1))]).optional(),
        keepCredentials: z.boolean().optional(),
      })
      .refine((asked) => fittingName(asked.type).accepts(asked.path), {
        path: ['path'],
        message: 'the name of a WARC ends with `.warc.gz` or `.warc`, or is a folder, and that of a WACZ with `.wacz`',
      }),
  ])
}

/** Reads a target that may be given as a path. @internal */
export const readTarget = (given: string | ArchiveTarget): ArchiveTarget =>
  typeof given === 'string' ? { type: /\.wacz$/i.test(given) ? 'wacz' : 'warc', path: given } : given
