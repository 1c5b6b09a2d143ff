import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEngine, mirrorTo } from '../../../src/index.js'
import type { Handler } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { SETTINGS } from './mirror-histories.js'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trawl-test-owners-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Mirrors in a process of its own. */
function startMirror(url: string): { readonly child: ChildProcess; readonly ended: Promise<string> } {
  const script = `
    import * as lib from ${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)}
    const [folder, url] = process.argv.slice(1)
    const engine = lib.createEngine(${JSON.stringify(SETTINGS)})
    const sync = engine.mirror({ url, sitemap: 'skip', maxConcurrency: 1 }, lib.mirrorTo(folder)).sync()
    const said = await sync.then(({ gaps }) => gaps.join() || 'whole', ({ code, message }) => code + ': ' + message)
    await engine.close()
    process.stdout.write(said)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { child, ended: once(child, 'close').then(() => said) }
}

describe('two processes that fill one folder', () => {
  it.each(['new', 'known'])('one goes on, and the other says what to do: a %s mirror', async (kind) => {
    const paths = Array.from({ length: 9 }, (_, index) => `/${index}`)
    let text = 'Old.'
    let begun: readonly ReturnType<typeof startMirror>[] = []
    let onStart: (() => void) | undefined
    const answer: Handler = async ({ response, url }) => {
      if (url.pathname !== '/' && !paths.includes(url.pathname)) {
        response.writeHead(404).end()
        return
      }
      if (url.pathname === '/') onStart?.()
      // The second one begins when the first is in the midst of its pages; the first goes on when the second has begun.
      if (url.pathname === '/4' && begun.length === 1)
        await new Promise<void>((resolve) => {
          onStart = resolve
          begun = [...begun, startMirror(site.url('/'))]
        })
      const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(`<title>${url.pathname}</title><main><h1>${url.pathname}</h1><p>${text}</p>${links}</main>`)
    }
    const site = await startSite({ pages: new Proxy({}, { get: () => answer }) })
    const engine = createEngine(SETTINGS)
    try {
      const mirror = engine.mirror({ url: site.url('/'), sitemap: 'skip' }, mirrorTo(folder))
      if (kind === 'known') expect(await mirror.sync()).toMatchObject({ new: 10 })
      text = 'New.'
      begun = [startMirror(site.url('/'))]
      const first = await begun[0]?.ended
      const second = await begun[1]?.ended
      expect(first).toMatch(/^JOB_HELD: another process has begun to fill .* Let one end before the next begins/s)
      expect(second).toBe('whole')
      expect(await mirror.verify()).toMatchObject({ ok: true, compared: 10 })
      expect(await mirror.sync()).toMatchObject({ new: 0, changed: 0, removed: 0, unchanged: 10 })
    } finally {
      for (const { child } of begun) child.kill('SIGKILL')
      await engine.close()
      await site.close()
    }
  })
})
