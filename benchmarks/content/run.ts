import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findCollection } from '../quality/collection.js'
import { askForest, type Forest, type Growth, growTrees, type Samples } from './grow-trees.js'
import { chooseText, judgeTexts, type Metrics } from './judge-choice.js'
import { loadCollection, loadDocumentation } from './load-references.js'
import { makeRandom } from './make-random.js'
import { printModel } from './print-model.js'
import { type PageSamples, readSamples } from './read-samples.js'
import { findBin, findEdges } from './sort-into-bins.js'
import { weighNames } from './weigh-names.js'

const { values: flags } = parseArgs({
  options: {
    /** Judges the way of learning: each fifth of the sites by what the others taught. */
    check: { type: 'boolean', default: false },
    trees: { type: 'string', default: '150' },
    leaves: { type: 'string', default: '24' },
    /** What a page of documentation counts for against one of the collection. */
    documentation: { type: 'string', default: '0.5' },
  },
})

const growth: Growth = {
  trees: Number(flags.trees),
  leaves: Number(flags.leaves),
  rate: 0.1,
  shrink: 5,
  leastWeight: 3,
  columnShare: 0.4,
  rowShare: 0.5,
  seed: 7,
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const found = findCollection(root)
if ('missing' in found) throw new Error(`There is nothing to learn from: ${found.missing}. See benchmarks/README.md.`)

const references = [...(await loadCollection(found.folder)), ...loadDocumentation()]
const pages = references.map((reference) => readSamples(reference)).filter(({ blocks }) => blocks.length > 0)
const sites = [...new Set(pages.map(({ site }) => site))]
const groupOf = new Map(sites.map((site, at) => [site, at]))
const partOf = ({ site }: PageSamples, parts: number): number => (groupOf.get(site) ?? 0) % parts
console.log(`${pages.length} pages of ${sites.length} sites`)

/** What words weigh, by the pages of other sites than those of this part. */
const NAME_PARTS = 4
const usesOf = (all: readonly PageSamples[]) =>
  all.flatMap(({ site, names, labels, weights }) =>
    names.map((words, at) => ({ words, site, label: labels[at] ?? 0, weight: weights[at] ?? 0 })),
  )
const weightsOfOthers = Array.from({ length: NAME_PARTS }, (_, part) =>
  weighNames(usesOf(pages.filter((page) => partOf(page, NAME_PARTS) !== part))),
)

const evidence: string[] = []
const samples = ((): Samples & { readonly pageOf: Int32Array; readonly words: Int32Array } => {
  const gathered = pages.map((page) => page.gather(weightsOfOthers[partOf(page, NAME_PARTS)] ?? new Map()))
  evidence.push(...(gathered[0]?.names ?? []))
  const rows = gathered.reduce((sum, page) => sum + page.numbers.length, 0)
  const columns = evidence.length
  const values = new Float32Array(rows * columns)
  const labels = new Float32Array(rows)
  const weights = new Float64Array(rows)
  const pageOf = new Int32Array(rows)
  const words = new Int32Array(rows)
  let row = 0
  pages.forEach((page, number) => {
    const count = page.page.set === 'documentation' ? Number(flags.documentation) : 1
    page.labels.forEach((label, at) => {
      for (let column = 0; column < columns; column += 1)
        values[column * rows + row] = gathered[number]?.numbers[at]?.[column] ?? 0
      labels[row] = Math.max(0, label)
      weights[row] = (page.weights[at] ?? 0) * count
      pageOf[row] = number
      words[row] = page.blocks[at]?.words ?? 0
      row += 1
    })
  })
  const all = Array.from({ length: rows }, (_, at) => at).filter((at) => (weights[at] ?? 0) > 0)
  const bins = new Uint8Array(rows * columns)
  const edges = Array.from({ length: columns }, (_, column) => {
    const own = values.subarray(column * rows, (column + 1) * rows)
    const borders = findEdges(own, all)
    own.forEach((value, at) => (bins[column * rows + at] = findBin(borders, value)))
    return borders
  })
  return { rows, columns, bins, edges, labels, weights, pageOf, words }
})()

/** Short blocks are many: a third of them stands for all. */
const FEW_WORDS = 8
const SHARE_OF_SHORT = 0.35

function learn(isLearntFrom: (page: PageSamples) => boolean): Forest {
  const random = makeRandom(3)
  const weights = samples.weights.slice()
  const rows: number[] = []
  for (let row = 0; row < samples.rows; row += 1) {
    const page = pages[samples.pageOf[row] ?? 0]
    const isShort = (samples.words[row] ?? 0) < FEW_WORDS
    const isTaken = !isShort || random() < SHARE_OF_SHORT
    if (page === undefined || weights[row] === 0 || !isTaken || !isLearntFrom(page)) continue
    if (isShort) weights[row] = (weights[row] ?? 0) / SHARE_OF_SHORT
    rows.push(row)
  }
  return growTrees({ ...samples, weights }, rows, growth)
}

function chooseTexts(forestOf: (page: PageSamples) => Forest): string[] {
  let row = 0
  return pages.map((page) => {
    const forest = forestOf(page)
    return chooseText(
      page,
      page.blocks.map(() => askForest(forest, samples, row++)),
    )
  })
}

const metrics = (await import(pathToFileURL(join(found.folder, 'lib/metrics.mjs')).href)) as Metrics
if (flags.check) {
  const PARTS = 5
  const forests = Array.from({ length: PARTS }, (_, part) => learn((page) => partOf(page, PARTS) !== part))
  const base: Forest = { base: 0, trees: [] }
  console.log(
    judgeTexts(
      pages,
      chooseTexts((page) => forests[partOf(page, PARTS)] ?? base),
      metrics,
    ),
  )
} else {
  const forest = learn(() => true)
  console.log(
    judgeTexts(
      pages,
      chooseTexts(() => forest),
      metrics,
    ),
  )
  writeFileSync(
    join(root, 'src/extract/content-model.ts'),
    printModel(forest, samples, evidence, weighNames(usesOf(pages))),
  )
}
