import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEngine, type Document, type Engine } from '../../src/index.js'
import type { Handler } from '../site/exchange.js'
import { type Site, startSite } from '../site/site.js'
import { buildProject, frameworkBuilds } from './framework-builds.js'
import { type FrameworkPage, frameworkPages, listMissing } from './framework-pages.js'

/** `npm run test:bars` installs the frameworks and builds the pages; `npm test` judges what they built, without their scripts. */
const isWhole = process.env['BARS'] === 'whole'
/** Where builds are kept for the next time. @default a folder that is removed in the end */
const kept = process.env['BARS_FOLDER']
/** Puts what was built in place of the fixtures. */
const isWriting = process.env['BARS_WRITE'] !== undefined

const fixtures = fileURLToPath(new URL('../site/frameworks', import.meta.url))
const API_DELAY_MS = 300
const INSTALL_MS = 20 * 60_000

const api: Readonly<Record<string, Handler>> = Object.fromEntries(
  frameworkPages.map(({ name, text }) => [
    `/api/${name}`,
    async ({ response }) => {
      await sleep(API_DELAY_MS)
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(text))
    },
  ]),
)
const table: string[] = []

/** What the waterfall is to do: a browser starts for a page whose text is nowhere in its HTML, and for no other. */
const expected = { html: 'http', data: 'http', scripts: 'browser' } as const

test('the set has sixty pages, and each a text of its own', () => {
  expect(frameworkPages).toHaveLength(60)
  const sentences = frameworkPages.flatMap(({ text }) => text.sentences)
  expect(new Set(sentences).size).toBe(sentences.length)
})

describe('what frameworks built, by the page alone', () => {
  const engine = createEngine({
    threads: 0,
    allowPrivateNetworks: true,
    browser: { executablePath: '/no/such/browser' },
  })
  let site: Site
  const serve =
    ({ file, project }: FrameworkPage): Handler =>
    ({ response }) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(readFileSync(`${fixtures}/${project}/${file}`))
  beforeAll(async () => {
    site = await startSite({
      pages: Object.fromEntries(frameworkPages.map((page) => [page.path.replace(/#.*/, ''), serve(page)])),
    })
  })
  afterAll(async () => {
    await engine.close()
    await site.close()
  })

  test.each(frameworkPages)('$name, whose text is in its $place', async (page) => {
    const { markdown, warning, metadata } = await engine.scrape(site.url(page.path), { formats: ['markdown'] })
    // Without a browser, a page that needs one says so.
    expect(warning ?? 'none').toMatch(page.place === 'scripts' ? /seems to need a browser/ : /^none$/)
    if (page.place === 'scripts') return
    expect(listMissing(page, markdown)).toEqual([])
    expect('hydratedFrom' in metadata).toBe(page.place === 'data')
  })
})

const why = isWhole ? '' : ' (skipped: they are installed and built by `npm run test:bars` only)'
describe.skipIf(!isWhole).each(frameworkBuilds)(`the pages of $project in a real browser${why}`, (build) => {
  const root = kept ?? (isWhole ? mkdtempSync(`${tmpdir()}/trawl-frameworks-`) : '')
  const pages = frameworkPages.filter(({ project }) => project === build.project)
  let engine: Engine
  let site: Site

  beforeAll(async () => {
    const folder = await buildProject(build, root)
    const files = pages
      .filter(({ name }) => name === 'angular-shell')
      .map(({ path, file }) => [path, readFileSync(`${folder}/${file}`, 'utf8')])
    site = await startSite({ pages: { ...api, ...Object.fromEntries(files) } })
    site.mount('/', folder)
    engine = createEngine({ allowPrivateNetworks: true, threads: 0, cache: false })
    if (isWriting) for (const page of pages) keepFixture(folder, page)
  }, INSTALL_MS)
  afterAll(async () => {
    await engine.close()
    await site.close()
    if (kept === undefined) rmSync(root, { recursive: true, force: true })
  })

  test.each(pages)('$name: the text in its $place is found', { timeout: 60_000 }, async (page) => {
    const url = site.url(page.path)
    const job = engine.batchScrape({ urls: [url], formats: ['markdown'] })
    let document: Document | undefined
    for await (const found of job) document = found
    const row = await job.explain(url)
    const attempt = row && 'attempts' in row ? row.attempts.at(-1) : undefined
    const missing = document ? listMissing(page, document.markdown ?? '') : page.wanted
    table.push(
      `| ${[page.name, page.place, attempt?.fetcher, `${page.wanted.length - missing.length}/${page.wanted.length}`, attempt?.fetcherReason ?? ''].join(' | ')} |`,
    )
    expect(missing).toEqual([])
    expect(attempt?.fetcher).toBe(expected[page.place])
    expect(document?.warning).toBeUndefined()
  })
})

afterAll(() => {
  if (isWhole)
    console.log(['| page | text in | fetcher | found | why |', '| --- | --- | --- | --- | --- |', ...table].join('\n'))
})

function keepFixture(folder: string, { project, file }: FrameworkPage): void {
  const target = `${fixtures}/${project}/${file}`
  mkdirSync(target.slice(0, target.lastIndexOf('/')), { recursive: true })
  cpSync(`${folder}/${file}`, target)
}
