import { existsSync, createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { Document, LedgerRow, ReportedJob } from '../../index.js'
import { UsageError } from '../usage-error.js'

/** A source of documents for a report: the pages that `--output` of a command has written to a folder. */
interface OutputFolder extends ReportedJob {
  readonly kind: 'pages'
  /** Files of pages that the index names, and that were not there when they were read. */
  readonly missing: ReadonlySet<string>
}

/**
 * Reads the folder of `--output` of a command. Pages are read one by one.
 *
 * @throws UsageError for another folder
 */
export async function readOutputFolder(folder: string): Promise<OutputFolder> {
  const index = join(folder, 'index.ndjson')
  if (!existsSync(index)) throw new UsageError([`FILE: ${folder} has no index.ndjson, so it is no output of a crawl`])
  const { mtime } = await stat(index)
  let completed = 0
  let creditsUsed = 0
  for await (const { metadata } of readIndex(index)) {
    completed += 1
    creditsUsed += metadata.creditsUsed
  }
  const reader = new DocumentReader(folder, index)
  const written = mtime.toISOString()
  return {
    kind: 'pages',
    missing: reader.missing,
    request: { url: folder },
    async *urls() {
      for await (const line of readIndex(index)) yield toRow(line, mtime.getTime())
    },
    async status({ skip = 0, limit = 100 } = {}) {
      const data = await reader.read(skip, limit)
      const counts = { completed, total: completed, failed: 0, skipped: 0, skippedByReason: {}, creditsUsed }
      const used = { bytes: 0, requests: 0, browserSeconds: 0, modelTokens: 0, modelCost: 0, seconds: 0 }
      const times = { createdAt: written, expiresAt: written }
      const next = skip + data.length < completed ? { next: 'more' } : {}
      return { success: true, status: 'completed', ...counts, used, ...times, data, ...next }
    },
  }
}

/** Reads documents in order, so that the index is read once. */
class DocumentReader {
  /** Files that were not there. */
  readonly missing = new Set<string>()
  readonly #folder: string
  readonly #index: string
  #lines: AsyncIterator<IndexLine> | undefined
  #at = 0

  constructor(folder: string, index: string) {
    this.#folder = folder
    this.#index = index
  }

  /** Reads documents after the first `skip`. */
  async read(skip: number, limit: number): Promise<Document[]> {
    if (this.#lines === undefined || skip < this.#at) {
      this.#lines = readIndex(this.#index)[Symbol.asyncIterator]()
      this.#at = 0
    }
    const documents: Document[] = []
    while (documents.length < limit) {
      const { value, done } = await this.#lines.next()
      if (done === true) break
      this.#at += 1
      if (this.#at > skip) documents.push(await this.#readDocument(value))
    }
    return documents
  }

  async #readDocument({ file, ...document }: IndexLine): Promise<Document> {
    const path = resolve(this.#folder, file)
    if (!path.startsWith(resolve(this.#folder) + sep))
      throw new UsageError([`FILE: the index names ${file}, outside of the folder`])
    try {
      return { ...document, markdown: withoutFrontMatter(await readFile(path, 'utf8')) }
    } catch (error) {
      // The user may have deleted a page.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      this.missing.add(file)
      return document
    }
  }
}

/** Removes the lines between `---` at the start. */
function withoutFrontMatter(text: string): string {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1
  return end < 0 ? text : text.slice(end + 5).trimStart()
}

function toRow({ metadata, warning }: IndexLine, nowMs: number): LedgerRow {
  const { sourceURL: url, url: finalUrl, statusCode, creditsUsed, discoveredFrom, depth = 0, duplicateOf } = metadata
  const attempt = { startedAtMs: nowMs, endedAtMs: nowMs, statusCode }
  const row = { key: url, url, depth, outcome: 'done', attempts: [attempt], foundAtMs: nowMs } as const
  return {
    ...row,
    via: discoveredFrom === undefined ? 'seed' : 'link',
    credits: creditsUsed,
    foundOn: discoveredFrom,
    duplicateOf,
    finalUrl: finalUrl === url ? undefined : finalUrl,
    warning,
  }
}

/** Line of the `index.ndjson` of a folder: a document without its Markdown, and the file that has it. */
interface IndexLine extends Document {
  readonly url: string
  readonly file: string
}

/** Reads the lines of an `index.ndjson`. @throws SyntaxError for a damaged one */
async function* readIndex(index: string): AsyncGenerator<IndexLine, void, void> {
  for await (const line of readLines(index)) if (line.trim() !== '') yield JSON.parse(line) as IndexLine
}

/** Reads the lines of a file. `node:readline` of Node 24 ends lines at U+2028 and U+2029 too, which JSON has within texts. */
async function* readLines(path: string): AsyncGenerator<string, void, void> {
  let begun: string[] = []
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const [first = '', ...others] = chunk.split('\n')
    begun.push(first)
    for (const next of others) {
      yield begun.join('')
      begun = [next]
    }
  }
  yield begun.join('')
}
