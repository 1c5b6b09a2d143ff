import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ASPECTS, type Aspect, TreeComparison } from '../../test/content/parse/compare-trees.js'
import { choosePages, spread } from '../digest/choose-pages.js'
import { documentationFolders } from '../sites/site-folders.js'
import { writeReport } from '../write-report.js'

const { values: flags, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string', default: '2000' },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

/** This file runs from `benchmarks/.build/benchmarks/trees/`. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** All sets of the quality collection that have pages of the web. */
const REAL_SETS = ['aeb', 'wcxb', 'traf', 'fundus', 'turing', 'zh', 'wcxb2', 'mozilla', 'defuddle']

interface Page {
  readonly name: string
  /** Read when it is compared, because a site may be larger than the memory. */
  html(): string
}

function pagesOf(folder: string): Page[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.x?html?$/.test(file))
    .sort()
    .map((file) => ({ name: file, html: () => readFileSync(join(folder, file), 'utf8') }))
}

/** Compares pages, and returns a row of the table. */
function compare(site: string, pages: readonly Page[]): string {
  const differing: Record<Aspect, number> = { text: 0, links: 0, structure: 0 }
  for (const page of pages) {
    const comparison = new TreeComparison(page.html())
    for (const aspect of ASPECTS) {
      const difference = comparison.find(aspect)
      if (difference === undefined) continue
      differing[aspect] += 1
      if (flags.show) console.log(`${site}, ${page.name}, ${aspect}\n  ${difference.ours}\n  ${difference.theirs}`)
    }
  }
  const share = (aspect: Aspect): string => {
    const same = pages.length - differing[aspect]
    return `${same} (${((100 * same) / pages.length).toFixed(2)} %)`
  }
  return `| ${[site, pages.length, ...ASPECTS.map(share)].join(' | ')} |`
}

async function* sites(): AsyncGenerator<[name: string, pages: Page[]]> {
  if (folders.length > 0) {
    for (const folder of folders) yield [folder, pagesOf(folder)]
    return
  }
  const { pages, name } = await choosePages(root, Number(flags.pages), REAL_SETS)
  yield [name, pages.map(({ url, html }) => ({ name: url, html: () => html }))]
  for (const [site, folder] of Object.entries(documentationFolders)) {
    if (existsSync(folder)) yield [site, pagesOf(folder)]
  }
}

const rows = []
for await (const [site, pages] of sites()) rows.push(compare(site, spread(pages, Number(flags.pages))))
const report = `Pages of which trawl's tree and parse5's have the same visible text, the same links, and every text in the same elements:

| | pages | text | links | structure |
| --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}`
console.log(`\n${report}`)
if (flags.write) writeReport('trees', report)
