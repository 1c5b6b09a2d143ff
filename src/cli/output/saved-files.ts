import { UsageError } from '../usage-error.js'
import { listTypes } from './open-output.js'
import type { WaitingFiles } from './output.js'
import { nameWaiting } from './waiting-files.js'

/** Options of a command that select files to save. */
interface FileOptions {
  readonly output?: string
  readonly database?: string
  readonly saveFiles?: boolean
}

/** Page options from the flags, not checked yet. */
type PageRequest = Readonly<Record<string, unknown>>

/** Adds the format of the files to those of the request, for `--save-files`. */
export function addFiles(pages: PageRequest, { saveFiles }: FileOptions): PageRequest {
  const { formats } = pages
  if (saveFiles !== true || listTypes(formats).includes('original')) return pages
  return { ...pages, formats: [...(Array.isArray(formats) ? (formats as unknown[]) : ['markdown']), 'original'] }
}

/**
 * Finds the folder in which files wait; undefined without `--save-files`, and where `--media` has them.
 *
 * @param media value of `--media`
 * @throws UsageError if there is no place for files
 */
export function findWaitingFiles(
  { saveFiles, output, database }: FileOptions,
  media?: unknown,
): WaitingFiles | undefined {
  if (saveFiles !== true || media !== undefined) return undefined
  if (output === undefined || /\.(?:ndjson|jsonl|csv|json|md|markdown)$/i.test(output))
    throw new UsageError(['--save-files: needs a place for files: --output FOLDER, or --media FOLDER'])
  return nameWaiting(output, database !== undefined)
}
