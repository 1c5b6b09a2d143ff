import { createHash, randomUUID } from 'node:crypto'
import { appendFile, type FileHandle, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isObject } from '../../../base/collections/is-object.js'
import { TrawlError } from '../../../base/errors.js'
import { lockFile } from '../../../base/folder/lock-file.js'
import { modeOf } from '../../../base/folder/replace-file.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { VERSION } from '../../../base/runtime/version.js'
import { tryParseJson } from '../../../base/text/parse-json.js'
import { type ArchiveInput, fileInput, partInput } from '../read/archive-input.js'
import { type CaptureLine, formatLine } from '../read/cdxj.js'
import { allLines, splitBytes } from '../read/lines.js'
import { isRecordFile } from '../read/list-records.js'
import { indexPath, listIndex, scanIndex } from '../read/read-index.js'
import { openZipEntries } from '../read/zip-directory.js'
import { sortLines } from './sort-lines.js'
import { ZipWriter } from './zip-writer.js'

/** Folder of the parts of a WACZ that is not packed yet. */
export const partsOf = (path: string): string => `${path}.parts`

const PAGES = 'pages.jsonl'
const PAGES_ENTRY = 'pages/pages.jsonl'
/** Characters of the list of pages that are written at once. */
const MAX_READY = 64 * 1024
const HEAD = { format: 'json-pages-1.0', id: 'pages', title: 'Pages' }

/** The list of the pages of a WACZ, which viewers show. */
export class WaczPages {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Adds a page. */
  async add(
    url: string,
    { metadata }: { readonly metadata?: { readonly title?: unknown } },
    timeMs: number,
  ): Promise<void> {
    const title = typeof metadata?.title === 'string' ? metadata.title : undefined
    const line = { id: randomUUID(), url, ts: new Date(timeMs).toISOString(), title }
    await makeFolder(partsOf(this.path))
    await appendFile(join(partsOf(this.path), PAGES), `${JSON.stringify(line)}\n`)
  }
}

/**
 * Packs the parts of a WACZ together with what it has already, and removes them. Another engine may write parts meanwhile, and pack them
 * afterwards.
 *
 * @see https://specs.webrecorder.net/wacz/1.1.1/
 */
export async function packWacz(path: string, nowMs: number): Promise<void> {
  const names = await readdir(partsOf(path)).catch((): string[] => [])
  if (!names.some(isRecordFile)) return
  const unlock = await lockFile(`${path}.lock`)
  try {
    await packParts(path, nowMs)
  } finally {
    await unlock()
  }
}

async function packParts(path: string, nowMs: number): Promise<void> {
  const folder = partsOf(path)
  // Another engine may have packed them by now.
  const names = (await readdir(folder).catch((): string[] => [])).filter(isRecordFile).toSorted()
  if (names.length === 0) return
  const before = await openWacz(path)
  const parts: SealedPart[] = []
  for (const name of names) parts.push(await sealPart(join(folder, name)))
  const pages = await open(join(folder, PAGES), 'a+')
  try {
    const list = new PageLines(pages.createReadStream({ start: 0, autoClose: false }))
    const temporary = `${path}.new`
    const mode = await modeOf(path)
    const file = await open(temporary, 'w', mode)
    try {
      if (mode !== undefined) await file.chmod(mode)
      await writeZip(new ZipWriter(file, new Date(nowMs)), nowMs, { before, parts, pages: list, scratch: temporary })
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(temporary, { force: true })
      throw error
    }
    const rest = await readBehind(pages, list.bytes)
    await rename(temporary, path)
    for (const part of parts) await rm(part.path)
    await rm(join(folder, PAGES), { force: true })
    // Another engine may have added pages until now.
    const later = await readBehind(pages, list.bytes + rest.length)
    const left = Buffer.concat([rest, later])
    if (left.length > 0) await appendFile(join(folder, PAGES), left)
  } finally {
    await pages.close()
  }
  // What another engine has begun meanwhile stays.
  await rmdir(folder).catch(() => undefined)
}

/** Reads what is behind a place of a file. */
async function readBehind(file: FileHandle, from: number): Promise<Buffer> {
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.max(0, size - from))
  let read = 0
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, from + read)
    if (bytesRead === 0) break
    read += bytesRead
  }
  return bytes.subarray(0, read)
}

/** The lines of a list of pages. The last line may be torn, or is being written: it is none. */
class PageLines implements AsyncIterable<string> {
  /** Size of the lines that were given, as they stand in the file. Bytes. */
  bytes = 0
  readonly #text: AsyncIterable<Uint8Array>

  constructor(text: AsyncIterable<Uint8Array>) {
    this.#text = text
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    for await (const line of splitBytes(this.#text)) {
      this.bytes += line.length + 1
      yield line.toString()
    }
  }
}

/** Content that a WACZ has already. */
interface PackedWacz {
  readonly entries: readonly ArchiveInput[]
  readonly lines: readonly CaptureLine[]
  /** Hashes of its files of records: a process may have died after it packed its parts, and before it removed them. */
  readonly hashes: ReadonlySet<string>
}

const MADE_ANEW = /^(?:datapackage(?:-digest)?\.json|indexes\/.*|pages\/pages\.jsonl)$/

/** Opens a WACZ that is there. @throws TrawlError for a file that is none, which is not overwritten */
async function openWacz(path: string): Promise<PackedWacz> {
  const isThere = await stat(path).then(
    ({ size }) => size > 0,
    () => false,
  )
  if (!isThere) return { entries: [], lines: [], hashes: new Set() }
  const entries = (await openZipEntries(path)).map((entry) => ({ ...entry, name: entry.name.slice(path.length + 1) }))
  const lines = (await listIndex(path)).map(({ input, ...line }) => ({
    ...line,
    filename: basename(input.name),
  }))
  const facts = await readFacts(path, entries)
  const resources: unknown = isObject(facts) ? facts['resources'] : []
  const hashes = Array.isArray(resources) ? resources.flatMap((one: unknown) => (isObject(one) ? one['hash'] : [])) : []
  return { entries, lines, hashes: new Set(hashes.map(String)) }
}

/** Maximum size of the description of a WACZ: it has some 200 for each of its files. Bytes. */
const MAX_FACTS_BYTES = 8 * 1024 * 1024

/** Reads the description of a WACZ. @throws TrawlError for one that is too large, or no JSON: the file is not replaced, and its parts stay */
async function readFacts(path: string, entries: readonly ArchiveInput[]): Promise<unknown> {
  const refuse = (what: string): TrawlError =>
    new TrawlError('BAD_REQUEST', `The archive \`${path}\` cannot be added to: its \`datapackage.json\` ${what}`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of entries.find(({ name }) => name === 'datapackage.json')?.bytes() ?? []) {
    bytes += chunk.length
    if (bytes > MAX_FACTS_BYTES) throw refuse(`has more than ${MAX_FACTS_BYTES} bytes`)
    parts.push(chunk)
  }
  if (bytes === 0) return undefined
  const facts = tryParseJson(Buffer.concat(parts).toString())
  if (facts === undefined) throw refuse('is no JSON')
  return facts
}

/** A file of records that nobody writes any more. */
interface SealedPart {
  readonly path: string
  readonly lines: readonly CaptureLine[]
  readonly content: ArchiveInput
}

/**
 * Takes the index of a file away: a process that writes the file finds that after each record, and writes the record again, elsewhere. So
 * what is in the file up to here is all that it will have. A process that dies afterwards leaves the file, whose index is made again.
 */
async function sealPart(path: string): Promise<SealedPart> {
  const known = await listIndex(path)
  await rm(indexPath(path), { force: true })
  const { size } = await stat(path)
  const from = known.reduce((end, { offset, length }) => Math.max(end, offset + length), 0)
  const { end, found } = await scanIndex(fileInput(path), from, size)
  return { path, lines: [...known, ...found], content: partInput(path, path, 0, end) }
}

/** Parts of a WACZ that is written. */
interface WaczParts {
  readonly before: PackedWacz
  readonly parts: readonly SealedPart[]
  readonly pages: PageLines
  /** Path beside which the lines of the index may stand while they are sorted. */
  readonly scratch: string
}

async function writeZip(zip: ZipWriter, nowMs: number, { before, parts, pages, scratch }: WaczParts): Promise<void> {
  const resources: object[] = []
  const add = async (name: string, content: AsyncIterable<Uint8Array> | Buffer): Promise<void> => {
    const { hash, bytes } = await zip.add(name, content)
    resources.push({ name: name.split('/').at(-1), path: name, hash: `sha256:${hash}`, bytes })
  }
  const indexes: NamedIndex[] = [{ lines: before.lines }]
  const taken = new Set<string>()
  for (const { name, bytes } of before.entries) {
    if (MADE_ANEW.test(name)) continue
    taken.add(basename(name))
    await add(name, bytes())
  }
  for (const part of parts) {
    if (before.hashes.has(await hashOf(part.content))) continue
    const filename = freeName(basename(part.path), taken)
    taken.add(filename)
    await add(`archive/${filename}`, part.content.bytes())
    indexes.push({ lines: part.lines, filename })
  }
  await add('indexes/index.cdxj', sortLines(formatLines(indexes), scratch))
  const earlier = before.entries.find(({ name }) => name === PAGES_ENTRY)
  await add(PAGES_ENTRY, listPages([...(earlier ? [allLines(earlier.bytes())] : []), pages]))
  const created = new Date(nowMs).toISOString()
  const facts = { profile: 'data-package', wacz_version: '1.1.1', software: `trawl/${VERSION}`, created, resources }
  const datapackage = Buffer.from(JSON.stringify(facts, undefined, 2))
  await zip.add('datapackage.json', datapackage)
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`
  await zip.add('datapackage-digest.json', Buffer.from(JSON.stringify({ path: 'datapackage.json', hash })))
  await zip.end()
}

/** Index of a file, and the name that it has in the WACZ if that is another one. */
interface NamedIndex {
  readonly lines: readonly CaptureLine[]
  readonly filename?: string
}

function* formatLines(indexes: readonly NamedIndex[]): Generator<string, void, undefined> {
  for (const { lines, filename } of indexes)
    for (const line of lines) yield formatLine(filename === undefined ? line : { ...line, filename }).trimEnd()
}

/** Writes the list of pages, each once, behind its head. */
async function* listPages(lists: readonly AsyncIterable<string>[]): AsyncGenerator<Buffer, void, undefined> {
  let ready = `${JSON.stringify(HEAD)}\n`
  const listed = new Set([''])
  for (const lines of lists) {
    for await (const line of lines) {
      if (listed.has(line) || isHead(line)) continue
      listed.add(line)
      ready += `${line}\n`
      if (ready.length < MAX_READY) continue
      yield Buffer.from(ready)
      ready = ''
    }
  }
  yield Buffer.from(ready)
}

/** Tests for the head of a list of pages, of whatever program. */
const isHead = (line: string): boolean => {
  const facts = tryParseJson(line.slice(0, 1000))
  return isObject(facts) && 'format' in facts && !('url' in facts)
}

async function hashOf(content: ArchiveInput): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of content.bytes()) hash.update(chunk)
  return `sha256:${hash.digest('hex')}`
}

/** Returns a name that no file of records in the WACZ has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 0, free = name; ; number += 1) {
    if (!taken.has(free)) return free
    free = `archive-${String(number).padStart(5, '0')}.warc.gz`
  }
}
