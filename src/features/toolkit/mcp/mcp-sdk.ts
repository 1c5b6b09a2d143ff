import { TrawlError } from '../../../base/errors.js'
import { isInstalled, loadPackage } from '../../../base/runtime/optional-package.js'

/** Transport of the SDK, such as its `StreamableHTTPServerTransport`. */
export interface McpTransport {
  start(): Promise<void>
  close(): Promise<void>
}

/** The part of what the SDK gives the handler of a request that is used. */
export interface McpRequestExtra {
  /** Aborted when the client cancels the request. */
  readonly signal: AbortSignal
  readonly _meta?: { readonly progressToken?: string | number }
  sendNotification(notification: { readonly method: string; readonly params: object }): Promise<void>
}

/** Parameters of the requests that are handled. */
export interface McpRequest {
  readonly params: { readonly name: string; readonly arguments?: unknown; readonly uri: string }
}

/** The part of the server of the SDK that is used. */
export interface SdkServer {
  onclose?: () => void
  setRequestHandler(schema: object, handler: (request: McpRequest, extra: McpRequestExtra) => object): void
  connect(transport: McpTransport): Promise<void>
  sendResourceListChanged(): Promise<void>
  close(): Promise<void>
}

/** The part of the package `@modelcontextprotocol/sdk` that is used. */
export interface McpSdk {
  readonly Server: new (
    info: { readonly name: string; readonly version: string },
    options: { readonly capabilities: object; readonly instructions: string },
  ) => SdkServer
  readonly StdioServerTransport: new (input: NodeJS.ReadableStream, output: NodeJS.WritableStream) => McpTransport
  readonly CallToolRequestSchema: object
  readonly ListToolsRequestSchema: object
  readonly ListResourcesRequestSchema: object
  readonly ListResourceTemplatesRequestSchema: object
  readonly ReadResourceRequestSchema: object
}

/** Loads the package. @throws TrawlError `NOT_AVAILABLE` where it is not installed */
export function loadMcpSdk(): McpSdk {
  if (!isInstalled('@modelcontextprotocol/sdk/types.js')) {
    const message = 'an MCP server needs the package `@modelcontextprotocol/sdk`: npm install @modelcontextprotocol/sdk'
    throw new TrawlError('NOT_AVAILABLE', message)
  }
  return Object.assign(
    {},
    loadPackage('@modelcontextprotocol/sdk/server/index.js'),
    loadPackage('@modelcontextprotocol/sdk/server/stdio.js'),
    loadPackage('@modelcontextprotocol/sdk/types.js'),
  ) as McpSdk
}
