import type { CallOptions, CrawlRequest } from '../../index.js'
import type { Command, Invocation } from '../command.js'
import { crawlCommandFlags, JOB_FLAG_NAMES } from '../flags/command-flags.js'
import { crawlFlags } from '../flags/request-flags.js'
import { listTypes } from '../output/open-output.js'
import { startJob } from '../output/run-job.js'
import { addFiles } from '../output/saved-files.js'
import { completeFormats } from '../row-options.js'
import { readUrlList } from '../url-list.js'

/** `trawl crawl URL` crawls a site. */
export const crawlCommand: Command = {
  name: 'crawl',
  argument: 'URL',
  summary:
    'Crawls a site from one URL: each page is printed as one line of JSON as it finishes, or written to --output.',
  example: [
    'trawl crawl https://books.toscrape.com/ --limit 50 --output books/ --watch',
    'Crawls a part of a site into a folder of Markdown files:',
  ],
  mainFlags: [
    ...JOB_FLAG_NAMES,
    'limit',
    'include-paths',
    'exclude-paths',
    'max-discovery-depth',
    'crawl-entire-domain',
    'allow-subdomains',
    'sitemap',
    'ignore-robots-txt',
    'delay',
    'max-concurrency',
    'formats',
    'headers',
    'fetcher',
  ],
  flags: () => [...crawlCommandFlags, ...crawlFlags()],
  run: async (invocation) => {
    const { argument: url, request, options, flags, engine, interrupt } = invocation
    const scrapeOptions = addFiles(
      completeFormats(request['scrapeOptions'] as typeof request | undefined, options),
      options,
    )
    const given = (request['urls'] as readonly unknown[] | undefined) ?? []
    const list = options.starts === undefined ? undefined : await readUrlList(options.starts, interrupt.signal)
    const urls = [...given, ...(list?.urls ?? [])]
    const notes = describeSince(request, scrapeOptions['formats'])
    // The engine checks the request.
    const crawlRequest = { ...request, url, ...(urls.length > 0 && { urls }), scrapeOptions } as CrawlRequest
    const start = {
      start: (call: CallOptions) => engine.crawl(crawlRequest, call),
      // A URL of the list is named by its line.
      flags: list ? flags.filter(({ name }) => name !== 'urls') : flags,
      nameArgument: ([name, index]: readonly (string | number)[]): string =>
        name === 'urls' && typeof index === 'number' ? (list?.nameOf(index - given.length) ?? '--urls') : 'URL',
    }
    return startJob(start, { formats: scrapeOptions['formats'], limit: crawlRequest.limit, notes }, invocation)
  },
}

/** Says what a crawl with `--since` does not tell. */
const describeSince = ({ since }: Invocation['request'], formats: unknown): readonly string[] =>
  since === undefined || listTypes(formats).includes('changeTracking')
    ? []
    : ['New, changed and removed pages are not counted: that needs --formats with changeTracking']
