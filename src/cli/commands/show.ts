import { pageLacksText } from '../../base/text/page-warnings.js'
import { type ScrapeOptions, writeReport } from '../../index.js'
import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { showCommandFlags } from '../flags/command-flags.js'
import { scrapeFlags } from '../flags/request-flags.js'
import { describeReport, requireHtml } from '../report/describe-report.js'
import { withUrlErrors } from '../to-usage-error.js'

/** Formats that the view of a page needs, by default with nothing else. */
const FORMATS = ['markdown', 'rawHtml']

/** `trawl show URL` writes a view of one page: the page beside its Markdown, with what was left out and why. */
export const showCommand: Command = {
  name: 'show',
  argument: 'URL',
  summary: 'Writes an HTML view of one page: the page beside its Markdown, what was left out of it, and the reasons.',
  example: [
    'trawl show https://example.com --output page.html',
    'Shows what of a page is kept, and why the rest is not:',
  ],
  mainFlags: [
    'output',
    'strict',
    'json',
    'quiet',
    'help',
    'formats',
    'include-tags',
    'exclude-tags',
    'headers',
    'wait-for',
    'fetcher',
    'replay',
    'cache',
  ],
  flags: () => [...showCommandFlags, ...scrapeFlags().filter(({ name }) => name !== 'trace')],
  run: async ({ argument: url, request, options, flags, engine, terminal, interrupt }) => {
    const file = options.output ?? 'page.html'
    requireHtml(file)
    const given = Array.isArray(request['formats']) ? (request['formats'] as unknown[]) : []
    const formats = [...FORMATS.filter((format) => !given.includes(format)), ...given]
    const pages = { ...request, formats, trace: true } as ScrapeOptions
    const document = await withUrlErrors(flags, engine.scrape(url, pages, { signal: interrupt.signal }))
    const written = await writeReport(document, file, { signal: interrupt.signal })
    if (options.json === true) await terminal.print(`${JSON.stringify(written)}\n`)
    else if (options.quiet !== true) terminal.report(describeReport(written))
    return strictExitCode(options, document.metadata.error !== undefined || pageLacksText(document.warning))
  },
}
