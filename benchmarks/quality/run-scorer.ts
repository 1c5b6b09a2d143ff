import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The scorer's result for an extractor on one set of pages. Only a set with page types has the last four fields. */
export interface SetScore {
  readonly set: string
  readonly pages: number
  readonly p: number
  readonly r: number
  readonly f: number
  readonly empty: number
  readonly errors: number
  readonly types?: Readonly<Record<string, { readonly f: number }>>
  readonly typeMean?: number
  /** Shares of the wanted and of the unwanted snippets in the output. */
  readonly with?: number
  readonly without?: number
  readonly structure?: Readonly<Record<string, { readonly f: number }>>
}

/** The score of one page. */
export interface PageScore {
  readonly set: string
  readonly id: string
  readonly f: number
  readonly ms: number
  readonly error?: string
}

export interface Scores {
  readonly sets: readonly SetScore[]
  readonly pages: readonly PageScore[]
  /** The worst pages, as the scorer prints them; empty if none were requested. */
  readonly worst: string
}

interface Scoring {
  /** Folder of the collection with the scorer. */
  readonly collection: string
  /** The built checkout, whose extractor is scored. */
  readonly root: string
  readonly sets: readonly string[]
  /** True if the headline is left out of the scored text, as in the reference texts of most news. Default: false. */
  readonly withoutHeadline?: boolean
  /** Number of processes. */
  readonly jobs: number
  /** Number of worst pages of each set that are listed. */
  readonly worst?: number
}

const run = promisify(execFile)
const MAX_BYTES = 64 * 2 ** 20

/** Scores trawl's Markdown, with default options, with the collection's scorer. */
export async function runScorer({ collection, root, sets, jobs, worst = 0, ...scoring }: Scoring): Promise<Scores> {
  const extractor = scoring.withoutHeadline ? 'extract-without-headline.mjs' : 'extract-with-trawl.mjs'
  const folder = await mkdtemp(join(tmpdir(), 'trawl-'))
  const report = join(folder, 'report.jsonl')
  const flags = [
    '--set',
    sets.join(','),
    '--prefer',
    'markdown',
    '--jobs',
    `${jobs}`,
    '--report',
    report,
    '--json',
    '--quiet',
  ]
  if (worst > 0) flags.push('--worst', `${worst}`)
  try {
    const { stdout } = await run(
      process.execPath,
      [join(collection, 'evaluate.mjs'), join(root, 'benchmarks/quality', extractor), ...flags],
      { cwd: root, maxBuffer: MAX_BYTES },
    )
    const lines = stdout.trimEnd().split('\n')
    const totals = JSON.parse(lines.at(-1) ?? '') as { list: SetScore[] }
    const pages = (await readFile(report, 'utf8')).trimEnd().split('\n')
    return {
      sets: totals.list,
      pages: pages.map((line) => JSON.parse(line) as PageScore),
      worst: lines.slice(0, -1).join('\n'),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Result of the collection's Markdown cases. */
export interface CaseScore {
  readonly passed: number
  readonly all: number
  /** Name and reason of each failed case. */
  readonly failures: readonly string[]
}

/** Converts the collection's Markdown cases with trawl. */
export async function runCases({ collection, root }: Pick<Scoring, 'collection' | 'root'>): Promise<CaseScore> {
  const converter = join(root, 'benchmarks/quality/convert-with-trawl.mjs')
  const { stdout } = await run(process.execPath, [join(collection, 'markdown/run.mjs'), converter, '--show'], {
    cwd: root,
    maxBuffer: MAX_BYTES,
  })
  const [, passed, all] = /^convert-with-trawl\s+(\d+)\/(\d+)/m.exec(stdout) ?? []
  if (passed === undefined || all === undefined) throw new Error(`The Markdown cases gave no result:\n${stdout}`)
  const failures = [...stdout.matchAll(/^convert-with-trawl FAIL (.*\n.*)$/gm)].map(([, failure = '']) => failure)
  return { passed: Number(passed), all: Number(all), failures }
}
