import { statSync } from 'node:fs'
import type { Document } from '../../index.js'
import { openFolder } from './folder-output.js'
import { openNdjson } from './ndjson-output.js'
import type { Output } from './output.js'
import type { Terminal } from './terminal.js'
import { UsageError } from '../usage-error.js'

/** What decides about the output. */
export interface OutputRequest {
  /** What `--output` says. */
  readonly path: string | undefined
  /** What `--formats` says. */
  readonly formats: unknown
  /** Whether standard output gets the Markdown itself, rather than documents. */
  readonly asMarkdown: boolean
}

/**
 * Opens the output that was asked for.
 *
 * @throws UsageError when it cannot be had with these formats
 * @throws whatever the file system says against it
 */
export function openOutput({ path, formats, asMarkdown }: OutputRequest, terminal: Terminal): Output {
  if (path === undefined) return openStandardOutput(terminal, asMarkdown ? printMarkdown : printDocument)
  if (/\.(ndjson|jsonl)$/i.test(path)) {
    // Found out only when the file gets its name, it would be at the end of everything.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError([`--output: ${path} is a folder`])
    return openNdjson(path)
  }
  if (path === '' || /\.(md|json)$/i.test(path)) {
    throw new UsageError([`--output: ${JSON.stringify(path)} is neither FILE.ndjson nor a folder`])
  }
  if (!listTypes(formats).includes('markdown')) {
    throw new UsageError(['--output: a folder gets Markdown: add --formats markdown, or write to FILE.ndjson'])
  }
  return openFolder(path, asksForFrontMatter(formats))
}

/** The types in the value of `--formats`, which the engine has found to be sound or will refuse. */
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

const openStandardOutput = (terminal: Terminal, print: (document: Document) => string): Output => ({
  write: (document) => terminal.print(print(document)),
  close: () => undefined,
  place: 'standard output',
})

const printDocument = (document: Document): string => `${JSON.stringify(document)}\n`

const printMarkdown = ({ markdown = '' }: Document): string => (/(^|\n)$/.test(markdown) ? markdown : `${markdown}\n`)
