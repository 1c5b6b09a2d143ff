import { createHash } from 'node:crypto'
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../runtime/make-folder.js'
import { findReportTarget, type ReportTarget } from './report-target.js'
import type { ReportFacts, ReportIndex } from './report-data.js'
import type { ReportView } from './load-view.js'

/** Bytes that are copied at once. */
const COPY_BYTES = 1 << 20

/**
 * File of a report that is being written. Blocks are collected in a temporary file, because they come after the list of all
 * pages, which is known last. The report gets its name when it is complete.
 */
export class ReportFile implements AsyncDisposable {
  /** Path of the report. */
  readonly path: string
  /** Bytes of the blocks so far. */
  bytes = 0
  readonly #target: ReportTarget
  readonly #blocks: FileHandle

  /** Begins a report. Its folder is created. @throws Error if the file cannot be replaced; Error of the file system */
  static async create(path: string): Promise<ReportFile> {
    await makeFolder(dirname(path))
    const target = await findReportTarget(path)
    return new ReportFile(path, target, await open(`${target.partial}-blocks`, 'wx+', target.mode))
  }

  constructor(path: string, target: ReportTarget, blocks: FileHandle) {
    this.path = path
    this.#target = target
    this.#blocks = blocks
  }

  /** Appends a block. */
  async append(text: string): Promise<void> {
    const { bytesWritten } = await this.#blocks.write(text)
    this.bytes += bytesWritten
  }

  /** Writes the report, and replaces an earlier one, whose permissions it gets. */
  async finish(view: ReportView, facts: ReportFacts, index: ReportIndex): Promise<void> {
    const { path, partial, mode } = this.#target
    const file = await open(partial, 'wx', mode)
    try {
      // The mode above is without what the umask takes away.
      if (mode !== undefined) await file.chmod(mode)
      await file.write(openPage(view))
      await file.write(toDataElement('facts', JSON.stringify(facts)))
      for (const text of printIndex(index)) await file.write(text)
      await file.write(`<script>${view.script}</script>\n`)
      const buffer = Buffer.alloc(COPY_BYTES)
      for (let at = 0; ;) {
        const { bytesRead } = await this.#blocks.read(buffer, 0, COPY_BYTES, at)
        if (bytesRead === 0) break
        await file.write(buffer, 0, bytesRead)
        at += bytesRead
      }
      await file.write('</body>\n</html>\n')
    } finally {
      await file.close()
    }
    await rename(partial, path)
  }

  /** Deletes the temporary files. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blocks.close()
    await rm(`${this.#target.partial}-blocks`, { force: true })
    await rm(this.#target.partial, { force: true })
  }
}

/** Deletes files of a folder by their names. A folder that does not exist has none. */
export async function deleteFiles(folder: string, isDeleted: (name: string) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((file) => isDeleted(file))) await rm(join(folder, name), { force: true })
}

/**
 * Writes the head of the page. Its policy allows the one script and the one style sheet that stand in it, data URLs of pictures,
 * and nothing else: a script of a crawled page does not run, and nothing is requested.
 */
function openPage({ script, style, body }: ReportView): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>trawl report</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body}
`
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** Formats JSON as an element. No text in it can end the element, or begin a comment. */
const toDataElement = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${escapeJson(json)}</script>\n`

const escapeJson = (json: string): string => json.replaceAll('<', '\\u003c')

/** Pages that are formatted at once: one text of all pages might be longer than a string can be. */
const PAGES_PER_TEXT = 1000

function* printIndex({ pages, ...others }: ReportIndex): Generator<string> {
  yield toDataElement('index', JSON.stringify(others))
  yield '<script type="application/json" id="pages">['
  for (let from = 0; from < pages.length; from += PAGES_PER_TEXT) {
    const some = escapeJson(JSON.stringify(pages.slice(from, from + PAGES_PER_TEXT)).slice(1, -1))
    yield from === 0 ? some : `,${some}`
  }
  yield ']</script>\n'
}
