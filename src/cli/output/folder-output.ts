import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from '../../index.js'
import { makeFolder } from '../make-folder.js'
import { FileNames } from './file-names.js'
import { openLineFile } from './line-file.js'
import type { Output } from './output.js'

/**
 * Opens a folder for pages. Each page is a Markdown file. `index.ndjson` has everything else: the file of each URL, its
 * metadata and the fields of other formats.
 *
 * Files of pages from an earlier run are replaced; no file is deleted.
 *
 * @param hasFrontMatter true if the Markdown already has front matter, because `--formats` asks for it; otherwise a
 * short one is added
 */
export function openFolder(folder: string, hasFrontMatter: boolean): Output<Document> {
  const index = openLineFile(join(folder, 'index.ndjson'))
  const names = new FileNames()
  return {
    write: async (document) => {
      const { markdown = '', ...rest } = document
      const { url } = document.metadata
      const file = names.nameFor(url)
      const head = hasFrontMatter ? '' : `${printFrontMatter(document)}\n`
      replaceFile(join(folder, ...file.split('/')), `${head}${markdown.trimEnd()}\n`)
      index.add({ url, file, ...rest })
    },
    close: () => index.close(),
    destination: `${join(folder, '/')}, listed in its index.ndjson`,
  }
}

/** Formats a short front matter. JSON strings are valid YAML, whatever they contain. */
function printFrontMatter({ metadata: { url, title, statusCode } }: Document): string {
  const titleLine = title === undefined ? [] : [`title: ${JSON.stringify(title)}`]
  return ['---', `url: ${JSON.stringify(url)}`, ...titleLine, `statusCode: ${statusCode}`, '---', ''].join('\n')
}

/**
 * Writes a file under a temporary name first, so that it is complete or absent. It is synchronous for the reason of
 * {@link openLineFile}.
 */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.${randomUUID()}.partial`
  makeFolder(dirname(path))
  try {
    writeFileSync(partial, text, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
