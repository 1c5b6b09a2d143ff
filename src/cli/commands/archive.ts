import type { ArchiveFilters, ArchiveOptions, ArchiveRun } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { exitCodes, strictExitCode } from '../exit-codes.js'
import { archiveCommandFlags } from '../flags/command-flags.js'
import { scrapeFlags } from '../flags/request-flags.js'
import { openOutput } from '../output/open-output.js'
import { OutputTally } from '../output/output-tally.js'
import { completeFormats } from '../row-options.js'
import { nameFlags, toUsageError } from '../to-usage-error.js'

/** `trawl archive FILE` makes documents of the responses of an archive. */
export const archiveCommand: Command = {
  name: 'archive',
  argument: 'FILE',
  summary:
    'Makes documents of the responses of an archive: WARC, ARC, WACZ, HAR, or a folder of wget --mirror or HTTrack. Nothing is ' +
    'fetched. Each page is printed as one line of JSON, or written to --output.',
  example: [
    'trawl archive crawl.warc.gz --url /docs/ --output pages/',
    'Writes the pages of an archive as Markdown files:',
  ],
  mainFlags: ['output', 'url', 'exclude', 'type', 'status', 'from', 'to', 'strict', 'json', 'quiet', 'help', 'formats'],
  flags: () => [...archiveCommandFlags, ...scrapeFlags()],
  run: async (invocation) => {
    const { argument: file, request, options, flags, engine, interrupt } = invocation
    const pages = completeFormats(request, options)
    const { signal } = interrupt
    const reading = { ...pages, filters: readFilters(options) } as ArchiveOptions
    try {
      return await writePages(engine.archive(file, reading, { signal }), pages['formats'], invocation)
    } catch (error) {
      throw toUsageError(error, flags, () => 'FILE')
    }
  },
}

const listOf = (text: string | undefined): string[] | undefined => text?.split(',').map((one) => one.trim())

function readFilters({ url, exclude, type, status, from, to }: Invocation['options']): ArchiveFilters {
  const statuses = listOf(status)?.map((one) => (/^\d+$/.test(one) ? Number(one) : one)) as ArchiveFilters['status']
  const given = { url, exclude, type: listOf(type), status: statuses, from, to }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function writePages(
  run: ArchiveRun,
  formats: unknown,
  { options, terminal, flags }: Invocation,
): Promise<number> {
  const output = new OutputTally(openOutput({ path: options.output, formats, asMarkdown: false }, terminal))
  let failed = 0
  try {
    for await (const outcome of run.outcomes()) {
      if (outcome.outcome === 'done') {
        await output.write(outcome.document)
        continue
      }
      failed += 1
      if (options.quiet === true) continue
      const place = `${outcome.archive.file}${outcome.archive.offset === undefined ? '' : ` at ${outcome.archive.offset}`}`
      terminal.report(nameFlags(`Failed: ${outcome.url ?? 'a record'} (${place}): ${outcome.message}`, flags))
    }
    if (options.quiet !== true) for (const line of output.output.describeFiles?.() ?? []) terminal.report(line)
  } finally {
    output.output.close()
  }
  const skipped = Object.entries(run.status().skipped).map(([cause, count]) => `${count} ${cause}`)
  const { answered, written, unchanged } = output
  const errors = answered.length === 0 ? '' : `, ${answered.length} with an error status`
  const left = skipped.length === 0 ? '' : `; left out: ${skipped.join(', ')}`
  if (options.quiet !== true) terminal.report(`${output.describe('page')}; ${failed} failed${errors}${left}`)
  return written + unchanged === 0 ? exitCodes.failed : strictExitCode(options, failed > 0)
}
