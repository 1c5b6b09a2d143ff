import { pageLacksText } from '../../base/text/page-warnings.js'
import type { Document, ListRow, ScrapeOptions } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { pageCommandFlags } from '../flags/command-flags.js'
import { scrapeFlags } from '../flags/request-flags.js'
import { openRowOutput } from '../output/open-row-output.js'
import { listTypes, openPageOutput } from '../output/open-output.js'
import { OutputTally } from '../output/output-tally.js'
import type { Output } from '../output/output.js'
import { addFiles } from '../output/saved-files.js'
import { completeFormats, wantsRows } from '../row-options.js'
import { nameFlags, withUrlErrors } from '../to-usage-error.js'

/** `trawl scrape URL` prints one page, by default as Markdown. */
export const scrapeCommand: Command = {
  name: 'scrape',
  argument: 'URL',
  summary: 'Scrapes one page and prints its Markdown, or the whole document as JSON when other formats are asked for.',
  example: ['trawl scrape https://example.com --formats markdown,links', 'Prints a page and its links as JSON:'],
  mainFlags: [
    'output',
    'all',
    'strict',
    'json',
    'quiet',
    'help',
    'formats',
    'only-main-content',
    'include-tags',
    'exclude-tags',
    'headers',
    'actions',
    'wait-for',
    'timeout',
    'fetcher',
    'proxies',
    'cache',
  ],
  flags: () => [...pageCommandFlags, ...scrapeFlags()],
  run: async (invocation) => {
    const { argument: url, request, options, flags, engine, terminal, interrupt } = invocation
    const pages = addFiles(completeFormats(request, options), options)
    const call = { signal: interrupt.signal }
    const document: ListedDocument = await withUrlErrors(flags, engine.scrape(url, pages as ScrapeOptions, call))
    const written = await (wantsRows(options)
      ? writeRows(document, invocation)
      : writePage(document, pages['formats'], invocation))
    const { metadata, list, warning } = document
    const isIncomplete = metadata.error !== undefined || list?.lostPage !== undefined || pageLacksText(warning)
    const code = strictExitCode(options, isIncomplete)
    if (options.quiet === true) return code
    // As JSON, a document has its warnings itself; its rows have none.
    if (options.json !== true || wantsRows(options)) reportWarnings(document, invocation)
    const isCut = wantsRows(options) && document.list?.stoppedBy !== undefined
    if (options.output !== undefined || isCut) terminal.report(nameFlags(written, flags))
    return code
  },
}

/** A document that may have rows. */
type ListedDocument = Document & {
  readonly list?: { readonly items: readonly ListRow[]; readonly stoppedBy?: string; readonly lostPage?: string }
}

function reportWarnings({ metadata: { statusCode, error }, warning }: Document, { terminal, flags }: Invocation): void {
  if (error !== undefined) terminal.report(`Warning: the page answered ${statusCode} ${error}`)
  if (warning !== undefined) terminal.report(`Warning: ${nameFlags(warning, flags)}`)
}

/** Writes the page to the output. @returns a description of what was written */
async function writePage(
  document: Document,
  formats: unknown,
  { options, waiting, terminal }: Invocation,
): Promise<string> {
  const asMarkdown = options.json !== true && listTypes(formats).every((type) => type === 'markdown')
  const output = openPageOutput({ path: options.output, formats, waiting, asMarkdown }, terminal)
  const { tally, files } = await writeAll([document], output)
  return [tally.describe('page'), ...files].join('. ')
}

/** Items that were written. */
interface WrittenItems<Item> {
  readonly tally: OutputTally<Item>
  /** Lines about the files beside them. */
  readonly files: readonly string[]
}

async function writeAll<Item>(items: readonly Item[], output: Output<Item>): Promise<WrittenItems<Item>> {
  const tally = new OutputTally(output)
  try {
    for (const item of items) await tally.write(item)
    return { tally, files: output.describeFiles?.() ?? [] }
  } finally {
    output.close()
  }
}

/** Writes the rows of the page's list to the output. @returns a description of what was written */
async function writeRows({ list }: ListedDocument, { options, terminal }: Invocation): Promise<string> {
  const output = openRowOutput(options.output, terminal)
  const { items = [], stoppedBy } = list ?? {}
  const { tally } = await writeAll(items, output)
  const stop = stoppedBy === undefined ? '' : `. ${stoppedBy}`
  return `${tally.describe('row')}${stop}`
}
