import { statSync } from 'node:fs'
import type { Document } from '../../index.js'
import { UsageError } from '../usage-error.js'
import { openFolder } from './folder-output.js'
import { openNdjson } from './ndjson-output.js'
import { type Output, STANDARD_OUTPUT, type WaitingFiles } from './output.js'
import { removeLeft } from '../../base/folder/left-files.js'
import { NoFileError, openPartialFile } from '../../base/folder/partial-file.js'
import type { Terminal } from '../terminal/terminal.js'

/** Selection of the output. */
interface OutputRequest {
  /** Value of `--output`. */
  readonly path: string | undefined
  /** Value of `--formats`. */
  readonly formats: unknown
  /** Folder in which files wait until their pages are written. @default none */
  readonly waiting?: WaitingFiles
  /** True to print Markdown to standard output, and not documents as JSON. */
  readonly asMarkdown: boolean
}

/**
 * Opens the selected output of the pages of a job.
 *
 * @throws UsageError if the path names no possible output, such as a file where a folder is meant, or a folder is selected
 * without format `markdown`
 * @throws Error of the file system
 */
export function openOutput(
  { path, formats, waiting, asMarkdown }: OutputRequest,
  terminal: Terminal,
): Output<Document> {
  if (path === undefined) return openStandardOutput(terminal, asMarkdown ? printMarkdown : printDocument)
  if (/\.(ndjson|jsonl)$/i.test(path)) {
    refuseFolder(path)
    return openWritable(path, openNdjson)
  }
  refuseFile(path, 'FILE.ndjson nor a folder; FILE.csv gets the rows of lists')
  return openPages(path, formats, { waiting, replaces: true })
}

/**
 * Opens the selected output of one page: also FILE.md for its Markdown, and FILE.json for the document.
 *
 * @throws UsageError, Error of the file system; see {@link openOutput}
 */
export function openPageOutput(request: OutputRequest, terminal: Terminal): Output<Document> {
  const { path, formats, waiting } = request
  if (path === undefined || /\.(ndjson|jsonl)$/i.test(path)) return openOutput(request, terminal)
  if (/\.(md|markdown)$/i.test(path) && isFolder(path) !== true) {
    if (!listTypes(formats).includes('markdown'))
      throw new UsageError([`--output: ${path} gets Markdown: add --formats markdown, or write to FILE.json`])
    return openFile(path, printMarkdown)
  }
  if (/\.json$/i.test(path) && isFolder(path) !== true) return openFile(path, printDocument)
  refuseFile(path, 'FILE.md, FILE.json, FILE.ndjson, FILE.csv nor a folder')
  return openPages(path, formats, { waiting, replaces: false })
}

/** Opens a folder, for the pages of a job, which replace those of an earlier one, or for one more page. */
function openPages(
  path: string,
  formats: unknown,
  options: { readonly waiting?: WaitingFiles; readonly replaces: boolean },
): Output<Document> {
  if (!listTypes(formats).includes('markdown')) {
    throw new UsageError(['--output: a folder gets Markdown: add --formats markdown, or write to FILE.ndjson'])
  }
  if (isFolder(path) === false) {
    throw new UsageError([`--output: ${path} is not a folder: pages are written to FILE.ndjson or to a folder`])
  }
  const settings = {
    wantsOriginals: listTypes(formats).includes('original'),
    ...options,
  }
  return openWritable(path, () => openFolder(path, settings))
}

/** Opens an output, and says of an error that it is of `--output`. @throws UsageError; Error of the file system */
export function openWritable<Opened>(path: string, open: (path: string) => Opened): Opened {
  try {
    return open(path)
  } catch (error) {
    if (error instanceof NoFileError) throw new UsageError([`--output: ${error.message}`])
    if (error instanceof Error && 'syscall' in error) error.message += `: --output ${path} cannot be written`
    throw error
  }
}

/** Opens a file that has its final name when it is complete. */
function openFile(path: string, print: (document: Document) => string): Output<Document> {
  const file = openWritable(path, () => {
    removeLeft(path)
    return openPartialFile(path)
  })
  return { write: async (document) => file.append(print(document)), close: file.close, destination: path }
}

/** Extensions of files that are no output: who names one does not mean a folder, unless there is one, or a slash follows. */
const FILE_EXTENSION =
  /\.(md|markdown|json|txt|text|html?|xml|ya?ml|tsv|xlsx?|parquet|pdf|docx?|rtf|log|db|sqlite3?|zip|gz|tar|tgz|png|jpe?g)$/i

/** Refuses a path that means a file, and not a folder. @throws UsageError */
function refuseFile(path: string, outputs: string): void {
  if (path !== '' && (isFolder(path) === true || !FILE_EXTENSION.test(path))) return
  const view = /\.html?$/i.test(path) ? '; `trawl show` and `trawl report` write HTML' : ''
  throw new UsageError([`--output: ${JSON.stringify(path)} is neither ${outputs}${view}`])
}

/** Tests whether a path is a folder; undefined if there is nothing. */
const isFolder = (path: string): boolean | undefined =>
  openWritable(path, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory()

/** Refuses a folder as the path of a file: renaming the finished file would fail after the whole job. @throws UsageError */
export function refuseFolder(path: string): void {
  if (isFolder(path)) throw new UsageError([`--output: ${path} is a folder`])
}

/** Lists the types in the value of `--formats`, which has not been checked. @default ['markdown'] */
export function listTypes(formats: unknown): unknown[] {
  if (!Array.isArray(formats)) return ['markdown']
  return formats.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'type' in item ? item.type : item,
  )
}

const openStandardOutput = (terminal: Terminal, print: (document: Document) => string): Output<Document> => ({
  write: (document) => terminal.print(print(document)),
  close: () => undefined,
  destination: STANDARD_OUTPUT,
})

const printDocument = (document: Document): string => `${JSON.stringify(document)}\n`

const printMarkdown = ({ markdown = '' }: Document): string => (/(^|\n)$/.test(markdown) ? markdown : `${markdown}\n`)
