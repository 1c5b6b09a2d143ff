import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { ask, page, untilEnded } from './server-client.js'
import { blocks, compile, writeModules } from './doc-code.js'
import { startSite } from '../site/site.js'
import { findFreePort } from '../site/find-free-port.js'

describe('the server as a process', () => {
  const children: ChildProcess[] = []

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
    }
  })

  it('parks its jobs at SIGTERM, and the next process gets every page that is left, once', async () => {
    const built = new URL('../../dist/index.js', import.meta.url)
    if (!existsSync(built)) throw new Error('this test runs what was built: `npm run build` first')
    const own = new URL('.server-process/', import.meta.url)
    const port = await findFreePort()
    const count = 40
    const paths = Array.from({ length: count }, (_, at) => `/p/${at}`)
    const large = await startSite({
      pages: {
        '/': page(...paths),
        ...Object.fromEntries(
          paths.map((path) => [
            path,
            async ({ response }: { response: { end(body: string): void } }) => {
              await sleep(40)
              response.end(page('/'))
            },
          ]),
        ),
      },
    })
    try {
      const isOfProcess = ({ name }: { name: string }): boolean => name === 'api.ts' || name === 'server.ts'
      const options = { origin: large.origin, folder: own, ports: [port], trawl: built.pathname }
      await writeModules(blocks.filter(isOfProcess), options)
      expect(await compile(own, '--noEmit', 'false')).toBe('')

      const base = `http://127.0.0.1:${port}`
      const start = async (): Promise<ChildProcess> => {
        const child = spawn(process.execPath, [new URL('server.js', own).pathname], { stdio: 'inherit' })
        children.push(child)
        const isUp = () =>
          ask(base, 'GET', '/v2/crawl/active').then(
            ({ status }) => status,
            () => 0,
          )
        await expect.poll(isUp, { timeout: 20_000, interval: 50 }).toBe(200)
        return child
      }
      const first = await start()
      const { body } = await ask(base, 'POST', '/v2/crawl', { url: large.url('/'), maxConcurrency: 3, sitemap: 'skip' })
      const url = String(body['url'])
      const asked = () => large.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt')
      await expect.poll(() => asked().length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(10)
      first.kill('SIGTERM')
      const [code] = (await once(first, 'exit')) as [number | null]
      expect(code).toBe(0)
      expect(asked().length).toBeLessThan(count)

      await start()
      const ended = await untilEnded(base, url)
      expect(ended).toMatchObject({ status: 'completed', completed: count + 1, failed: 0 })
      expect(ended.data.map(({ metadata }) => new URL(metadata.url).pathname).toSorted()).toEqual(
        ['/', ...paths].toSorted(),
      )
      expect(asked().toSorted()).toEqual(['/', ...paths].toSorted())
    } finally {
      await large.close()
      await rm(own, { recursive: true, force: true })
    }
  }, 120_000)
})
