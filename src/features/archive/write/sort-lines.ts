import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { yieldIfHeld } from '../../../base/concurrency/yield-turn.js'
import { splitLines } from '../read/lines.js'

/** Lines that are sorted at once: 20,000 lines of an index take some 20 ms. */
const LINES_AT_ONCE = 20_000
const READ_BYTES = 64 * 1024
/** Lines that are given together. */
const LINES_TOGETHER = 200

/** A part of a file. */
interface Part {
  readonly from: number
  readonly to: number
}

/** The next line of a part, and those behind it. */
interface Head {
  readonly line: string
  readonly rest: AsyncIterator<string>
}

/**
 * Sorts lines, in whatever number: a text of all may be larger than a string can be, and than memory. More than are sorted at once stand in a
 * file that has no name any more, sorted part by part, and are merged.
 *
 * @param scratch path beside which the file is made
 * @param linesAtOnce lines of a part
 * @returns the lines, each with its end, some together
 */
export async function* sortLines(
  lines: Iterable<string> | AsyncIterable<string>,
  scratch: string,
  linesAtOnce = LINES_AT_ONCE,
): AsyncGenerator<Buffer, void, undefined> {
  let held: string[] = []
  let file: FileHandle | undefined
  const parts: Part[] = []
  const take = (): Buffer => {
    const text = toText(held.sort())
    held = []
    return text
  }
  try {
    for await (const line of lines) {
      await yieldIfHeld()
      held.push(line)
      if (held.length < linesAtOnce) continue
      file ??= await openNameless(scratch)
      const from = parts.at(-1)?.to ?? 0
      const text = take()
      await file.appendFile(text)
      parts.push({ from, to: from + text.length })
    }
    if (!file) {
      yield take()
      return
    }
    const { length } = held
    const last = take()
    await file.appendFile(last)
    const from = parts.at(-1)?.to ?? 0
    if (length > 0) parts.push({ from, to: from + last.length })
    yield* merge(file, parts)
  } finally {
    await file?.close()
  }
}

const toText = (lines: readonly string[]): Buffer => Buffer.from(lines.map((line) => `${line}\n`).join(''))

async function openNameless(beside: string): Promise<FileHandle> {
  const path = `${beside}.${randomUUID()}.partial`
  const file = await open(path, 'wx+', 0o600)
  await rm(path)
  return file
}

async function* readPart(file: FileHandle, { from, to }: Part): AsyncGenerator<Buffer, void, undefined> {
  for (let at = from; at < to;) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(READ_BYTES, to - at)), { position: at })
    if (bytesRead === 0) return
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Merges sorted parts: of each, the next line is held. */
async function* merge(file: FileHandle, parts: readonly Part[]): AsyncGenerator<Buffer, void, undefined> {
  const heads: Head[] = []
  const advance = async (rest: AsyncIterator<string>): Promise<void> => {
    const { done, value: line } = await rest.next()
    if (!done) heads.splice(findPlace(heads, line), 0, { line, rest })
  }
  for (const part of parts) await advance(splitLines(readPart(file, part)))
  let ready: string[] = []
  for (let first = heads.shift(); first; first = heads.shift()) {
    ready.push(first.line)
    await advance(first.rest)
    if (ready.length < LINES_TOGETHER) continue
    yield toText(ready)
    ready = []
    await yieldIfHeld()
  }
  if (ready.length > 0) yield toText(ready)
}

/** Finds the place of a line among those that are sorted. */
function findPlace(heads: readonly Head[], line: string): number {
  let [low, high] = [0, heads.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((heads[middle]?.line ?? '') < line) low = middle + 1
    else high = middle
  }
  return low
}
