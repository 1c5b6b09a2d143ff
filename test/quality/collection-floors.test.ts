import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, test } from 'vitest'
import { findCollection } from '../../benchmarks/quality/collection.js'
import { type Bounds, findBreaches, readFigures, tighten } from '../../benchmarks/quality/figures.js'
import { runCases, runScorer } from '../../benchmarks/quality/run-scorer.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const bounds = JSON.parse(readFileSync(`${root}benchmarks/quality/floors.json`, 'utf8')) as Bounds
const found = findCollection(root)
const missing = 'missing' in found ? found.missing : undefined
if (missing !== undefined) console.log(`The pages of the quality collection are not scored: ${missing}.`)

describe('the quality collection', () => {
  test.skipIf(missing)(
    `is read as well as ever: no figure below its floor${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    { timeout: 900_000 },
    async () => {
      if ('missing' in found) return
      const scoring = { collection: found.folder, root, jobs: 2 }
      const { sets } = await runScorer({ ...scoring, sets: ['aeb', 'wcxb', 'traf'] })
      const { sets: withoutHeadline } = await runScorer({ ...scoring, sets: ['aeb'], withoutHeadline: true })
      const cases = await runCases(scoring)
      const figures = readFigures({ sets, withoutHeadline, cases })
      const named = [...Object.keys(bounds.floors), ...Object.keys(bounds.ceilings)]
      expect(named.sort(), 'every figure has a bound').toEqual(Object.keys(figures).sort())
      const breaches = findBreaches(figures, bounds)
      expect([...breaches, ...cases.failures], `\n${[...breaches, ...cases.failures].join('\n')}\n`).toEqual([])
    },
  )
})

describe('the folder of the collection', () => {
  let folder: string
  afterEach(() => rm(folder, { recursive: true }))

  const open = async (scorerAt: string): Promise<string> => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-'))
    await mkdir(join(folder, 'checkout/quality'), { recursive: true })
    await mkdir(join(folder, scorerAt), { recursive: true })
    await writeFile(join(folder, scorerAt, 'evaluate.mjs'), '')
    return join(folder, 'checkout')
  }

  it('is found beside the checkout', async () => {
    const checkout = await open('quality')
    expect(findCollection(checkout, '')).toEqual({ folder: join(folder, 'quality') })
  })

  it('is found in a folder beside the checkout', async () => {
    const checkout = await open('things/quality')
    expect(findCollection(`${checkout}/`, '')).toEqual({ folder: join(folder, 'things/quality') })
  })

  it('is the one that the environment names, which must have a scorer in it', async () => {
    const checkout = await open('elsewhere')
    expect(findCollection(checkout, join(folder, 'elsewhere'))).toEqual({ folder: join(folder, 'elsewhere') })
    expect(() => findCollection(checkout, folder)).toThrow(/QUALITY_COLLECTION.*no evaluate\.mjs/)
  })

  it('is missing, with the reason, where there is none', async () => {
    const checkout = await open('elsewhere')
    expect(findCollection(checkout, '')).toEqual({ missing: expect.stringMatching(/quality.*QUALITY_COLLECTION/) })
  })
})

describe('the bounds of figures', () => {
  const before = { floors: { 'a F1': 0.5, 'b F1': 0.5 }, ceilings: { 'a unwanted snippets': 0.2, 'b errors': 1 } }

  it('say what is outside of them, and nothing of what was not measured', () => {
    expect(findBreaches({ 'a F1': 0.49, 'a unwanted snippets': 0.21 }, before)).toEqual([
      'a F1 is 0.4900, below its floor of 0.5',
      'a unwanted snippets is 0.2100, above its ceiling of 0.2',
    ])
    expect(findBreaches({ 'a F1': 0.5, 'b F1': 0.6, 'b errors': 0 }, before)).toEqual([])
  })

  it('are drawn up to better figures, and stay where a figure got worse', () => {
    const figures = { 'a F1': 0.61239, 'b F1': 0.4, 'a unwanted snippets': 0.1, 'b errors': 3 }
    expect(tighten(before, figures)).toEqual({
      floors: { 'a F1': 0.612, 'b F1': 0.5 },
      ceilings: { 'a unwanted snippets': 0.1, 'b errors': 1 },
    })
  })
})
