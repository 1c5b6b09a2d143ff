import { followSignals } from '../../../base/concurrency/deadline.js'
import { messageOf, TrawlError } from '../../../base/errors.js'
import type { AgentTool, ToolCallOptions, Toolkit } from '../agent-tool.js'
import type { McpRequest, McpRequestExtra, McpSdk, SdkServer } from './mcp-sdk.js'

/** Beginning of the URI of a document. */
const DOCUMENT_URI = 'trawl://documents/'

/**
 * Answers the requests of a client with a toolkit.
 *
 * @param closing aborted when the client has gone or the server is closed: it ends the calls in progress
 */
export function handleRequests(server: SdkServer, sdk: McpSdk, toolkit: Toolkit, closing: AbortSignal): void {
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
