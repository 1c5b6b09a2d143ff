import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

test('`trawl show --replay` shows an archived page beside its Markdown, when its site is gone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-archived-view-'))
  const site = await startSite({
    pages: { '/': '<nav>Menu</nav><main><h1>Home</h1><p>Welcome to the archive</p></main>' },
  })
  const [url, archive, view] = [site.url('/'), join(folder, 'crawl.warc.gz'), join(folder, 'view.html')]
  const engine = createEngine({ archive, allowPrivateNetworks: true, cache: false, threads: 0, fetcher: 'http' })
  await engine.scrape(url)
  await engine.close()
  await site.close()
  const main = join(import.meta.dirname, '../../../dist/cli/main.js')
  const show = (...args: string[]) =>
    promisify(execFile)(process.execPath, [main, 'show', url, '--output', view, ...args])
  await expect(show()).rejects.toThrow('Command failed')
  // What fails is the site, not the command.
  await show('--replay', archive)
  expect(await readFile(view, 'utf8')).toMatch(/^<!doctype html>/)
  await rm(folder, { recursive: true })
})
