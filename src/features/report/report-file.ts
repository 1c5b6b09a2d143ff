import { createHash } from 'node:crypto'
import { type FileHandle, lstat, open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolder } from '../../base/runtime/make-folder.js'
import { makeUuid } from '../../base/uuid.js'
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

/** File that a report is written to. */
interface ReportTarget {
  /** Path of the file: for a symbolic link, that of its target. */
  readonly path: string
  /** Name of the file until it is complete. */
  readonly partial: string
  /** Permissions of the file that is replaced; undefined if it is new. */
  readonly mode: number | undefined
}

/** Characters of a name that its temporary name begins with: with an id, it is no longer than the 255 bytes that names may have. */
const KEPT_CHARACTERS = 40

/**
 * Finds the file that a report is written to. A symbolic link is followed only if it belongs to the owner of its target: in a shared
 * folder, another user may have prepared it.
 *
 * @throws Error if the path is no file that can be replaced, such as a device; Error of the file system
 */
async function findReportTarget(path: string): Promise<ReportTarget> {
  const link = await orNone(lstat(path))
  const isLink = link?.isSymbolicLink() === true
  const target = isLink ? await readLink(path) : path
  const found = await orNone(stat(target))
  if (found?.isFile() === false) throw new Error(`${path} is not a file that a report can replace`)
  if (isLink && (found ?? (await stat(dirname(target)))).uid !== link.uid)
    throw new Error(`${path} is a link to a file of another user: name ${target} itself`)
  const name = `${basename(target).slice(0, KEPT_CHARACTERS)}.${makeUuid(Date.now())}.partial`
  return { path: target, partial: join(dirname(target), name), mode: found && found.mode & 0o777 }
}

/** Returns the path that a symbolic link leads to, which may not exist. */
const readLink = async (path: string): Promise<string> =>
  (await orNone(realpath(path))) ?? resolve(await realpath(dirname(path)), await readlink(path))

/** Awaits facts about a file; undefined if it does not exist. @throws Error of the file system */
async function orNone<Fact>(fact: Promise<Fact>): Promise<Fact | undefined> {
  try {
    return await fact
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
