import type { WrittenReport } from '../../index.js'
import { UsageError } from '../usage-error.js'
import { findTarget } from '../../base/folder/partial-file.js'
import { openWritable } from '../output/open-output.js'
import { countItems } from '../output/summary.js'

/** Requires the path of a report: of a new file, or one that can be replaced. @throws UsageError */
export function requireHtml(path: string): void {
  if (!/\.html?$/i.test(path)) throw new UsageError([`--output: a report needs FILE.html, not ${JSON.stringify(path)}`])
  openWritable(path, findTarget)
}

/** Describes the files of a report. */
export function describeReport({ file, parts, pages }: WrittenReport): string {
  const written = `${countItems(pages, 'URL')} written to ${file}`
  return parts.length === 0
    ? written
    : `${written}; contents of further pages: ${countItems(parts.length, 'file')} beside it`
}
