import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDigestPool, type DigestPool } from '../../src/content/digest/workers/pool.js'
import { errorTable, TrawlError } from '../../src/base/errors.js'
import { digestPlan } from '../content/digest/plans.js'
import { officeZips } from '../content/parse/make-zip.js'
import { sampleFiles } from '../content/parse/sample-files.js'
import { Dice, mutateFile } from './mutate-file.js'
import { packagedPdfs } from './packaged-pdfs.js'

/**
 * Broken files of every kind that there is a parser for: each ends in a document or in a listed code, within its time, and
 * none kills its thread. PDF files of packages that are installed are among them, or unpacked in `PDF_ROOT`. `BARS_SEED` makes others, `BARS_FROM` and `BARS_FILES` say which of them, and files that show a fault are
 * kept in the folder `BARS_KEEP`.
 */
const isWhole = process.env['BARS'] === 'whole'
const COUNT = Number(process.env['BARS_FILES'] ?? (isWhole ? 20_000 : 300))
const SEED = Number(process.env['BARS_SEED'] ?? 1)
const FROM = Number(process.env['BARS_FROM'] ?? 0)
const KEEP = process.env['BARS_KEEP']

const fixtures = new URL('../fixtures/', import.meta.url)
/** Where files of each kind are. */
const FOLDERS = ['files', 'pdf', 'office', 'html', 'markdown']

interface Seed {
  readonly name: string
  readonly bytes: Buffer
  /** What it is served as; a fixture says it by its name. */
  readonly contentType?: string
}

/** What takes long to be read when it is whole would only be read less often. */
const MAX_BYTES = 1_000_000

function readSeeds(): Seed[] {
  const seeds: Seed[] = []
  for (const folder of FOLDERS.filter((name) => existsSync(new URL(`${name}/`, fixtures)))) {
    const place = new URL(`${folder}/`, fixtures)
    for (const entry of readdirSync(place, { recursive: true, withFileTypes: true })) {
      const path = `${entry.parentPath}/${entry.name}`
      // What is expected of a fixture is none.
      const bytes = entry.isFile() && !entry.name.startsWith('expected.') ? readFileSync(path) : undefined
      if (bytes && bytes.length > 0 && bytes.length < MAX_BYTES) seeds.push({ name: entry.name, bytes })
    }
  }
  for (const { path } of isWhole ? packagedPdfs : []) {
    const source = join(process.env['PDF_ROOT'] ?? '/usr/share', path)
    if (!existsSync(source)) continue
    const bytes = source.endsWith('.gz') ? gunzipSync(readFileSync(source)) : readFileSync(source)
    // Of a long one most pages are read as before, thousands of times.
    if (bytes.length < MAX_BYTES / 10) seeds.push({ name: 'file.pdf', bytes })
  }
  for (const zip of Object.values(officeZips)) seeds.push({ name: 'file', bytes: Buffer.from(zip) })
  for (const { body, mediaType } of sampleFiles.values())
    seeds.push({ name: 'file', bytes: Buffer.from(body), contentType: mediaType })
  return seeds
}

const seeds = readSeeds()
const plan = digestPlan({ formats: [{ type: 'markdown' }, { type: 'html' }, { type: 'links' }] })
const never = new AbortController().signal

/** The heap is the cap: what needs more of it ends its thread, which is a failure here. */
const openPool = (timeoutMs: number): DigestPool =>
  createDigestPool({ threads: 1, inlineBytes: 0, timeoutMs, fileTimeoutMs: timeoutMs, maxHeapMib: 512 })

let pool: DigestPool
/** For what took longer than it may, which is no fault where it comes to an end: the machine may be busy with other work. */
let patient: DigestPool
beforeAll(() => {
  pool = openPool(10_000)
  patient = openPool(300_000)
})
afterAll(() => Promise.all([pool.close(), patient.close()]))

const LATE = /took longer/

/** What a file came to: undefined for what it may, else what is wrong with that. */
async function judge(seed: Seed, body: Uint8Array, reader = pool): Promise<string | undefined> {
  const { name, contentType } = seed
  const again = async (what: string): Promise<string | undefined> =>
    LATE.test(what) && reader === pool ? await judge(seed, body, patient) : what
  try {
    const input = { url: `https://site.test/${name}`, body, ...(contentType !== undefined && { contentType }) }
    const { warnings } = await reader.digest(input, plan, never)
    const fault = warnings.find(
      (warning) => LATE.test(warning) || /^The page could not be read|more memory/.test(warning),
    )
    return fault && (await again(fault))
  } catch (error) {
    if (!(error instanceof TrawlError)) return `it threw ${String(error)}`
    if (LATE.test(error.message)) return await again(error.message)
    // A thread says no more of what a parser throws that it should not.
    if (/^The page could not be read\.|more memory/.test(error.message)) return error.message
    return error.code in errorTable && error.code !== 'UNKNOWN_ERROR' ? undefined : `${error.code}: ${error.message}`
  }
}

it('reads every broken file, or says that it cannot', { timeout: 3_600_000 }, async () => {
  const faults: string[] = []
  let maxBytes = 0
  for (let nth = FROM; nth < FROM + COUNT && faults.length < 20; nth++) {
    const dice = new Dice(SEED * 1_000_003 + nth)
    const seed = dice.pick(seeds)
    const broken = mutateFile(seed.bytes, dice.pick(seeds).bytes, dice)
    const fault = await judge(seed, new Uint8Array(broken))
    if (fault !== undefined) {
      faults.push(`${nth}: ${seed.name}, ${broken.length} bytes: ${fault}`)
      if (KEEP !== undefined) writeFileSync(`${KEEP}/${nth}-${seed.name}`, broken)
    }
    maxBytes = Math.max(maxBytes, process.memoryUsage.rss())
  }
  expect(faults).toEqual([])
  expect(maxBytes).toBeLessThan(1_500_000_000)
})
