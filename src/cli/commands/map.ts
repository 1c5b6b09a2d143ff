import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { PRINT_FLAG_NAMES, printCommandFlags } from '../flags/command-flags.js'
import { siteFlags } from '../flags/request-flags.js'
import { printFindings } from '../output/print-findings.js'
import { withUrlErrors } from '../to-usage-error.js'

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
    ...PRINT_FLAG_NAMES,
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
  flags: () => [...printCommandFlags, ...siteFlags('map')],
  run: async (invocation) => {
    const { argument: url, request, flags, engine, interrupt } = invocation
    const map = await withUrlErrors(flags, engine.map({ ...request, url }, { signal: interrupt.signal }))
    const lines = map.links.map((link) => link.url)
    const warnings = map.warning === undefined ? [] : [map.warning]
    const code = await printFindings({ json: map, lines, warnings }, invocation)
    // Without a warning, the words of a search are in no URL: that is an answer.
    return lines.length === 0 && warnings.length > 0 ? exitCodes.failed : code
  },
}
