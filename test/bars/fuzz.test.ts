import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDigestPool, type DigestPool } from '../../src/digest/pool.js'
import { errorTable, TrawlError } from '../../src/errors.js'
import { digestPlan } from '../digest/plans.js'
import { officeZips } from '../parse/make-zip.js'
import { sampleFiles } from '../parse/sample-files.js'
import { Dice, mutateFile } from './mutate-file.js'

/**
 * Broken files of every kind that there is a parser for: each ends in a document or in a listed code, within its time, and
 * none kills its thread. `BARS_SEED` starts elsewhere, `BARS_FILES` says how many.
 */
const isWhole = process.env['BARS'] === 'whole'
const COUNT = Number(process.env['BARS_FILES'] ?? (isWhole ? 20_000 : 300))
const SEED = Number(process.env['BARS_SEED'] ?? 1)

const fixtures = new URL('../fixtures/', import.meta.url)
/** Where files of each kind are. */
const FOLDERS = ['files', 'pdf', 'office', 'html', 'markdown']

interface Seed {
  readonly name: string
  readonly bytes: Buffer
  /** What it is served as; a fixture says it by its name. */
  readonly contentType?: string
}

function readSeeds(): Seed[] {
  const seeds: Seed[] = []
  for (const folder of FOLDERS.filter((name) => existsSync(new URL(`${name}/`, fixtures)))) {
    const place = new URL(`${folder}/`, fixtures)
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
      const path = `${entry.parentPath}/${entry.name}`
      // What is expected of a fixture is none.
      const bytes = entry.isFile() && !entry.name.startsWith('expected.') ? readFileSync(path) : undefined
      // What takes long to be read when it is whole would only be read less often.
      if (bytes && bytes.length > 0 && bytes.length < 1_000_000) seeds.push({ name: entry.name, bytes })
    }
  }
  for (const zip of Object.values(officeZips)) seeds.push({ name: 'file', bytes: Buffer.from(zip) })
  for (const { body, mediaType } of sampleFiles.values())
    seeds.push({ name: 'file', bytes: Buffer.from(body), contentType: mediaType })
  return seeds
}

const seeds = readSeeds()
const plan = digestPlan({ formats: [{ type: 'markdown' }, { type: 'html' }, { type: 'links' }] })
const never = new AbortController().signal

let pool: DigestPool
beforeAll(() => {
  // The heap is the cap: what needs more of it ends its thread, which is a failure here.
  pool = createDigestPool({ threads: 1, inlineBytes: 0, timeoutMs: 10_000, fileTimeoutMs: 20_000, maxHeapMib: 512 })
})
afterAll(() => pool.close())

/** What a file came to: undefined for what it may, else what is wrong with that. */
async function judge({ name, contentType }: Seed, body: Uint8Array): Promise<string | undefined> {
  try {
    const input = { url: `https://site.test/${name}`, body, ...(contentType !== undefined && { contentType }) }
    const { warnings } = await pool.digest(input, plan, never)
    return warnings.find((warning) => /could not be read|took longer|more memory/.test(warning))
  } catch (error) {
    if (!(error instanceof TrawlError)) return `it threw ${String(error)}`
    if (/could not be read\.|took longer|more memory/.test(error.message)) return error.message
    return error.code in errorTable && error.code !== 'UNKNOWN_ERROR' ? undefined : `${error.code}: ${error.message}`
  }
}

it('reads every broken file, or says that it cannot', { timeout: 3_600_000 }, async () => {
  const faults: string[] = []
  let mostBytes = 0
  for (let nth = 0; nth < COUNT && faults.length < 20; nth++) {
    const dice = new Dice(SEED * 1_000_003 + nth)
    const seed = dice.pick(seeds)
    const broken = mutateFile(seed.bytes, dice.pick(seeds).bytes, dice)
    const fault = await judge(seed, new Uint8Array(broken))
    if (fault !== undefined) faults.push(`${nth}: ${seed.name}, ${broken.length} bytes: ${fault}`)
    mostBytes = Math.max(mostBytes, process.memoryUsage.rss())
  }
  expect(faults).toEqual([])
  expect(mostBytes).toBeLessThan(1_500_000_000)
})
