import { stdin, stdout } from 'node:process'
import { mcpServer } from '../../index.js'
import { toolkitDefinitions } from '../../features/toolkit/toolkit-options.js'
import { listOptions } from '../flags/flag-options.js'
import type { Command } from '../command.js'
import { exitCodes } from '../exit-codes.js'
import { plainCommandFlags } from '../flags/command-flags.js'
import type { Flag } from '../flags/flag.js'
import { listPageFlags } from '../flags/request-flags.js'
import { toFlag } from '../flags/to-flag.js'
import { withUsageErrors } from '../to-usage-error.js'

/** Lists the flags of the tools for agents: one for each of their options, and for each page option but the formats. */
const toolkitFlags = (): Flag[] => [
  ...listOptions(toolkitDefinitions).map((option) => toFlag(option, { target: 'request', section: 'The tools' })),
  ...listPageFlags('scrapeOptions').filter(({ path }) => path.at(-1) !== 'formats'),
]

/** `trawl mcp` serves the tools for agents over its standard streams. */
export const mcpCommand: Command = {
  name: 'mcp',
  summary:
    'Serves tools to read pages and sites to an agent, by the Model Context Protocol over standard input and output, until the ' +
    'input ends. Needs the package @modelcontextprotocol/sdk.',
  example: [
    'trawl mcp --hosts example.com --index pages.db --search',
    'Lets an agent read one site, and search what it has read:',
  ],
  mainFlags: [
    'search',
    'max-tokens',
    'max-pages',
    'max-jobs',
    'hosts',
    'json',
    'help',
    'index',
    'headers',
    'fetcher',
    'private-networks',
    'cache',
    'only-main-content',
    'timeout',
    'model-url',
    'model',
  ],
  servesOthers: true,
  flags: () => [...plainCommandFlags, ...toolkitFlags()],
  run: async ({ request, flags, engine, interrupt }) => {
    await using server = withUsageErrors(
      flags,
      () => 'mcp',
      () => mcpServer(engine, request),
    )
    // The engine ends its browser and its threads in its own time. A second signal ends at once.
    interrupt.awaitCommand()
    const { signal } = interrupt
    signal.addEventListener('abort', () => void server.close(), { once: true })
    if (!signal.aborted) await server.serve({ input: stdin, output: stdout })
    return exitCodes.ok
  },
}
