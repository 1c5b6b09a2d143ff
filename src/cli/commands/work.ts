import { once } from 'node:events'
import { postgres } from '../../index.js'
import type { Command } from '../command.js'
import { strictExitCode } from '../exit-codes.js'
import { workCommandFlags } from '../flags/command-flags.js'
import { requireDatabase, requireSharedDatabase } from '../flags/database-flags.js'
import { showWork } from '../machines/work-progress.js'

/** `trawl work` scrapes pages for the jobs of other engines. */
export const workCommand: Command = {
  name: 'work',
  summary:
    'Scrapes pages for the jobs of engines that share the PostgreSQL database --database, until it is stopped: ' +
    'SIGTERM or Ctrl-C finishes the pages under way, a second one ends at once.',
  example: [
    'PGPASSWORD=… trawl work --database postgres://user@host/db --concurrency 20',
    'Scrapes up to 20 pages at once for the jobs of a database:',
  ],
  mainFlags: [
    'database',
    'schema',
    'concurrency',
    'resume',
    'strict',
    'json',
    'quiet',
    'help',
    'fetcher',
    'browser-path',
    'proxies',
    'private-networks',
    'max-concurrency-per-site',
    'cache',
    'model-url',
    'model',
  ],
  servesOthers: true,
  openLedger: (connectionString, schema) => postgres({ connectionString, schema }),
  flags: () => workCommandFlags,
  run: async (invocation) => {
    const { options, engine, terminal, interrupt } = invocation
    requireDatabase(options)
    requireSharedDatabase(options)
    const report = (line: string): void => {
      if (options.quiet !== true) terminal.report(line)
    }
    const worker = await engine.work()
    interrupt.awaitCommand()
    const { signal } = interrupt
    report(`Working, ${worker.concurrency} pages at once. SIGTERM or Ctrl-C finishes the pages under way`)
    const display = showWork(worker, invocation)
    if (!signal.aborted) await once(signal, 'abort')
    report(`Stopping: ${worker.counts().active} pages under way. A second signal ends at once`)
    // Its error is that of the end of the command as well, which closes the engine again.
    await engine.close().catch(() => undefined)
    await display.end()
    return strictExitCode(options, worker.counts().failed > 0)
  },
}
