import { realpath, rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { modeOf, replaceFile } from '../../../base/folder/replace-file.js'
import { type ByteStream, fileInput, partInput } from '../read/archive-input.js'
import { targetOf } from '../read/archive-record.js'
import { formatLine } from '../read/cdxj.js'
import { indexPath, scanIndex } from '../read/read-index.js'
import { readRecords } from '../read/read-records.js'
import { sortLines } from './sort-lines.js'

/** Records that were written together: a request and its response. */
interface RecordGroup {
  readonly target: string
  readonly from: number
  readonly isRequest: boolean
  to: number
}

/**
 * Sorts the records of a cassette by their URLs: they were written in the order in which their requests ended, which is another one in each
 * run. A process that writes the file as well finds its index gone, and goes on elsewhere.
 *
 * @throws errors of the file system
 */
export async function sortCassette(path: string): Promise<void> {
  const mode = await modeOf(indexPath(path))
  await rm(indexPath(path), { force: true })
  const groups = await listGroups(path)
  if (!groups) return
  const sorted = groups.toSorted((one, other) => (one.target < other.target ? -1 : one.target > other.target ? 1 : 0))
  await replaceFile(await realpath(path), readParts(path, sorted))
  const { found } = await scanIndex({ ...fileInput(path), name: basename(path) }, 0, groups.at(-1)?.to ?? 0)
  const lines = found.map((line) => formatLine(line).trimEnd())
  await replaceFile(indexPath(path), sortLines(lines, indexPath(path)), { mode })
}

async function* readParts(path: string, groups: readonly RecordGroup[]): ByteStream {
  for (const { from, to } of groups) yield* partInput(path, path, from, to - from).bytes()
}

/** Lists what was written together. @returns undefined for a file with what is no record of its own, which stays as it is */
async function listGroups(path: string): Promise<readonly RecordGroup[] | undefined> {
  const groups: RecordGroup[] = []
  const { size } = await stat(path)
  for await (const record of readRecords(fileInput(path), { wants: () => false, blockBytes: 0 })) {
    const { offset: from } = record.place
    if ('damage' in record || from === undefined) return undefined
    // What a file begins with has no URL, and stays before all.
    const target = targetOf(record) ?? ''
    const last = groups.at(-1)
    if (last) last.to = from
    if (!last?.isRequest || record.type === 'request' || last.target !== target)
      groups.push({ target, from, to: size, isRequest: record.type === 'request' })
    else groups[groups.length - 1] = { ...last, to: size, isRequest: false }
  }
  return groups
}
