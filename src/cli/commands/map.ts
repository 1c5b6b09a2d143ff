import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { printCommandFlags } from '../flags/command-flags.js'
import { mapFlags } from '../flags/request-flags.js'
import { nameFlags, toUsageError } from '../to-usage-error.js'

/** `trawl map URL` lists the URLs of a site. */
export const mapCommand: Command = {
  name: 'map',
  argument: 'URL',
  summary:
    'Lists the URLs of a site without scraping them, from its sitemaps and the links of URL: one a line, as `trawl batch -` reads them.',
  example: [
    'trawl map https://example.com --search docs | trawl batch - > pages.ndjson',
    'Scrapes the URLs of a site that have a word in them:',
  ],
  mainFlags: [
    'strict',
    'json',
    'quiet',
    'help',
    'limit',
    'search',
    'sitemap',
    'include-paths',
    'exclude-paths',
    'crawl-entire-domain',
    'allow-subdomains',
    'ignore-query-parameters',
    'ignore-robots-txt',
    'user-agent',
    'proxies',
  ],
  flags: () => [...printCommandFlags, ...mapFlags()],
  run: async ({ argument: url, request, options, flags, engine, terminal, interrupt }) => {
    const map = await engine.map({ ...request, url }, { signal: interrupt.signal }).catch((error: unknown) => {
      throw toUsageError(error, flags, () => 'URL')
    })
    if (options.json === true) {
      await terminal.print(`${JSON.stringify(map)}\n`)
      return strictExitCode(options, map.warning !== undefined)
    }
    for (const { url: link } of map.links) await terminal.printLine(link)
    if (map.warning !== undefined && options.quiet !== true)
      terminal.report(`Warning: ${nameFlags(map.warning, flags)}`)
    return strictExitCode(options, map.warning !== undefined)
  },
}
