import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { writeReference } from '../../build/docs/reference.js'
import * as commands from '../../src/cli/commands/index.js'
import { flagsOf } from '../../src/cli/run-command-line.js'
import { builtIn } from '../../src/features/create-engine.js'
import { errorTable } from '../../src/features/create-engine.js'
import { batchScrapeSchema } from '../../src/kernel/options/batch-options.js'
import { crawlSchema } from '../../src/kernel/options/crawl-options.js'
import { engineConfigSchema } from '../../src/kernel/options/engine-config.js'
import { parseInputSchema } from '../../src/kernel/options/parse-input.js'
import { scrapeShape } from '../../src/kernel/options/scrape-schema.js'
import { v1CrawlSchema } from '../../src/kernel/options/v1-options.js'

const root = new URL('../..', import.meta.url).pathname
const folder = `${root}docs/reference/`
const isWriting = process.env['WRITE_DOCS'] === '1'

let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  pages = await writeReference(root)
  if (!isWriting) return
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of pages) writeFileSync(`${folder}${name}`, text)
}, 120_000)

const requestPages = [
  'options.md',
  'feature-options.md',
  'formats.md',
  'actions.md',
  'job-options.md',
  'crawl-options.md',
  'map-options.md',
]
const enginePages = ['engine-config.md', 'engine-content.md', 'plug-in-options.md']
const documentPages = ['document.md', 'document-formats.md', 'document-media.md', 'jobs.md', 'outcomes.md']
const names = [...requestPages, ...enginePages, ...documentPages, 'errors.md', 'skip-reasons.md', 'cli.md']
const REQUESTS = 'requests'
const ENGINE = 'engine'
const sets: Readonly<Record<string, readonly string[]>> = { [REQUESTS]: requestPages, [ENGINE]: enginePages }
/** Text of a page, or of a set of pages. */
const pageOf = (name: string): string => (sets[name] ?? [name]).map((page) => pages.get(page) ?? '').join('\n')

/** Names that stand neither in a heading nor at the head of a list item or table row. */
const missing = (page: string, words: readonly string[]): string[] =>
  words.filter(
    (word) => !new RegExp(`^(?:#+ .*|- |\\| *)\`(?:[\\w.]*\\.|-\\w, |trawl )?${word}[\`\\s]`, 'm').test(pageOf(page)),
  )

describe('the reference', () => {
  it.each(names)('has a current %s', (name) => {
    const committed = readFileSync(`${folder}${name}`, 'utf8')
    expect(committed === pageOf(name), `docs/reference/${name} is not current: run \`npm run docs\``).toBe(true)
  })

  it('has a row for each meaning that a flag has', () => {
    const meanings = new Map<string, Set<string>>()
    for (const { name, description } of Object.values(commands).flatMap(flagsOf)) {
      meanings.set(name, (meanings.get(name) ?? new Set()).add(description))
    }
    for (const [name, { size }] of meanings) {
      const rows = pageOf('cli.md').match(new RegExp(`^\\| \`(?:-\\w, )?--${name}[ \`]`, 'gm'))
      expect(rows, name).toHaveLength(size)
    }
  })

  it('has every option of every request', () => {
    const shapes = [
      scrapeShape(z, builtIn.options),
      batchScrapeSchema(z, builtIn.options).shape,
      crawlSchema(z, builtIn.options).shape,
      ...Object.values(builtIn.options.calls),
      v1CrawlSchema(z, builtIn.options).shape,
      v1CrawlSchema(z, builtIn.options).shape.scrapeOptions.unwrap().shape,
      parseInputSchema(z).shape,
    ]
    expect(
      missing(
        REQUESTS,
        shapes.flatMap((shape) => Object.keys(shape)),
      ),
    ).toEqual([])
  })

  it('has every format and every option of one', () => {
    const formats = builtIn.formats.all
    expect(
      formats.map(({ type }) => type).filter((type) => !pageOf('formats.md').includes(`## Format \`${type}\``)),
    ).toEqual([])
    expect(
      missing(
        'formats.md',
        formats.flatMap(({ options }) => Object.keys(options?.(z) ?? {})),
      ),
    ).toEqual([])
  })

  it('has every option of an engine', () => {
    expect(missing(ENGINE, Object.keys(engineConfigSchema(z, builtIn.options).shape))).toEqual([])
  })

  it('has every error code and every skip reason, each with its meaning', () => {
    expect(missing('errors.md', Object.keys(errorTable))).toEqual([])
    expect(missing('skip-reasons.md', builtIn.skipReasons)).toEqual([])
    expect(pageOf('skip-reasons.md')).not.toMatch(/^\|[^|]*\|\s*\|$/m)
  })

  it('has every flag of every command', () => {
    const flags = Object.values(commands).flatMap((command) => flagsOf(command))
    expect(missing('cli.md', [...new Set(flags.map(({ name }) => `--${name}`))])).toEqual([])
  })

  it('has pages that a reader can survey', () => {
    const lines = names.map((name) => [name, pageOf(name).split('\n').length])
    expect(lines.filter(([, count]) => Number(count) > 260)).toEqual([])
  })

  it('says what each option means', () => {
    const silent = [...pageOf(REQUESTS).matchAll(/^##+ (`[^\n]*`)\n\n[^\n]*\n\n(?=#)/gm)].map(([, heading]) => heading)
    expect(silent).toEqual([])
  })
})
