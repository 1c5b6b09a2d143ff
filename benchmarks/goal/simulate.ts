import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createEmbedder, type Embed } from '../../src/base/llm/embedder.js'
import { builtIn } from '../../src/features/create-engine.js'
import { checkCrawl } from '../../src/kernel/options/check.js'
import { planCrawl } from '../../src/kernel/plan/crawl/plan-crawl.js'
import { planEngine } from '../../src/kernel/plan/plan-engine.js'
import { writeReport } from '../write-report.js'
import { crawlFor, serveSite } from './crawl-served.js'
import { describeIndexRequests, type Figures, meanLogRatio, printFigures, writeTable } from './figures.js'
import { goalFlags, listQuestions, type Question, rankOf, type SiteQuestions } from './questions.js'
import { simulateCrawl } from './simulate-crawl.js'
import { StoredPages } from './stored-pages.js'

const { values: flags } = parseArgs({
  options: {
    ...goalFlags,
    check: { type: 'boolean', default: false },
    cache: { type: 'string' },
    embed: { type: 'string' },
  },
})

/** Pages at the beginning of a crawl whose order is compared. */
const COMPARED_PAGES = 100
/** Questions about each site for which a simulated crawl is compared with a real one. */
const COMPARED_QUESTIONS = 2

const embed =
  flags.embed === undefined ? undefined : ((await import(resolve(flags.embed))) as { default: Embed }).default
const settings = { ...planEngine({ cache: false, ...(embed && { embed }) }), features: builtIn }
const embedder = settings.embed && createEmbedder(settings.embed, settings.modelOptions)
const cache = flags.cache ?? mkdtempSync(join(tmpdir(), 'trawl-goal-'))

/** Plans the crawls of a site. */
function openSite({ site }: SiteQuestions) {
  const planFor = (request: object) =>
    planCrawl(
      checkCrawl(
        {
          url: `http://127.0.0.1:8080/${site.name}/${site.start}`,
          crawlEntireDomain: site.start.includes('/'),
          sitemap: 'skip',
          scrapeOptions: { formats: ['links'] },
          ...request,
        },
        undefined,
        builtIn.options,
      ),
      settings,
    )
  const plan = planFor({})
  return { pages: new StoredPages(site, cache, plan.page.digest), planFor, plan }
}

/** Ranks of the answer pages in order of depth, which depend on nothing but the files. */
async function breadthRanks(one: SiteQuestions): Promise<ReadonlyMap<Question, number>> {
  const { pages, plan } = openSite(one)
  const file = join(cache, one.site.name, 'order-of-depth.json')
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : []
  const areAllFound = (paths: readonly string[]): boolean =>
    one.questions.every((question) => rankOf(paths, question) < Infinity)
  // The whole list is searched only now and then.
  const isDone = (paths: readonly string[]): boolean => paths.length % 200 === 0 && areAllFound(paths)
  const paths = areAllFound(known) ? known : (await simulateCrawl(pages, plan, isDone)).paths
  if (paths !== known) writeFileSync(file, JSON.stringify(paths))
  return new Map(one.questions.map((question) => [question, rankOf(paths, question)]))
}

async function measureSite(one: SiteQuestions): Promise<Figures[]> {
  const breadth = await breadthRanks(one)
  const { pages, planFor } = openSite(one)
  const figures: Figures[] = []
  for (const question of one.questions) {
    const plan = planFor({ goal: question.goal, until: {} })
    const isFound = (paths: readonly string[]): boolean => question.answers.includes(paths.at(-1) ?? '')
    let hasAnswer = false
    const isDone = (paths: readonly string[], isKnown: boolean): boolean => {
      hasAnswer ||= isFound(paths)
      return hasAnswer && isKnown
    }
    const crawl = await simulateCrawl(pages, plan, isDone, embedder)
    const { paths, knownAfter = paths.length, coverage, indexRequests } = crawl
    const goalRank = rankOf(paths, question)
    const stopped = { pages: knownAfter, hasAnswer: goalRank <= knownAfter, coverage }
    const found = { ...question, breadthRank: breadth.get(question) ?? Infinity, goalRank, stopped, indexRequests }
    printFigures(found)
    figures.push(found)
  }
  return figures
}

/** Compares the order of simulated crawls with that of real ones. @returns false if one differs */
async function checkSite(one: SiteQuestions): Promise<boolean> {
  const { pages, planFor } = openSite(one)
  const served = await serveSite(one.site)
  let isSame = true
  for (const { goal } of [...one.questions.slice(0, COMPARED_QUESTIONS), { goal: undefined }]) {
    const simulated = await simulateCrawl(pages, planFor({ goal }), (paths) => paths.length >= COMPARED_PAGES)
    const request = goal === undefined ? {} : { goal }
    const real = await crawlFor(served, request, COMPARED_PAGES)
    const at = simulated.paths.findIndex((path, nth) => path !== real.paths[nth])
    isSame &&= at < 0
    const differs = `page ${at + 1} is ${simulated.paths[at]}, and ${real.paths[at]} in the real crawl`
    console.log(one.site.name, at < 0 ? `same ${simulated.paths.length} pages` : differs, goal ?? 'in order of depth')
  }
  await served.close()
  return isSame
}

try {
  const sites = listQuestions(flags)
  if (flags.check) {
    for (const one of sites) if (!(await checkSite(one))) process.exitCode = 1
  } else {
    const figures: Figures[] = []
    for (const one of sites) figures.push(...(await measureSite(one)))
    const report = writeTable(figures)
    console.log(report)
    console.log(describeIndexRequests(figures))
    console.log(`mean logarithm of the ratios: ${meanLogRatio(figures).toFixed(3)}`)
    if (flags.write) writeReport('goal', report)
  }
} finally {
  if (flags.cache === undefined) rmSync(cache, { recursive: true, force: true })
}
