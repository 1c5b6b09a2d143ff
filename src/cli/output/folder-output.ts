import { randomUUID } from 'node:crypto'
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Document } from '../../index.js'
import { makeFolder } from '../make-folder.js'
import { FileNames } from './file-names.js'
import { openLineFile } from './line-file.js'
import type { Output } from './output.js'
import { readIndex } from './read-index.js'

/**
 * Opens a folder for pages. Each page is a Markdown file. `index.ndjson` has everything else: the file of each URL, its
 * metadata and the fields of other formats.
 *
 * Files of pages from an earlier run are replaced; no file is deleted. A page that `--since` finds unchanged comes without its Markdown:
 * the file that an earlier run has written for it stays as it is.
 *
 * @param hasFrontMatter true if the Markdown already has front matter, because `--formats` asks for it; otherwise a
 * short one is added
 */
export function openFolder(folder: string, hasFrontMatter: boolean): Output<Document> {
  const indexPath = join(folder, 'index.ndjson')
  const index = openLineFile(indexPath)
  const names = new FileNames()
  let owners: Promise<ReadonlyMap<string, string>> | undefined
  /** Tests whether the earlier run has written this file for another URL. */
  const isOfAnother = async (file: string, url: string): Promise<boolean> => {
    owners ??= readOwners(indexPath)
    return ((await owners).get(file) ?? url) !== url
  }
  return {
    write: async (document) => {
      const { markdown = '', ...rest } = document
      const { url } = document.metadata
      const file = names.nameFor(url)
      const path = join(folder, ...file.split('/'))
      const head = hasFrontMatter ? '' : `${printFrontMatter(document)}\n`
      const isKept = isLeftOut(document) && existsSync(path) && !(await isOfAnother(file, url))
      if (!isKept) replaceFile(path, `${head}${markdown.trimEnd()}\n`)
      index.add({ url, file, ...rest })
    },
    close: () => index.close(),
    destination: `${join(folder, '/')}, listed in its index.ndjson`,
  }
}

/** Tests whether a page has no Markdown because it has not changed since the earlier crawl. */
const isLeftOut = ({ markdown, changeTracking }: Document): boolean =>
  markdown === undefined && changeTracking?.changeStatus === 'same'

/**
 * Reads the URL of each file from the index of the last run, which stays until the new one is closed. Two URLs that differ in case only
 * may have each other's files in another run, whose pages end in another order.
 */
async function readOwners(index: string): Promise<ReadonlyMap<string, string>> {
  const owners = new Map<string, string>()
  if (!existsSync(index)) return owners
  try {
    for await (const { file, url } of readIndex(index)) owners.set(file, url)
  } catch (error) {
    // A damaged line: what follows it is not known.
    if (!(error instanceof SyntaxError)) throw error
  }
  return owners
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
