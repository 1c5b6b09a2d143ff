import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { settings } from './postgres-crawls.js'
import { missing, startPostgres } from '../../base/store/postgres-server.js'

/** Code of a process that runs a crawl and closes its engine, several times. A process that ends before `close()` exits with 13. */
const code = `
  import { createEngine, postgres } from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
  const [connectionString, url] = process.argv.slice(1)
  for (let count = 0; count < 8; count += 1) {
    const engine = createEngine({ ...${JSON.stringify(settings)}, ledger: postgres({ connectionString }) })
    for await (const document of engine.crawl({ url, limit: 1, ignoreRobotsTxt: true, sitemap: 'skip' })) void document
    await engine.close()
  }`

describe.skipIf(missing !== undefined)(`an engine on PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  it('keeps the process alive until it is closed', async () => {
    const server = await startPostgres()
    const site = await startSite({ pages: { '/': '<p>A page.' } })
    const args = ['--input-type=module', '-e', code, server.url(), site.url('/')]
    const [exitCode] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'close')
    await site.close()
    await server.close()
    expect(exitCode).toBe(0)
  }, 60_000)
})
