import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from '../../index.js'
import { FileNames } from './file-names.js'
import { openLines } from './line-file.js'
import type { Output } from './output.js'

/**
 * A folder with a Markdown file for each page, and an `index.ndjson` that has everything else: which file a URL is in,
 * its metadata and the fields of other formats.
 *
 * A page that was there from an earlier run is replaced; nothing is taken away.
 *
 * @param hasFrontMatter whether the Markdown comes with front matter, since `--formats` asks for it; else it gets a little here
 */
export function openFolder(folder: string, hasFrontMatter: boolean): Output {
  const index = openLines(join(folder, 'index.ndjson'))
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
    place: `${join(folder, '/')}, listed in its index.ndjson`,
  }
}

/** A string of JSON is one of YAML too, whatever is in it. */
function printFrontMatter({ metadata: { url, title, statusCode } }: Document): string {
  const titleLine = title === undefined ? [] : [`title: ${JSON.stringify(title)}`]
  return ['---', `url: ${JSON.stringify(url)}`, ...titleLine, `statusCode: ${statusCode}`, '---', ''].join('\n')
}

/** Under another name first, so that the file is whole or not there; and at once, see {@link openLines}. */
function replaceFile(path: string, text: string): void {
  const partial = `${path}.${randomUUID()}.partial`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(partial, text, { flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}
