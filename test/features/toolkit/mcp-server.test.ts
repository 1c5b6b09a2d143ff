import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mcpServer } from '../../../src/index.js'
import type { McpTransport } from '../../../src/features/toolkit/mcp/mcp-sdk.js'
import { useEngineSite } from '../../site/engine-site.js'
import { Client } from './mcp-client.js'

const { InMemoryTransport } = createRequire(import.meta.url)('@modelcontextprotocol/sdk/inMemory.js') as {
  InMemoryTransport: { createLinkedPair(): [client: McpTransport, server: McpTransport] }
}

const opened = useEngineSite()

/** Connects a client that has started a crawl which does not end by itself. */
async function startCrawl() {
  await opened.open({ '/hang-here': () => undefined }, { fetcher: 'http' })
  const server = mcpServer(opened.engine)
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1.0.0' })
  await Promise.all([server.connect(there), client.connect(here)])
  await client.callTool({ name: 'crawl_start', arguments: { url: opened.site.url('/hang-here') } })
  expect(opened.engine.jobs()).toHaveLength(1)
  return { client, server, there }
}

it('cancels the crawls of a client that has gone', async () => {
  const { client } = await startCrawl()
  await client.close()
  while (opened.engine.jobs().length > 0) await sleep(5)
})

it('cancels the crawls when the transport fails to close', async () => {
  const { server, there } = await startCrawl()
  there.close = () => Promise.reject(new Error('no such session'))
  await expect(server.close()).rejects.toThrow('no such session')
  expect(opened.engine.jobs()).toEqual([])
})
