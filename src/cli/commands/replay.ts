import { createEngine, type Engine, replay } from '../../index.js'
import type { Command } from '../command.js'
import { pageCommandFlags } from '../flags/command-flags.js'
import { scrapeFlags } from '../flags/request-flags.js'
import { scrapeCommand } from './scrape.js'

const openArchive = (path: string): Engine =>
  createEngine({ fetcher: replay(path), allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 } })

/** `trawl replay FILE URL` scrapes one page from an archive. */
export const replayCommand: Command = {
  name: 'replay',
  argument: 'FILE',
  further: 'URL',
  summary:
    'Scrapes one page from an archive in the place of the network, in a browser too: other options give another cut of the same page. What ' +
    'the archive does not have fails.',
  example: [
    'trawl replay crawl.warc.gz https://example.com/ --formats markdown,links',
    'Prints a page of an archive and its links:',
  ],
  mainFlags: ['output', 'json', 'quiet', 'help', 'formats', 'only-main-content', 'include-tags', 'exclude-tags'],
  scrapesNothing: true,
  openArchive,
  flags: () => [...pageCommandFlags, ...scrapeFlags()],
  run: async (invocation) => {
    await using engine = openArchive(invocation.argument)
    return await scrapeCommand.run({ ...invocation, argument: invocation.further, engine })
  },
}
