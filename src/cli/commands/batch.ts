import type { BatchScrapeRequest, CallOptions } from '../../index.js'
import type { Command } from '../command.js'
import { JOB_FLAG_NAMES, jobCommandFlags } from '../flags/command-flags.js'
import { batchFlags } from '../flags/request-flags.js'
import { startJob } from '../output/run-job.js'
import { addFiles } from '../output/saved-files.js'
import { completeFormats } from '../row-options.js'
import { readUrlList } from '../url-list.js'

/** `trawl batch FILE` scrapes the URLs of a list. */
export const batchCommand: Command = {
  name: 'batch',
  argument: 'FILE',
  summary:
    'Scrapes the URLs of a file: one a line, with # for comments, or a JSON array; - is standard input. Each page is ' +
    'printed as one line of JSON as it finishes, or written to --output.',
  example: [
    'trawl batch urls.txt --max-concurrency 20 --output pages/',
    'Scrapes a list into a folder of Markdown files:',
  ],
  mainFlags: [
    ...JOB_FLAG_NAMES,
    'max-concurrency',
    'formats',
    'only-main-content',
    'include-tags',
    'exclude-tags',
    'headers',
    'timeout',
    'fetcher',
    'proxies',
    'max-concurrency-per-site',
  ],
  flags: () => [...jobCommandFlags, ...batchFlags()],
  run: async (invocation) => {
    const { argument: file, request, options, flags, engine, interrupt } = invocation
    const pages = addFiles(completeFormats(request, options), options)
    const list = await readUrlList(file, interrupt.signal)
    // The engine checks the request.
    const batchRequest = { ...pages, urls: list.urls } as Omit<BatchScrapeRequest, 'appendToId'>
    const start = {
      start: (call: CallOptions) => engine.batchScrape(batchRequest, call),
      flags,
      nameArgument: ([, index]: readonly (string | number)[]): string =>
        list.nameOf(typeof index === 'number' ? index : undefined),
    }
    return startJob(start, { formats: batchRequest.formats }, invocation)
  },
}
