import { parseJson } from '../../../base/text/parse-json.js'

/** Note about an ended page, stored for a job that resumes in another process. */
interface PageNote {
  /** Plain data for the strategy's `restore`. */
  readonly page?: unknown
  /** Facts that it has for other pages, by feature. */
  readonly [feature: string]: unknown
}

/** Serializes a note; undefined when it is empty. */
export function writeNote({ page, ...told }: PageNote): string | undefined {
  return page === undefined && Object.keys(told).length === 0 ? undefined : JSON.stringify({ page, ...told })
}

export const readNote = (text: string): PageNote => parseJson(text) as PageNote
