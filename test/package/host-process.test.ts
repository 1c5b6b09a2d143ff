import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { htmlPage } from '../site/exchange.js'
import { startSite } from '../site/site.js'

const app = fileURLToPath(new URL('watch-host.mjs', import.meta.url))

it('leaves no global, no listener and no setting behind in its process', { timeout: 60_000 }, async () => {
  const long = htmlPage('Long', `<h1>A long page</h1><p>${'word '.repeat(2000)}</p>`)
  const start = htmlPage('Start', '<p>Here is <a href="/long">a page</a>.</p>')
  await using site = await startSite({ pages: { '/': start, '/long': long } })
  const { stdout } = await promisify(execFile)(process.execPath, [app, site.url('').replace(/\/$/, '')])
  expect(JSON.parse(stdout)).toEqual({ documents: 2, globals: [], listeners: [], hasSameSettings: true })
})
