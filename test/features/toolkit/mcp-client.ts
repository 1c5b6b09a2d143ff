import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { McpTransport } from '../../../src/features/toolkit/mcp/mcp-sdk.js'

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url))

/** Result of a tool. */
export interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly type: string; readonly text: string }[]
}

export interface ProgressReport {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** The part of the official client that tests use. */
export interface Client {
  connect(transport: Transport | McpTransport): Promise<void>
  listTools(): Promise<{ readonly tools: readonly { readonly name: string; readonly inputSchema: object }[] }>
  callTool(
    call: { readonly name: string; readonly arguments: unknown },
    schema?: undefined,
    options?: { signal?: AbortSignal; onprogress?: (progress: ProgressReport) => void },
  ): Promise<ToolResult>
  listResources(): Promise<{ readonly resources: readonly { readonly uri: string; readonly name: string }[] }>
  listResourceTemplates(): Promise<{ readonly resourceTemplates: readonly { readonly uriTemplate: string }[] }>
  readResource(request: { readonly uri: string }): Promise<{ readonly contents: readonly { readonly text: string }[] }>
  getInstructions(): string | undefined
  getServerVersion(): { readonly name: string; readonly version: string } | undefined
  close(): Promise<void>
}

interface Transport {
  readonly pid: number | null
  onclose?: () => void
}

const load = createRequire(import.meta.url)
export const { Client } = load('@modelcontextprotocol/sdk/client/index.js') as {
  Client: new (info: { name: string; version: string }) => Client
}
const { StdioClientTransport } = load('@modelcontextprotocol/sdk/client/stdio.js') as {
  StdioClientTransport: new (server: { command: string; args: readonly string[]; stderr?: string }) => Transport
}

/** The built command line, driven by the official client. */
export interface Served extends AsyncDisposable {
  readonly client: Client
  readonly pid: number
  /** Text of a tool's result; begins with its code when it is an error. */
  call(name: string, input: unknown, options?: Parameters<Client['callTool']>[2]): Promise<string>
}

/** Starts `trawl mcp`, and connects the official client to it. */
export async function serve(...flags: string[]): Promise<Served> {
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', ...flags] })
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, input, options) {
      const { content } = await client.callTool({ name, arguments: input }, undefined, options)
      return content.map(({ text }) => text).join('\n')
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
