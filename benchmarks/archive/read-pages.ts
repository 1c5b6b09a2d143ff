import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { createEngine } from 'trawl'
import { type CrawlOutput, measure, type Task } from '../speed/measure.js'
import type { BenchPage } from '../digest/sides.js'

/** Task of reading pages. */
export interface ReadTask extends Task {
  /** JSON file with the pages that are repeated. */
  readonly pagesFile: string
  readonly pages: number
  /** Archive with the same pages; without it, they are given to `engine.parse` one by one. */
  readonly archive?: string
}

/** Pages under way at once, as many as `engine.archive` has. */
const AT_ONCE = 3 * availableParallelism()

/** Time limit of a page: on a loaded machine, one that waits for its turn may take longer than the default. Milliseconds. */
const PAGE_MS = 300_000

async function readPages(task: Task): Promise<CrawlOutput> {
  const { pagesFile, pages, archive } = task as ReadTask
  await using engine = createEngine({ cache: false })
  let read = 0
  let characters = 0
  const add = ({ markdown }: { readonly markdown: string }): void => {
    read += 1
    characters += markdown.length
  }
  if (archive === undefined) {
    const given = (JSON.parse(await readFile(pagesFile, 'utf8')) as BenchPage[]).map(({ html }) => Buffer.from(html))
    let at = 0
    const work = async (): Promise<void> => {
      for (let number = at++; number < pages; number = at++) {
        // A copy, as of a file that was read.
        const body = new Uint8Array(given[number % given.length] ?? [])
        const page = { body, contentType: 'text/html; charset=utf-8', url: pageUrl(number) }
        add(await engine.parse(page, { timeout: PAGE_MS }))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  } else for await (const document of engine.archive(archive, { timeout: PAGE_MS })) add(document)
  return { urls: Array.from({ length: read }, () => ''), characters }
}

const pageUrl = (number: number): string => `http://site.test/pages/${number}`

/** Reads one page first, so that modules are loaded and compiled as in a running service. */
async function warmUp(): Promise<void> {
  await using engine = createEngine({ cache: false })
  await engine.parse({ body: '<title>Page</title><p>Text of a page.', contentType: 'text/html', url: pageUrl(0) })
}

await measure(readPages, warmUp)
