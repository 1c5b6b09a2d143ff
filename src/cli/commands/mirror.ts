import { setTimeout as sleep } from 'node:timers/promises'
import { readDuration } from '../../base/text/read-duration.js'
import {
  type Mirror,
  type MirrorSummary,
  type MirrorTarget,
  mirrorTo,
  postgresTable,
  sqliteTable,
} from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { commandFlag, onOff, quietCommandFlags, strictFlag, text } from '../flags/command-flags.js'
import type { Flag } from '../flags/flag.js'
import { crawlFlags } from '../flags/request-flags.js'
import { countItems, printList } from '../output/summary.js'
import { withUrlErrors } from '../to-usage-error.js'
import { UsageError } from '../usage-error.js'

const UNITS = ['page', 'chunk'] as const

/** Options of the command. */
interface MirrorInvocation extends Invocation {
  readonly options: Invocation['options'] & {
    readonly every?: string
    readonly unit?: (typeof UNITS)[number]
    readonly maxRemoved?: number
    readonly table?: string
    readonly assets?: boolean
  }
}

const mirrorFlags: readonly Flag[] = [
  commandFlag(
    'every',
    text,
    'Interval, such as 30m, 6h or 1d: mirrors again and again until it is stopped. Default: once',
  ),
  commandFlag(
    'unit',
    { kinds: ['string'], choices: UNITS },
    'Rows of a database: page, or chunk for parts of pages with links to them. Default: page',
  ),
  commandFlag('table', text, 'Name of the table of a database. Default: pages, or chunks'),
  commandFlag(
    'assets',
    onOff,
    'Save the pictures that pages show in the folder, so that it reads offline: each up to 10 MiB, and none with scripts. Default: off',
  ),
  {
    ...commandFlag(
      'max-removed',
      { kinds: ['number'], choices: [] },
      'Largest share of the mirror that one crawl removes because it did not find it, or it answers 404 or 410, 0 to 1: what is more waits for 20 hours, and 0 keeps all. Default: 0.5',
    ),
    path: ['maxRemoved'],
  },
  strictFlag('a page failed, or the crawl did not see the whole site'),
  ...quietCommandFlags,
]

/** Paths that name an SQLite file. */
const SQLITE_FILE = /\.(?:db|sqlite3?)$/i
const POSTGRES = /^postgres(?:ql)?:\/\//i

/** `trawl mirror URL FOLDER` makes a folder or a database equal to a site. */
export const mirrorCommand: Command = {
  name: 'mirror',
  argument: 'URL',
  further: 'FOLDER|DATABASE',
  insteadOf: ['delete', 'mirror', 'prune', 'remove', 'sync'],
  summary:
    'Makes a folder, an SQLite file or a PostgreSQL database equal to a site: what is new or changed is written as Markdown, what is gone ' +
    'is removed, and the rest is not read again; DATABASE is FILE.db or postgres://HOST/NAME.',
  example: [
    'trawl mirror https://books.toscrape.com/ ./books --every 1d',
    'Keeps a folder equal to a site, day after day:',
  ],
  mainFlags: [
    'every',
    'unit',
    'assets',
    'max-removed',
    'strict',
    'json',
    'quiet',
    'help',
    'limit',
    'include-paths',
    'exclude-paths',
    'crawl-entire-domain',
    'sitemap',
    'delay',
    'max-concurrency',
    'snapshots',
  ],
  snapshotsOf: (_, target) =>
    POSTGRES.test(target)
      ? undefined
      : SQLITE_FILE.test(target)
        ? `${target}-snapshots`
        : `${target}/.trawl-mirror/snapshots`,
  flags: () => [...mirrorFlags, ...crawlFlags()],
  run: async (invocation: MirrorInvocation) => {
    const { argument: url, further, request, options, engine, interrupt, flags } = invocation
    const everyMs = options.every === undefined ? undefined : readDuration(options.every)
    if (options.every !== undefined && everyMs === undefined)
      throw new UsageError([`--every: ${JSON.stringify(options.every)} is no interval: 90s, 30m, 6h, 1d or 2w`])
    const { maxRemoved } = options
    if (maxRemoved !== undefined && !(maxRemoved >= 0 && maxRemoved <= 1))
      throw new UsageError([`--max-removed: ${maxRemoved} is out of range: 0 to 1`])
    const target = openTarget(further, options)
    const mirror = engine.mirror({ ...request, url }, target, maxRemoved === undefined ? {} : { maxRemoved })
    if (everyMs === undefined) {
      const summary = await withUrlErrors(flags, mirror.sync({ signal: interrupt.signal }))
      const code = report(summary, invocation)
      return interrupt.exitCode ?? code
    }
    interrupt.awaitCommand()
    return repeat(mirror, everyMs, invocation)
  },
}

function openTarget(further: string, { unit, table, assets }: MirrorInvocation['options']): MirrorTarget {
  const rows = { unit, table }
  if (assets === true && (POSTGRES.test(further) || SQLITE_FILE.test(further)))
    throw new UsageError(['--assets: a database has the text of pages: name a folder'])
  if (POSTGRES.test(further)) return postgresTable({ connectionString: further, ...rows })
  if (SQLITE_FILE.test(further)) return sqliteTable(further, rows)
  if (unit === 'chunk' || table !== undefined)
    throw new UsageError([
      `--${unit === 'chunk' ? 'unit' : 'table'}: a folder has files of pages: name FILE.db or postgres://…`,
    ])
  return mirrorTo(further, { assets })
}

/** Mirrors again and again, until the command is stopped. A crawl that fails is reported, and the next one is made in its time. */
async function repeat(mirror: Mirror, everyMs: number, invocation: MirrorInvocation): Promise<number> {
  const { signal } = invocation.interrupt
  let code: number = exitCodes.ok
  while (!signal.aborted) {
    const startedAtMs = performance.now()
    try {
      const ended = report(await mirror.sync({ signal }), invocation)
      // To be stopped is the usual end: a crawl that was cut off by it is not judged.
      if (!signal.aborted) code = ended
    } catch (error) {
      if (signal.aborted) break
      code = exitCodes.failed
      invocation.terminal.report(
        `${error instanceof Error ? error.message : String(error)}. The next crawl is made in its time`,
      )
    }
    const waitMs = Math.max(0, everyMs - (performance.now() - startedAtMs))
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
  if (invocation.options.quiet !== true && !invocation.terminal.isJson) invocation.terminal.report('Interrupted.')
  return code
}

/** Prints the summary of a crawl. @returns the exit code */
function report(summary: MirrorSummary, { terminal, options }: MirrorInvocation): number {
  if (options.quiet !== true) {
    if (terminal.isJson) terminal.reportJson({ summary })
    else for (const line of describe(summary)) terminal.report(line)
  }
  return strictExitCode(options, summary.failed > 0 || summary.gaps.length > 0)
}

function describe({ kept, gaps, failures = [], warnings = [], ...counts }: MirrorSummary): string[] {
  const names = ['new', 'changed', 'moved', 'removed', 'unchanged', 'failed'] as const
  return [
    `Mirrored: ${names.map((name) => `${counts[name]} ${name}`).join(', ')}`,
    ...printList(
      'Failed',
      failures.map(({ url, reason }) => `${url}  ${reason}`),
      counts.failed,
    ),
    ...(gaps.length === 0
      ? []
      : [
          `Nothing was removed for not being found${kept === 0 ? '' : `, and ${countItems(kept, 'page')} kept`}: ${gaps.join(' ')}`,
        ]),
    ...warnings.map((warning) => `Warning: ${warning}`),
  ]
}
