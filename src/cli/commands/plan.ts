import type { CrawlForecast } from '../../index.js'
import type { Command } from '../command.js'
import { PRINT_FLAG_NAMES, printCommandFlags } from '../flags/command-flags.js'
import type { Flag } from '../flags/flag.js'
import { crawlFlags } from '../flags/request-flags.js'
import { alignColumns } from '../output/align-columns.js'
import { printFindings } from '../output/print-findings.js'
import { nameFlags, withUrlErrors } from '../to-usage-error.js'

/** Options whose values may hold secrets, and are not printed. */
const SECRET_OPTIONS: ReadonlySet<string> = new Set(['headers', 'webhook', 'actions', 'profile'])
/** Stands in for a value that may be secret. */
const HIDDEN = '(given)'

/** `trawl plan URL` shows what a crawl with these flags would do. */
export const planCommand: Command = {
  name: 'plan',
  argument: 'URL',
  summary:
    'Shows what `trawl crawl` would do with the same flags: its options, the URLs of a short survey that it would scrape, and those ' +
    'that it would refuse, each with the reason. It reads robots.txt, the sitemaps and a few pages, and stores nothing.',
  example: [
    "trawl plan https://books.toscrape.com/ --exclude-paths '^/catalogue/category/'",
    'Shows what a crawl would scrape, and what it would refuse:',
  ],
  mainFlags: [
    ...PRINT_FLAG_NAMES,
    'limit',
    'include-paths',
    'exclude-paths',
    'max-discovery-depth',
    'crawl-entire-domain',
    'allow-subdomains',
    'allow-external-links',
    'sitemap',
    'ignore-robots-txt',
    'headers',
    'prompt',
    'model-url',
    'model',
  ],
  flags: () => [...printCommandFlags, ...crawlFlags()],
  run: async (invocation) => {
    const { argument: url, request, flags, engine, interrupt } = invocation
    const forecast = await withUrlErrors(flags, engine.plan({ ...request, url }, { signal: interrupt.signal }))
    const used = listOptions(flags, request)
    const options = Object.fromEntries(used.map(({ name, value }) => [name, value]))
    const lines = printPlan(forecast, used, flags)
    return printFindings({ json: { ...forecast, options }, lines, warnings: forecast.warnings }, invocation)
  },
}

/** An option that the crawl would use. */
interface UsedOption {
  /** Path of the option in the request: `scrapeOptions.timeout`. */
  readonly name: string
  readonly value: unknown
  /** True if a flag gave it; otherwise it is the default. */
  readonly isGiven: boolean
}

/** Lists the options of a request that have a value or a default, in the order of their flags. */
function listOptions(flags: readonly Flag[], request: Readonly<Record<string, unknown>>): UsedOption[] {
  return flags.flatMap(({ target, path, default: value }): UsedOption[] => {
    if (target !== 'request') return []
    const name = path.join('.')
    const given = path.reduce<unknown>((object, key) => (object as Record<string, unknown> | undefined)?.[key], request)
    if (given === undefined) return value === undefined ? [] : [{ name, value, isGiven: false }]
    return [{ name, value: SECRET_OPTIONS.has(path.at(-1) ?? '') ? HIDDEN : given, isGiven: true }]
  })
}

function printPlan(forecast: CrawlForecast, options: readonly UsedOption[], flags: readonly Flag[]): string[] {
  const { start, pages, templates, refused, patterns, robots, otherStarts = [] } = forecast
  const limit = options.find(({ name }) => name === 'limit')?.value
  const generated = Object.entries(forecast.promptGeneratedOptions ?? {})
  return [
    ...[{ url: start, robots }, ...otherStarts].flatMap((one) => [
      `Start   ${one.url}`,
      `Robots  ${printRobots(one.robots, flags)}`,
    ]),
    `Pages   ${pages} found so far, at most ${String(limit)} scraped`,
    ...printTable(
      ['TEMPLATE', 'PAGES', 'EXAMPLE'],
      templates.map(({ template, count, example }) => [template, String(count), example]),
    ),
    ...printTable(
      ['REFUSED', 'URLS', 'EXAMPLE', 'WHY'],
      refused.map(({ reason, count, examples: [example] }) => [
        reason,
        String(count),
        example?.url ?? '',
        nameFlags(example?.message ?? '', flags),
      ]),
    ),
    ...printTable(
      ['PATTERN', 'OF', 'URLS', 'EXAMPLE'],
      patterns.map(({ pattern, field, count, examples }) => [pattern, field, String(count), examples[0] ?? '']),
    ),
    ...printTable(
      ['OPTION', 'VALUE'],
      [
        ...options.filter(({ isGiven }) => isGiven).map(({ name, value }): [string, unknown] => [name, value]),
        ...generated.map(([name, value]): [string, unknown] => [`${name} (from the prompt)`, value]),
      ].map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
    ),
    'All other options have their defaults: --json prints them.',
  ]
}

function printRobots({ allowed, message = '', crawlDelayMs }: CrawlForecast['robots'], flags: readonly Flag[]): string {
  const delay = crawlDelayMs === undefined ? '' : `, one page each ${crawlDelayMs / 1000} s`
  return `${allowed ? 'allowed' : `refused: ${nameFlags(message, flags)}`}${delay}`
}

/** Formats rows after an empty line; nothing if there are none. */
const printTable = (headings: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  rows.length === 0 ? [] : ['', ...alignColumns(headings, rows)]
