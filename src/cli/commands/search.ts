import { existsSync, statSync } from 'node:fs'
import { createEngine, type SearchHit } from '../../index.js'
import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { searchCommandFlags } from '../flags/command-flags.js'
import { toUsageError } from '../to-usage-error.js'
import { UsageError } from '../usage-error.js'

/** `trawl search FILE QUERY` searches the index of a ledger, or one that `--index` has kept. */
export const searchCommand: Command = {
  name: 'search',
  argument: 'FILE',
  further: 'QUERY',
  summary:
    'Searches pages that were indexed: in the index of an SQLite ledger, or in the file of --index of another command.',
  example: [
    "trawl search pages.db 'public domain license' --limit 3",
    'Searches what `trawl crawl … --index pages.db` has indexed:',
  ],
  scrapesNothing: true,
  flags: () => searchCommandFlags,
  run: async ({ argument: file, further: query, options, flags, terminal }) => {
    const index = [`${file}-search`, file].find((path) => existsSync(path))
    if (index === undefined) throw new UsageError([`FILE: ${file} does not exist`])
    // An empty file would become an index.
    if (statSync(index).size === 0) throw new UsageError([`FILE: ${index} is empty`])
    await using engine = createEngine({ index })
    const hits = await engine.search(query, { limit: options.limit }).catch((error: unknown) => {
      throw toUsageError(error, flags, () => 'QUERY')
    })
    for (const hit of hits) {
      if (options.json === true) await terminal.print(`${JSON.stringify(hit)}\n`)
      else for (const line of printHit(hit)) await terminal.printLine(line)
    }
    if (hits.length === 0 && options.quiet !== true && options.json !== true)
      terminal.report('No page of the index has these words')
    return strictExitCode(options, hits.length === 0)
  },
}

/** Formats a hit for a reader: its place, its link, and its text, indented. Ends with an empty line. */
function printHit({ title, url, path, link, text }: SearchHit): readonly string[] {
  const place = path.join(' > ')
  const lines = text.split('\n').map((line) => `  ${line}`.trimEnd())
  return [title ?? url, ...(place === '' ? [] : [place]), link, ...lines, '']
}
