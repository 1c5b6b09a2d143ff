import type { ScrapeOptions } from '../../index.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { pageCommandFlags } from '../flags/command-flags.js'
import { scrapeFlags } from '../flags/request-flags.js'
import { listTypes, openOutput } from '../output/open-output.js'
import { toUsageError } from '../to-usage-error.js'

/** `trawl scrape URL` prints one page, by default as Markdown. */
export const scrapeCommand: Command = {
  name: 'scrape',
  argument: 'URL',
  summary: 'Scrapes one page and prints its Markdown, or the whole document as JSON when other formats are asked for.',
  flags: () => [...pageCommandFlags, ...scrapeFlags()],
  run: async ({ argument: url, request, options, flags, engine, terminal, interrupt }) => {
    const document = await engine
      .scrape(url, request as ScrapeOptions, { signal: interrupt.signal })
      .catch((error: unknown) => {
        throw toUsageError(error, flags, () => 'URL')
      })
    const { formats } = request
    const asMarkdown = options.json !== true && listTypes(formats).every((type) => type === 'markdown')
    const output = openOutput({ path: options.output, formats, asMarkdown }, terminal)
    try {
      await output.write(document)
    } finally {
      output.close()
    }
    if (options.quiet === true) return exitCodes.ok
    const { statusCode, error } = document.metadata
    if (error !== undefined) terminal.report(`Warning: the page answered ${statusCode} ${error}`)
    if (document.warning !== undefined) terminal.report(`Warning: ${document.warning}`)
    if (options.output !== undefined) terminal.report(`1 page written to ${output.destination}`)
    return exitCodes.ok
  },
}
