import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createEngine, type CrawlRequest, type Engine, type GoalCoverage } from 'trawl'
import type { ServedDocs } from '../frontier/serve-docs.js'
import { median } from '../speed/print-table.js'
import { writeReport } from '../write-report.js'

const { values: flags } = parseArgs({
  options: {
    site: { type: 'string', multiple: true },
    write: { type: 'boolean', default: false },
  },
})

interface Site {
  readonly folder: string
  /** Path of the start page. @default index.html */
  readonly start?: string
}

/** Documentation of packages of Debian: see README.md. */
const sites: Readonly<Record<string, Site>> = {
  python: { folder: '/usr/share/doc/python3.11-doc/html/' },
  postgresql: { folder: '/usr/share/doc/postgresql-doc-15/html/' },
  openjdk: { folder: '/usr/share/doc/openjdk-17-doc/api/' },
  rust: { folder: '/usr/share/doc/rust-doc/html/' },
  django: { folder: '/usr/share/doc/python-django-doc/html/' },
  sqlite: { folder: '/usr/share/doc/sqlite3/' },
  qt: { folder: '/usr/share/qt5/doc/', start: 'qtcore/qtcore-index.html' },
  linux: { folder: '/usr/share/doc/linux-doc-6.1/html/' },
}

/** A question, with the pages that answer it. */
interface Question {
  readonly site: string
  readonly goal: string
  readonly answers: readonly string[]
  /** True for a question that is kept aside while weights and rules are chosen. */
  readonly keptAside: boolean
}

/** Figures of a question. Ranks are those of the first answer page among the fetched pages, from 1. */
interface Figures extends Question {
  readonly breadthRank: number
  readonly goalRank: number
  /** Pages fetched by a crawl with `until: {}`, and whether an answer page is among them. */
  readonly stopped: { readonly pages: number; readonly hasAnswer: boolean; readonly coverage: GoalCoverage | undefined }
}

const questions = JSON.parse(
  readFileSync(new URL('../../../goal/questions.json', import.meta.url), 'utf8'),
) as readonly Question[]

const MAX_PAGES = 100_000

/** Crawls a site. @returns the paths of its pages in the order in which they were leased, below `folder` */
async function crawlPaths(engine: Engine, folder: string, request: CrawlRequest) {
  const job = engine.crawl({
    limit: MAX_PAGES,
    sitemap: 'skip',
    retain: false,
    learnBoilerplate: false,
    scrapeOptions: { formats: ['links'] },
    ...request,
  })
  for await (const _ of job);
  const { coverage } = await job.finished()
  const rows: { order: number; path: string }[] = []
  for await (const { order, url } of job.rows()) {
    if (order !== undefined) rows.push({ order, path: decodeURI(url.slice(folder.length)) })
  }
  return { paths: rows.sort((a, b) => a.order - b.order).map(({ path }) => path), coverage }
}

const rankOf = (paths: readonly string[], { answers }: Question): number => {
  const at = paths.findIndex((path) => answers.includes(path))
  return at < 0 ? Infinity : at + 1
}

/** Measures the questions about one site. */
async function measureSite(
  site: string,
  { folder, start = 'index.html' }: Site,
): Promise<{ pages: number; figures: Figures[] }> {
  const served: ServedDocs = { folders: { [`/${site}/`]: folder } }
  const server = fork(new URL('../frontier/serve-docs.js', import.meta.url), [JSON.stringify(served)])
  const [origin] = (await once(server, 'message')) as [string]
  const root = `${origin}${site}/`
  // The start page may be in a folder of the site.
  const from = { url: `${root}${start}`, crawlEntireDomain: start.includes('/') }
  await using engine = createEngine({ allowPrivateNetworks: true, cache: false })
  const whole = await crawlPaths(engine, root, from)
  const figures: Figures[] = []
  for (const question of questions.filter((one) => one.site === site)) {
    const { goal } = question
    const { paths, coverage } = await crawlPaths(engine, root, { ...from, goal, until: {} })
    const hasAnswer = rankOf(paths, question) < Infinity
    // The order is the same without `until`, so that only a crawl that ended too early is run to its end.
    const all = hasAnswer ? paths : (await crawlPaths(engine, root, { ...from, goal })).paths
    const stopped = { pages: paths.length, hasAnswer, coverage }
    figures.push({
      ...question,
      breadthRank: rankOf(whole.paths, question),
      goalRank: rankOf(all, question),
      stopped,
    })
  }
  server.kill()
  return { pages: whole.paths.length, figures }
}

const percent = (value: number): string => `${(100 * value).toFixed(1)} %`
const ratioOf = ({ goalRank, breadthRank }: Figures): number => goalRank / breadthRank

/** Describes a group of questions in one row of the table. */
function describeGroup(name: string, figures: readonly Figures[]): string {
  const ratios = figures.map(ratioOf)
  const later = ratios.filter((ratio) => ratio > 1.1).length
  const missed = figures.filter(({ stopped }) => !stopped.hasAnswer).length
  return [
    `| ${name}`,
    figures.length,
    median(figures.map(({ breadthRank }) => breadthRank)),
    median(figures.map(({ goalRank }) => goalRank)),
    percent(median(ratios)),
    later,
    median(figures.map(({ stopped }) => stopped.pages)),
    `${missed} (${percent(missed / figures.length)}) |`,
  ].join(' | ')
}

const all: Figures[] = []
const rows: string[] = []
for (const [site, source] of Object.entries(sites)) {
  if (!existsSync(source.folder) || (flags.site && !flags.site.includes(site))) continue
  const { pages, figures } = await measureSite(site, source)
  for (const one of figures) {
    const { goal, breadthRank, goalRank, stopped } = one
    console.log(site, breadthRank, goalRank, stopped.pages, stopped.hasAnswer ? '' : 'MISSED', goal)
  }
  all.push(...figures)
  rows.push(describeGroup(`${site}, ${pages} pages`, figures))
}
const report = [
  '| questions | number | rank in order of depth | rank with `goal` | median of the ratios | later by more than 10 % | pages until known | ended without the answer |',
  '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ...rows,
  describeGroup(
    'for choosing the weights',
    all.filter(({ keptAside }) => !keptAside),
  ),
  describeGroup(
    'kept aside',
    all.filter(({ keptAside }) => keptAside),
  ),
  describeGroup('all', all),
].join('\n')
console.log(report)
if (flags.write) writeReport('goal', report)
