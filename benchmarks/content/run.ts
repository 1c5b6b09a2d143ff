import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { findCollection } from '../quality/collection.js'
import type { Growth } from './grow-trees.js'
import { judgeOthers, learnTwice, type Rows } from './learn-twice.js'
import { chooseText, judgeTexts, type Metrics } from './judge-choice.js'
import { loadCollection, loadDocumentation } from './load-references.js'
import { printModel } from './print-model.js'
import { type PageSamples, readSamples } from './read-samples.js'
import { findBin, findEdges } from './sort-into-bins.js'
import { weighNames } from './weigh-names.js'

const { values: flags } = parseArgs({
  options: {
    /** Judges the way of learning: each fifth of the sites by what the others taught. */
    check: { type: 'boolean', default: false },
    trees: { type: 'string', default: '150' },
    /** Of the second look. */
    'second-trees': { type: 'string', default: '120' },
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
  minWeight: 3,
  columnShare: 0.4,
  rowShare: 0.5,
  seed: 7,
}

const growths = { first: growth, second: { ...growth, trees: Number(flags['second-trees']), seed: 11 } }

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

const samples = ((): Rows => {
  const gathered = pages.map((page) => page.gather(weightsOfOthers[partOf(page, NAME_PARTS)] ?? new Map()))
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
    own.forEach((value, at) => (bins[at * columns + column] = findBin(borders, value)))
    return borders
  })
  return { rows, columns, names, bins, edges, labels, weights, pageOf, words }
})()

/** The choice by what the blocks were judged to be. */
function chooseTexts(judged: Float64Array): string[] {
  let row = 0
  return pages.map((page) => {
    const from = row
    row += page.blocks.length
    return chooseText(page, judged.subarray(from, row))
  })
}

const metrics = (await import(pathToFileURL(join(found.folder, 'lib/metrics.mjs')).href)) as Metrics
const PARTS = 5
const parted = { pages, parts: PARTS, partOf: (page: PageSamples) => partOf(page, PARTS) }
if (flags.check) {
  console.log(judgeTexts(pages, chooseTexts(judgeOthers(parted, samples, growths)), metrics))
} else {
  const { first, second, judged } = learnTwice(parted, samples, growths)
  console.log(judgeTexts(pages, chooseTexts(judged), metrics))
  const model = printModel({ first, second, nameWeights: weighNames(usesOf(pages)) })
  writeFileSync(join(root, 'src/extract/main-content/content-model.json'), model)
}
