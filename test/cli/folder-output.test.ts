import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openFolder } from '../../src/cli/output/folder-output.js'
import type { Document } from '../../src/index.js'
import { readMarkdown } from '../../src/base/folder/page-file.js'
import { makeFolder, readLines } from './start-cli.js'

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
  const output = openFolder(folder)
  for (const each of documents) await output.write(each)
  output.close()
}

it('keeps the file of an unchanged page, also if it comes with its Markdown', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'))
  await write(folder.path, document(LOWER))
  expect(readMarkdown(await readFile(folder.in('example.com', 'a.md'), 'utf8'))).toBe('# Lower')
  const { mtimeMs } = await stat(folder.in('example.com', 'a.md'))
  await write(folder.path, document(LOWER, '# Lower'))
  expect((await stat(folder.in('example.com', 'a.md'))).mtimeMs).toBe(mtimeMs)
  await rm(folder.in('index.ndjson'))
  await write(folder.path, document(LOWER))
  expect(readMarkdown(await readFile(folder.in('example.com', 'a.md'), 'utf8'))).toBe('# Lower')
})

it('keeps no text of another page that had the same file', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'), document(UPPER, '# Upper'))
  await write(folder.path, document(UPPER), document(LOWER))
  expect(await readFile(folder.in('example.com', 'A.md'), 'utf8')).not.toContain('Lower')
})

it('writes a page again that comes with its Markdown', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'))
  await write(folder.path, document(LOWER, '# Changed'))
  expect(readMarkdown(await readFile(folder.in('example.com', 'a.md'), 'utf8'))).toBe('# Changed')
})

it('asks for unchanged pages without a file, and for those whose file is that of an error page', async () => {
  await using folder = await makeFolder()
  await write(folder.path, document(LOWER, '# Lower'), document(UPPER, '# Error'))
  const index = await readFile(folder.in('index.ndjson'), 'utf8')
  await writeFile(
    folder.in('index.ndjson'),
    index.replace(/(.*\/A".*"statusCode":)200/, (_, before: string) => `${before}503`),
  )
  const output = openFolder(folder.path, { replaces: true })
  const missing = `${SITE}/missing`
  for (const url of [LOWER, UPPER, missing]) await output.write(document(url))
  expect(output.lacking?.()).toEqual([UPPER, missing])
  await output.write(document(UPPER, '# Upper'))
  expect(output.complete?.(new Set(), [])).toEqual(['Missing: 1 page, unchanged and without a file, could not be read'])
  output.close()
  const { texts } = await read(folder.path)
  expect(Object.values(texts).toSorted()).toEqual(['# Lower', '# Upper'])
})

it('never replaces a page by an error page, and adds none', async () => {
  for (const statusCode of [403, 429, 500, 503]) {
    await using folder = await makeFolder()
    await writeJob(folder.path, pages('/a', '/b'))
    const errors = pages('/a', '/c').map((page) => ({ ...page, metadata: { ...page.metadata, statusCode } }))
    expect(await writeJob(folder.path, [...errors, ...pages('/b')], ['two failed'])).toEqual([
      'Kept: 1 page of an earlier run, because two failed',
    ])
    expect((await read(folder.path)).texts).toEqual({
      'example.com/a.md': 'text of /a',
      'example.com/b.md': 'text of /b',
    })
  }
})

it('takes over what a run that was killed has left, and reads unchanged pages again after it', async () => {
  await using folder = await makeFolder()
  await writeJob(folder.path, pages('/a', '/b'))
  // It has written a page, and replaced one whose line is in its own index only.
  const killed = openFolder(folder.path, { replaces: true })
  for (const page of pages('/new', '/b')) await killed.write(page)
  const [left = ''] = (await readdir(folder.path)).filter((name) => name.endsWith('.partial'))
  await rename(folder.in(left), folder.in(left.replace(`.${process.pid}.`, '.')))
  await writeFile(folder.in('example.com', `b.md.${randomUUID()}.partial`), 'half')

  const next = openFolder(folder.path, { replaces: true })
  for (const page of [document(`${SITE}/a`), ...pages('/b')]) await next.write(page)
  expect(next.lacking?.()).toEqual([`${SITE}/a`])
  for (const page of pages('/a')) await next.write(page)
  expect(next.complete?.(new Set(), [])).toEqual(['Deleted: 1 page of an earlier run'])
  next.close()
  expect((await read(folder.path)).texts).toEqual({
    'example.com/a.md': 'text of /a',
    'example.com/b.md': 'text of /b',
  })
  expect((await readdir(folder.path)).filter((name) => name.endsWith('.partial'))).toEqual([])
})

it('leaves the temporary index of another run alone that goes on', async () => {
  await using folder = await makeFolder()
  await writeJob(folder.path, pages('/a'))
  const other = `index.ndjson.${process.ppid}.${randomUUID()}.partial`
  await writeFile(folder.in(other), '')
  await writeJob(folder.path, pages('/a'))
  expect(await readdir(folder.path)).toContain(other)
})

/** Writes the pages of a job that ended, as `trawl crawl` does. */
async function writeJob(
  folder: string,
  documents: readonly Document[],
  gaps: readonly string[] = [],
): Promise<readonly string[]> {
  const output = openFolder(folder, { replaces: true })
  for (const each of documents) await output.write(each)
  const notes = output.complete?.(new Set(), gaps) ?? []
  output.close()
  return notes
}

const SITE = 'https://example.com'
const pages = (...paths: readonly string[]): Document[] =>
  paths.map((path) => document(`${SITE}${path}`, `text of ${path}`))

/** Reads a folder: the text of each Markdown file, and the file of each URL in the index. */
async function read(folder: string): Promise<{ texts: Record<string, string>; index: Record<string, unknown> }> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const texts: Record<string, string> = {}
  for (const { parentPath, name } of files)
    if (name.endsWith('.md'))
      texts[`${parentPath.slice(folder.length + 1)}/${name}`] = readMarkdown(
        await readFile(`${parentPath}/${name}`, 'utf8'),
      ).trim()
  expect(files.filter(({ name }) => name.endsWith('.partial'))).toEqual([])
  const lines = readLines(await readFile(`${folder}/index.ndjson`, 'utf8'))
  return { texts, index: Object.fromEntries(lines.map(({ url, file }) => [String(url).slice(SITE.length), file])) }
}

it('names files by their URLs alone, in whatever order the pages end, and whatever an earlier run has left', async () => {
  const paths = ['/A.html', '/a.html', '/a', '/a.md', '/b', '/c?x', '/c_x']
  const orders = [paths, paths.toReversed(), [...paths.slice(3), ...paths.slice(0, 3)]]
  await using first = await makeFolder()
  await writeJob(first.path, pages(...paths))
  const expected = await read(first.path)
  expect(Object.keys(expected.texts).sort()).toEqual(Object.values(expected.index).map(String).sort())
  for (const [path, file] of Object.entries(expected.index))
    expect(expected.texts[String(file)]).toBe(`text of ${path}`)
  for (const order of orders) {
    await using folder = await makeFolder()
    await writeJob(folder.path, pages(...order))
    expect(await read(folder.path)).toEqual(expected)
    await writeJob(first.path, pages(...order))
    expect(await read(first.path)).toEqual(expected)
    // Unchanged pages keep their texts under the names that the whole set gives them.
    await writeJob(folder.path, [
      ...order.slice(2).map((path) => document(`${SITE}${path}`)),
      ...pages(...order.slice(0, 2)),
    ])
    expect(await read(folder.path)).toEqual(expected)
  }
})

it('deletes the files of an earlier run whose pages a job did not give, and the folders that they leave empty', async () => {
  await using folder = await makeFolder()
  await writeJob(folder.path, pages('/docs/a', '/docs/deep/b', '/c'))
  expect(await writeJob(folder.path, pages('/c', '/d'))).toEqual(['Deleted: 2 pages of an earlier run'])
  expect((await read(folder.path)).texts).toEqual({
    'example.com/c.md': 'text of /c',
    'example.com/d.md': 'text of /d',
  })
  expect(await readdir(folder.in('example.com'))).toEqual(['c.md', 'd.md'])
})

it('keeps and lists the files of an earlier run when a job failed in part or was stopped, and for a single page', async () => {
  await using folder = await makeFolder()
  await writeJob(folder.path, pages('/a', '/b'))
  expect(await writeJob(folder.path, pages('/b', '/c'), ['one failed', 'one was left out'])).toEqual([
    'Kept: 1 page of an earlier run, because one failed; one was left out',
  ])
  await write(folder.path, ...pages('/d'))
  await writeJob(folder.path, [])
  const { texts, index } = await read(folder.path)
  expect(Object.keys(texts).sort()).toEqual(['a', 'b', 'c', 'd'].map((name) => `example.com/${name}.md`))
  expect(Object.values(index).map(String).sort()).toEqual(Object.keys(texts).sort())
})

it('deletes the file of a page that is gone, and never writes the text of its error page', async () => {
  await using folder = await makeFolder()
  await writeJob(folder.path, pages('/a', '/b'))
  const [error] = pages('/a')
  const changeTracking = { changeStatus: 'removed', previousScrapeAt: null, visibility: 'visible' } as const
  expect(
    await writeJob(folder.path, [{ ...(error as Document), changeTracking }, ...pages('/b')], ['one failed']),
  ).toEqual(['Deleted: 1 page of an earlier run'])
  expect((await read(folder.path)).index).toEqual({ '/b': 'example.com/b.md' })
})

it('deletes no file that an index names and that trawl cannot have written for its page', async () => {
  await using folder = await makeFolder()
  await writeFile(folder.in('mine.md'), 'mine')
  const lines = ['../mine.md', 'mine.md', 'example.com/../mine.md'].map((file) => ({ url: `${SITE}/x`, file }))
  await writeFile(folder.in('index.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await writeJob(folder.path, pages('/y'))
  expect(await readFile(folder.in('mine.md'), 'utf8')).toBe('mine')
  expect((await read(folder.path)).index).toEqual({ '/y': 'example.com/y.md' })
})

it('gives a page another name where its own has a file, a folder or a link that no run wrote, and leaves these alone', async () => {
  await using folder = await makeFolder()
  await using other = await makeFolder()
  await mkdir(folder.in('example.com', 'b.md'), { recursive: true })
  await writeFile(folder.in('example.com', 'a.md'), 'Mine.')
  await symlink(other.path, folder.in('linked.test'))
  const urls = [LOWER, 'https://example.com/b', 'https://linked.test/c']
  for (const text of ['# First', '# Second']) {
    await write(folder.path, ...urls.map((url) => document(url, text)))
    const lines = readLines(await readFile(folder.in('index.ndjson'), 'utf8'))
    expect(lines.map(({ url }) => url)).toEqual(urls)
    for (const { file } of lines)
      expect(readMarkdown(await readFile(folder.in(...String(file).split('/')), 'utf8'))).toBe(text)
  }
  expect(await readFile(folder.in('example.com', 'a.md'), 'utf8')).toBe('Mine.')
  expect(await readdir(folder.in('example.com', 'b.md'))).toEqual([])
  expect(await readdir(other.path)).toEqual([])
  expect(await readdir(folder.in('example.com'))).toHaveLength(4)
})

it('leaves what is below a link alone, and a folder in the place of a page, in later runs too', async () => {
  await using folder = await makeFolder()
  await using other = await makeFolder()
  const urls = [LOWER, 'https://example.com/c/d', 'https://linked.test/c']
  await write(folder.path, ...urls.map((url) => document(url, '# First')))
  await rm(folder.in('example.com', 'a.md'))
  await mkdir(folder.in('example.com', 'a.md'))
  await rm(folder.in('example.com', 'c'), { recursive: true })
  await writeFile(other.in('d.md'), 'Mine.')
  await symlink(other.path, folder.in('example.com', 'c'))
  await write(folder.path, ...urls.map((url) => document(url, '# Second')))
  const lines = readLines(await readFile(folder.in('index.ndjson'), 'utf8'))
  for (const { file } of lines)
    expect(readMarkdown(await readFile(folder.in(...String(file).split('/')), 'utf8'))).toBe('# Second')
  expect(new Set(lines.map(({ url }) => url))).toEqual(new Set(urls))
  const output = openFolder(folder.path, { replaces: true })
  await output.write(document('https://linked.test/c', '# Third'))
  output.complete?.(new Set(), [])
  output.close()
  expect(await readFile(other.in('d.md'), 'utf8')).toBe('Mine.')
  expect(await readdir(folder.in('example.com'))).toEqual(['a.md', 'c'])
})

it('says how many pages have another name, because a file that no run wrote has theirs', async () => {
  await using folder = await makeFolder()
  await mkdir(folder.in('example.com'), { recursive: true })
  await writeFile(folder.in('example.com', 'a.md'), 'Mine.')
  for (const text of ['# First', '# Second']) {
    const output = openFolder(folder.path, { replaces: true })
    await output.write(document(LOWER, text))
    await output.write(document('https://example.com/b', text))
    expect(output.complete?.(new Set(), [])).toEqual([
      'Named otherwise: 1 page, whose names have files that no run wrote',
    ])
    output.close()
  }
})
