import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findCollection } from '../quality/collection.js'
import { type Bounds, findBreaches, tighten } from '../quality/figures.js'
import type { Baselines } from '../quality/print-table.js'
import { writeReport } from '../write-report.js'
import type { Growth } from './grow-trees.js'
import { predictHeldOut, type Rows, train } from './train-forest.js'
import { evaluateTexts, type Metrics, printBesideOthers, printFigureTable } from './evaluate-choice.js'
import { loadCollection, loadDocumentation } from './load-references.js'
import { printModel } from './print-model.js'
import { type PageSamples, readSamples } from './read-samples.js'
import { findBin, findEdges } from './sort-into-bins.js'
import { weighNames } from './weigh-names.js'

const { values: flags } = parseArgs({
  options: {
    /**
     * Cross-validates instead of writing the model: predicts each fifth of the sites by a model trained on the others.
     */
    check: { type: 'boolean', default: false },
    /** The same for each set of the collection in place of each fifth of the sites. */
    'check-sets': { type: 'boolean', default: false },
    /** Writes the figures into benchmarks/README.md, and raises their floors. */
    write: { type: 'boolean', default: false },
    trees: { type: 'string', default: '480' },
    leaves: { type: 'string', default: '24' },
    /** Weight of a documentation page relative to a page of the collection. */
    documentation: { type: 'string', default: '0.5' },
    /** Weight of a page of WCXB that is not an article: there are far more articles in the other sets. */
    others: { type: 'string', default: '3' },
  },
})

const growth: Growth = {
  trees: Number(flags.trees),
  leaves: Number(flags.leaves),
  rate: 0.06,
  shrink: 5,
  minWeight: 3,
  columnShare: 0.3,
  rowShare: 0.5,
  seed: 7,
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const found = findCollection(root)
if ('missing' in found) throw new Error(`There is no training data: ${found.missing}. See benchmarks/README.md.`)

const documentation = loadDocumentation()
const references = [...(await loadCollection(found.folder)), ...documentation]
const pages = references.map((reference) => readSamples(reference)).filter(({ blocks }) => blocks.length > 0)
const sites = [...new Set(pages.map(({ site }) => site))]
const groupOf = new Map(sites.map((site, at) => [site, at]))
const partOf = ({ site }: PageSamples, parts: number): number => (groupOf.get(site) ?? 0) % parts
console.log(`${pages.length} pages of ${sites.length} sites`)

/** Parts for the weights of names. Each page is trained with weights from the sites of the other parts. */
const NAME_PARTS = 4
const usesOf = (all: readonly PageSamples[]) =>
  all.flatMap(({ site, names, labels, weights }) =>
    names.map((words, at) => ({ words, site, label: labels[at] ?? 0, weight: weights[at] ?? 0 })),
  )
const weightsOfOthers = Array.from({ length: NAME_PARTS }, (_, part) =>
  weighNames(usesOf(pages.filter((page) => partOf(page, NAME_PARTS) !== part))),
)

function weightOf({ page: { set, type } }: PageSamples): number {
  if (set === 'documentation') return Number(flags.documentation)
  return set === 'wcxb' && type !== 'article' ? Number(flags.others) : 1
}

const samples = ((): Rows => {
  const gathered = pages.map((page) => page.featuresOf(weightsOfOthers[partOf(page, NAME_PARTS)] ?? new Map()))
  const names = gathered[0]?.names ?? []
  const rows = gathered.reduce((sum, page) => sum + page.numbers.length, 0)
  const columns = names.length
  const values = new Float32Array(rows * columns)
  const labels = new Float32Array(rows)
  const weights = new Float64Array(rows)
  const pageOf = new Int32Array(rows)
  const words = new Int32Array(rows)
  let row = 0
  pages.forEach((page, number) => {
    const count = weightOf(page)
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
    own.forEach((value, at) => (bins[at * columns + column] = findBin(borders, value)))
    return borders
  })
  return { rows, columns, names, bins, edges, labels, weights, pageOf, words }
})()

/** Chooses the text of each page by the predictions for its blocks. */
function chooseTexts(predicted: Float64Array): string[] {
  let row = 0
  return pages.map((page) => {
    const from = row
    row += page.blocks.length
    return page.chooseText(predicted.subarray(from, row))
  })
}

const metrics = (await import(pathToFileURL(join(found.folder, 'lib/metrics.mjs')).href)) as Metrics
const PARTS = 5
const parted = { pages, parts: PARTS, partOf: (page: PageSamples) => partOf(page, PARTS) }
const measure = (heldOut: Float64Array): Record<string, number> => evaluateTexts(pages, chooseTexts(heldOut), metrics)
if (flags['check-sets']) {
  const sets = [...new Set(pages.map(({ page }) => page.set))]
  const bySet = { pages, parts: sets.length, partOf: ({ page }: PageSamples) => sets.indexOf(page.set) }
  const others = JSON.parse(readFileSync(join(found.folder, 'baselines.json'), 'utf8')) as Baselines
  const table = printBesideOthers(measure(predictHeldOut(bySet, samples, growth)), others)
  console.log(table)
  if (flags.write) writeReport('learning by set', table)
} else if (flags.check) {
  judge(measure(predictHeldOut(parted, samples, growth)))
} else {
  const forest = train(samples, () => true, growth)
  const nameWeights = weighNames(usesOf(pages))
  const model = printModel({ forest, edges: samples.edges, names: samples.names, nameWeights })
  writeFileSync(join(root, 'src/content/extract/main-content/content-model.json'), model)
  judge(measure(predictHeldOut(parted, samples, growth)))
}

/** Floors, and the documentation packages that were trained on when they were recorded. */
interface RecordedBounds extends Bounds {
  readonly documentation: readonly string[]
}

/**
 * Prints figures of sites that were not trained on, and those below their floors. `--write` raises the floors. Where other
 * documentation packages are installed, other trees are grown, and figures differ by up to .006: the command does not fail then.
 */
function judge(figures: Readonly<Record<string, number>>): void {
  const table = printFigureTable(figures)
  console.log(table)
  const file = join(root, 'benchmarks/content/floors.json')
  const bounds = JSON.parse(readFileSync(file, 'utf8')) as RecordedBounds
  const installed = [...new Set(documentation.map(({ id }) => id.split('/', 1)[0] ?? ''))]
  const isSame = installed.join() === bounds.documentation.join()
  if (!isSame)
    console.log(`the floors were recorded with ${bounds.documentation.join(', ')}; here are ${installed.join(', ')}`)
  for (const breach of findBreaches(figures, bounds)) {
    console.log(`out of bounds: ${breach}`)
    if (isSame) process.exitCode = 1
  }
  if (!flags.write) return
  const tightened = { ...tighten(bounds, figures), documentation: installed }
  writeFileSync(file, `${JSON.stringify(tightened, undefined, 2)}\n`)
  writeReport('learning', table)
}
