import { writeReport } from '../write-report.js'
import { crawlFor, serveSite } from './crawl-served.js'
import { type Figures, printFigures, writeTable } from './figures.js'
import { listQuestions, rankOf, readFlags, type SiteQuestions } from './questions.js'

/** Measures the questions about one site by real crawls. */
async function measureSite({ site, questions }: SiteQuestions): Promise<Figures[]> {
  const served = await serveSite(site)
  const whole = await crawlFor(served, {})
  const figures: Figures[] = []
  for (const question of questions) {
    const { goal } = question
    const { paths, coverage } = await crawlFor(served, { goal, until: {} })
    const hasAnswer = rankOf(paths, question) < Infinity
    // The order is the same without `until`, so that only a crawl that ended too early is run to its end.
    const all = hasAnswer ? paths : (await crawlFor(served, { goal })).paths
    const stopped = { pages: paths.length, hasAnswer, coverage }
    const ranks = { breadthRank: rankOf(whole.paths, question), goalRank: rankOf(all, question) }
    figures.push({ ...question, ...ranks, stopped })
  }
  await served.close()
  for (const one of figures) printFigures(one)
  return figures
}

const flags = readFlags()
const figures: Figures[] = []
for (const one of listQuestions(flags)) figures.push(...(await measureSite(one)))
const report = writeTable(figures)
console.log(report)
if (flags.write) writeReport('goal', report)
