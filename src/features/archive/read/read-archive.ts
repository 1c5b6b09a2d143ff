import { resolve } from 'node:path'
import { type ArchiveInput, type ByteStream, describePath, endedBy, fileInput, streamInput } from './archive-input.js'
import type { ArchiveEntry, ReadingOptions } from './capture.js'
import { listRecordFiles, listRolled, listWaczRecords } from './list-records.js'
import { readHar } from './read-har.js'
import { readMirror } from './read-mirror.js'
import { readWarc } from './read-warc.js'

/** A path, bytes, or a stream of an archive. */
export type ArchiveSource = string | Uint8Array | ByteStream

export type { ByteStream }

/** Options of reading sources. */
interface ArchiveReadOptions extends ReadingOptions {
  /** Scheme of the URLs of mirrored folders, which do not say it. */
  readonly scheme: 'http' | 'https'
}

/**
 * Reads the responses of archives, in their order. What a file is, is told from its first bytes.
 *
 * @throws TrawlError `BAD_REQUEST` for a file that cannot be opened
 */
export async function* readArchive(
  sources: readonly ArchiveSource[],
  options: ArchiveReadOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  // Files of records are read together: a revisit record of one may have its body in another.
  const records: ArchiveInput[] = []
  const add = async function* (source: ArchiveSource): AsyncGenerator<ArchiveEntry, void, undefined> {
    const given = typeof source === 'string' ? fileInput(source) : streamInput(toStream(source))
    const { kind, input, packedBy } = await sniffKind(endedBy(given, options.signal))
    if (kind === 'har') yield* readHar(input, options)
    else if (packedBy !== undefined)
      yield {
        broken: `The file is compressed by ${packedBy}, which is not read here: decompress it first`,
        place: { file: input.name },
      }
    else if (kind === 'zip' && typeof source === 'string') {
      const found = await listWaczRecords(source)
      for (const { path, why } of found.left) yield { broken: why, place: { file: path } }
      records.push(...found.records)
    } else if (kind === 'zip')
      yield {
        broken: 'A WACZ is read from a file, and not from a stream: its directory is at its end',
        place: { file: input.name },
      }
    else records.push(input)
  }
  // A list may name the files of one that was rolled, which are then not read twice.
  const named = new Set(sources.map((source) => (typeof source === 'string' ? resolve(source) : source)))
  for (const source of sources) {
    const isFolder = typeof source === 'string' && (await describePath(source)).isFolder
    const { files, left } = isFolder ? await listRecordFiles(source) : { files: [], left: [] }
    for (const { path, why } of left) yield { broken: why, place: { file: path } }
    for (const file of files) yield* add(file)
    if (isFolder && files.length + left.length === 0) yield* readMirror(source, options.scheme, options)
    if (isFolder) continue
    yield* add(source)
    for (const file of typeof source === 'string' ? await listRolled(source) : [])
      if (!named.has(resolve(file))) yield* add(file)
  }
  yield* readWarc(
    records.map((input) => endedBy(input, options.signal)),
    options,
  )
}

const toStream = (source: Exclude<ArchiveSource, string>): ByteStream =>
  source instanceof Uint8Array ? once(source) : source

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Tells what an input is. @returns the input to read, since a stream can be read once */
async function sniffKind(input: ArchiveInput): Promise<{
  readonly kind: 'zip' | 'har' | 'records'
  readonly input: ArchiveInput
  readonly packedBy: string | undefined
}> {
  const chunks = input.bytes()[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 64) {
    const { done, value } = await chunks.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    try {
      yield head
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
    } finally {
      await chunks.return?.()
    }
  }
  const text = head.toString('latin1')
  const kind = kindOf(text, input.name)
  const packedBy = PACKERS.find(([signature]) => text.startsWith(signature))?.[1]
  if (input.path === undefined) return { kind, input: { ...input, bytes: rest }, packedBy }
  await chunks.return?.()
  return { kind, input, packedBy }
}

/** Tells what a file is by its first bytes, or, where those are damaged, by its name. */
function kindOf(text: string, name: string): 'zip' | 'har' | 'records' {
  // An object of JSON goes on with a name: bytes that were damaged may be a brace as well.
  if (/^(?:\xef\xbb\xbf)?\s*\{\s*(?:["}]|$)/.test(text)) return 'har'
  if (text.startsWith('PK\x03\x04')) return 'zip'
  if (text.startsWith('\x1f\x8b') || /^(?:WARC\/|filedesc:)/i.test(text)) return 'records'
  return /\.har$/i.test(name) ? 'har' : /\.wacz$/i.test(name) ? 'zip' : 'records'
}

/** Programs that archives are compressed with besides gzip, by what their files begin with; `.warc.zst` also begins with a dictionary. */
const PACKERS: readonly (readonly [string, string])[] = [
  ['(\xb5\x2f\xfd', 'zstd'],
  ['\x5d\x2a\x4d\x18', 'zstd'],
  ['BZh', 'bzip2'],
  ['\xfd7zXZ', 'xz'],
]
