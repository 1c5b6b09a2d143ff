import { statSync } from 'node:fs'
import type { Document } from '../../index.js'
import { UsageError } from '../usage-error.js'
import { openFolder } from './folder-output.js'
import { openNdjson } from './ndjson-output.js'
import { type Output, STANDARD_OUTPUT } from './output.js'
import type { Terminal } from '../terminal/terminal.js'

/** Selection of the output. */
interface OutputRequest {
  /** Value of `--output`. */
  readonly path: string | undefined
  /** Value of `--formats`. */
  readonly formats: unknown
  /** True to print Markdown to standard output, and not documents as JSON. */
  readonly asMarkdown: boolean
}

/**
 * Opens the selected output.
 *
 * @throws UsageError if the path names no possible output, such as a file where a folder is meant, or a folder is selected
 * without format `markdown`
 * @throws Error of the file system
 */
export function openOutput({ path, formats, asMarkdown }: OutputRequest, terminal: Terminal): Output<Document> {
  if (path === undefined) return openStandardOutput(terminal, asMarkdown ? printMarkdown : printDocument)
  if (/\.(ndjson|jsonl)$/i.test(path)) {
    refuseFolder(path)
    return openNdjson(path)
  }
  if (path === '' || /\.(md|json)$/i.test(path)) {
    throw new UsageError([`--output: ${JSON.stringify(path)} is neither FILE.ndjson nor a folder`])
  }
  if (!listTypes(formats).includes('markdown')) {
    throw new UsageError(['--output: a folder gets Markdown: add --formats markdown, or write to FILE.ndjson'])
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new UsageError([`--output: ${path} is not a folder: pages are written to FILE.ndjson or to a folder`])
  }
  return openFolder(path, asksForFrontMatter(formats))
}

/** Refuses a folder as the path of a file: renaming the finished file would fail after the whole job. @throws UsageError */
export function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new UsageError([`--output: ${path} is a folder`])
}

/** Lists the types in the value of `--formats`, which has not been checked. @default ['markdown'] */
export function listTypes(formats: unknown): unknown[] {
  if (!Array.isArray(formats)) return ['markdown']
  return formats.map((item: unknown) =>
    typeof item === 'object' && item !== null && 'type' in item ? item.type : item,
  )
}

const asksForFrontMatter = (formats: unknown): boolean =>
  Array.isArray(formats) &&
  formats.some(
    (item: unknown) => typeof item === 'object' && item !== null && 'frontMatter' in item && item.frontMatter === true,
  )

const openStandardOutput = (terminal: Terminal, print: (document: Document) => string): Output<Document> => ({
  write: (document) => terminal.print(print(document)),
  close: () => undefined,
  destination: STANDARD_OUTPUT,
})

const printDocument = (document: Document): string => `${JSON.stringify(document)}\n`

const printMarkdown = ({ markdown = '' }: Document): string => (/(^|\n)$/.test(markdown) ? markdown : `${markdown}\n`)
