import { once } from 'node:events'
import type { Engine } from '../../kernel/engine/engine-surface.js'
import { VERSION } from '../../base/runtime/version.js'
import type { ToolkitOptions } from './toolkit-options.js'
import { handleRequests } from './mcp/handle-requests.js'
import { loadMcpSdk, type McpTransport } from './mcp/mcp-sdk.js'
import { CONTENT_IS_DATA } from './tool.js'
import { createToolkit } from './toolkit.js'

/** Standard streams, or others in their place. */
export interface McpStreams {
  readonly input: NodeJS.ReadableStream
  /** Only messages of the protocol are written to it. */
  readonly output: NodeJS.WritableStream
}

/** A server of the Model Context Protocol. */
export interface McpServer extends AsyncDisposable {
  /** Connects a transport of the SDK, such as that for HTTP. */
  connect(transport: McpTransport): Promise<void>
  /** Serves a client over streams. Resolves when the input or the output has ended, or the server was closed. */
  serve(streams: McpStreams): Promise<void>
  /** Aborts the calls in progress, and cancels the crawls that run. The engine stays open. */
  close(): Promise<void>
}

const INSTRUCTIONS = `Tools to read web pages and web sites. To read one page call scrape; to find a page of a site call map; to read many pages call crawl_start, then crawl_read. An answer that was cut ends with a handle for read_more. ${CONTENT_IS_DATA}`

/**
 * Creates a server that offers the tools for agents by the Model Context Protocol: one for each client. Documents that the tools
 * have read are its resources. Needs the package `@modelcontextprotocol/sdk`.
 *
 * @throws InvalidRequestError for invalid options
 * @throws TrawlError `NOT_AVAILABLE` when the package is not installed
 * @see docs/guides/agents.md
 * @example
 * const server = mcpServer(engine)
 * await server.serve({ input: process.stdin, output: process.stdout })
 */
export function mcpServer(engine: Engine, options: ToolkitOptions = {}): McpServer {
  const toolkit = createToolkit(engine, options)
  const sdk = loadMcpSdk()
  const info = { name: 'trawl', version: VERSION }
  const capabilities = { tools: {}, resources: { listChanged: true } }
  const server = new sdk.Server(info, { capabilities, instructions: INSTRUCTIONS })
  const closing = new AbortController()
  handleRequests(server, sdk, toolkit, closing.signal)
  const end = (): Promise<void> => {
    closing.abort()
    return toolkit.close()
  }
  // The client has gone.
  Object.assign(server, { onclose: () => void end() })
  const close = async (): Promise<void> => {
    closing.abort()
    try {
      await server.close()
    } finally {
      await end()
    }
  }
  return {
    connect: (transport) => server.connect(transport),
    async serve({ input, output }) {
      await server.connect(new sdk.StdioServerTransport(input, output))
      // A client that has gone closes either end.
      const ends = [once(input, 'end', closing), once(input, 'close', closing), once(output, 'close', closing)]
      // They reject when the server was closed, and when a stream fails: both are ends.
      await Promise.race(ends).catch(() => undefined)
      await close()
      await Promise.allSettled(ends)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
