import { once } from 'node:events'
import type { Engine } from '../../kernel/engine/engine-surface.js'
import { VERSION } from '../../base/runtime/version.js'
import type { ToolkitOptions } from './toolkit-options.js'
import {
  loadMcpSdk,
  type McpTransport,
  type McpRequest,
  type McpRequestExtra,
  type McpSdk,
  type SdkServer,
} from './mcp/mcp-sdk.js'
import { CONTENT_IS_DATA } from './tool.js'
import { createToolkit } from './toolkit.js'
import { followSignals } from '../../base/concurrency/deadline.js'
import { messageOf, TrawlError } from '../../base/errors.js'
import type { AgentTool, ToolCallOptions, Toolkit } from './agent-tool.js'

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

/** Beginning of the URI of a document. */
const DOCUMENT_URI = 'trawl://documents/'

/**
 * Answers the requests of a client with a toolkit.
 *
 * @param closing aborted when the client has gone or the server is closed: it ends the calls in progress
 */
function handleRequests(server: SdkServer, sdk: McpSdk, toolkit: Toolkit, closing: AbortSignal): void {
  const listed = toolkit.tools.map(describeTool)
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: listed }))
  server.setRequestHandler(sdk.CallToolRequestSchema, async (request, extra) => {
    const before = toolkit.documents().at(-1)?.id
    using time = followSignals(extra.signal, closing)
    const result = await callTool(toolkit.tools, request, { ...extra, signal: time.signal })
    // A client that does not listen, or has gone, is no failure of the call.
    if (toolkit.documents().at(-1)?.id !== before) await server.sendResourceListChanged().catch(() => undefined)
    return result
  })
  server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({
    resources: toolkit.documents().map(({ id, url, title }) => ({
      uri: `${DOCUMENT_URI}${id}`,
      name: title ?? url,
      description: url,
      mimeType: 'text/markdown',
    })),
  }))
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [
      {
        uriTemplate: `${DOCUMENT_URI}{handle}`,
        name: 'Document',
        description: 'A document that a tool has read, or its rest: the handle at the end of an answer.',
        mimeType: 'text/markdown',
      },
    ],
  }))
  server.setRequestHandler(sdk.ReadResourceRequestSchema, ({ params: { uri } }) => {
    const text = toolkit.readDocument(uri.startsWith(DOCUMENT_URI) ? uri.slice(DOCUMENT_URI.length) : uri)
    return { contents: [{ uri, mimeType: 'text/markdown', text }] }
  })
}

const describeTool = ({ name, description, inputSchema, isReadOnly }: AgentTool) => ({
  name,
  description,
  inputSchema,
  annotations: { readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: true },
})

/** Calls a tool. An error is a result that the model reads, and not one of the protocol. */
async function callTool(
  tools: readonly AgentTool[],
  { params }: McpRequest,
  { signal, _meta, sendNotification }: McpRequestExtra,
): Promise<object> {
  const progressToken = _meta?.progressToken
  const onProgress: NonNullable<ToolCallOptions['onProgress']> = ({ done, total, message }) => {
    if (progressToken === undefined) return
    const progress = { progressToken, progress: done, total, message }
    sendNotification({ method: 'notifications/progress', params: progress }).catch(() => undefined)
  }
  try {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool)
      throw new TrawlError('BAD_REQUEST', `there is no tool of this name: ${tools.map(({ name }) => name).join(', ')}`)
    return textResult(await tool.run(params.arguments ?? {}, { signal, onProgress }))
  } catch (error) {
    const code = error instanceof TrawlError ? error.code : 'UNKNOWN_ERROR'
    return { ...textResult(`${code}: ${messageOf(error)}`), isError: true }
  }
}

const textResult = (text: string) => ({ content: [{ type: 'text', text }] })
