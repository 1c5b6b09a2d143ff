import { diffArrays, FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff'

/** A file of a diff, in the structure of the parse-diff library. */
export interface DiffFile {
  from: string
  to: string
  chunks: {
    content: string
    changes: {
      type: 'add' | 'del' | 'normal'
      normal?: boolean
      ln?: number
      ln1?: number
      ln2?: number
      content: string
    }[]
  }[]
}

/** The differences of two texts, by line. */
export interface LineDiff {
  /** A unified diff, with three lines around each change. */
  text: string
  json: { files: DiffFile[] }
}

/** Maximum number of edits in a diff; the time to find them grows with their square. */
const MAX_EDITS = 1000

const CONTEXT = 3

/** Compares two texts by line. For texts that differ by more than 1,000 lines, the result replaces all lines. */
export function diffLines(previous: string, current: string): LineDiff {
  const [before, after] = [endLine(previous), endLine(current)]
  const patch =
    structuredPatch('previous', 'current', before, after, undefined, undefined, {
      context: CONTEXT,
      maxEditLength: MAX_EDITS,
    }) ?? replaceAll(before, after)
  const chunks = patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    content: `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    changes: numberLines(lines, oldStart, newStart),
  }))
  return {
    text: formatPatch(patch, FILE_HEADERS_ONLY).trimEnd(),
    json: { files: [{ from: 'previous', to: 'current', chunks }] },
  }
}

const endLine = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

type Patch = NonNullable<ReturnType<typeof structuredPatch>>

function replaceAll(before: string, after: string): Patch {
  const [removed, added] = [linesOf(before), linesOf(after)]
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  const hunk = { oldStart: 1, oldLines: removed.length, newStart: 1, newLines: added.length, lines }
  return {
    oldFileName: 'previous',
    newFileName: 'current',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [hunk],
  }
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.slice(0, -1).split('\n'))

type Change = DiffFile['chunks'][number]['changes'][number]

function numberLines(lines: readonly string[], oldStart: number, newStart: number): Change[] {
  let [ln1, ln2] = [oldStart, newStart]
  return lines.map((content): Change => {
    if (content.startsWith('+')) return { type: 'add', ln: ln2++, content }
    if (content.startsWith('-')) return { type: 'del', ln: ln1++, content }
    return { type: 'normal', normal: true, ln1: ln1++, ln2: ln2++, content }
  })
}

/**
 * Aligns two lists: pairs of indexes of equal entries, in order in both. Undefined when the lists differ by more than
 * 1,000 edits.
 */
export function alignKeys(previous: readonly string[], current: readonly string[]): [number, number][] | undefined {
  const parts = diffArrays([...previous], [...current], { maxEditLength: MAX_EDITS })
  if (parts === undefined) return undefined
  const pairs: [number, number][] = []
  let [before, after] = [0, 0]
  for (const { added, removed, count } of parts) {
    if (!added && !removed) for (let at = 0; at < count; at++) pairs.push([before + at, after + at])
    if (!added) before += count
    if (!removed) after += count
  }
  return pairs
}
