import { readFile, rm } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openFolder } from '../../src/cli/output/folder-output.js'
import type { Document } from '../../src/index.js'
import { makeFolder } from './start-cli.js'

const LOWER = 'https://example.com/a'
const UPPER = 'https://example.com/A'

/** Makes a document of a page; without Markdown, it is one that has not changed since an earlier crawl. */
function document(url: string, markdown?: string): Document {
  const metadata = { scrapeId: '1', sourceURL: url, url, statusCode: 200, proxyUsed: 'basic', creditsUsed: 0 } as const
  if (markdown !== undefined) return { metadata, markdown }
  return { metadata, changeTracking: { changeStatus: 'same', previousScrapeAt: null, visibility: 'visible' } }
}

/** Writes documents into a folder, as one run does. */
async function write(folder: string, ...documents: readonly Document[]): Promise<void> {
  const output = openFolder(folder, true)
  for (const each of documents) await output.write(each)
  output.close()
}

it('keeps the file of an unchanged page', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'))
  await write(folder.path, document(LOWER))
  expect(await readFile(folder.in('example.com', 'a.md'), 'utf8')).toBe('# Lower\n')
  await rm(folder.in('index.ndjson'))
  await write(folder.path, document(LOWER))
  expect(await readFile(folder.in('example.com', 'a.md'), 'utf8')).toBe('# Lower\n')
})

it('keeps no text of another page that had the same file', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'), document(UPPER, '# Upper'))
  await write(folder.path, document(UPPER), document(LOWER))
  expect(await readFile(folder.in('example.com', 'A.md'), 'utf8')).not.toContain('Lower')
})

it('writes a page again that comes with its Markdown, and one whose file is missing', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'))
  await write(folder.path, document(LOWER, '# Changed'), document('https://example.com/b'))
  expect(await readFile(folder.in('example.com', 'a.md'), 'utf8')).toBe('# Changed\n')
  expect(await readFile(folder.in('example.com', 'b.md'), 'utf8')).toBe('\n')
})
