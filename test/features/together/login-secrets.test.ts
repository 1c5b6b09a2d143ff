import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { createEngine, sqlite } from '../../../src/index.js'
import { makeTotp } from '../../../src/features/login/totp.js'
import { collectSpans } from '../../base/tracing/collect-spans.js'
import { startReceiver } from '../../site/receiver.js'
import { PASSWORD, SEED, startLoginSite, USER } from '../login/login-site.js'

it('makes the codes of RFC 6238', () => {
  const seed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect([59, 1_111_111_109, 2_000_000_000].map((seconds) => makeTotp(seed, seconds * 1000))).toEqual([
    '287082',
    '081804',
    '279037',
  ])
  expect(() => makeTotp('no base 32!', 0)).toThrow('no Base32')
})

it('no secret stands in anything that a crawl leaves, but for its profile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  const logged: unknown[] = []
  const log = (...args: unknown[]) => void logged.push(args)
  const told: unknown[] = []
  const closers: (() => unknown)[] = []
  try {
    using spans = collectSpans()
    const receiver = await startReceiver()
    closers.push(() => receiver.close())
    for (const password of [PASSWORD, 'wrong-password-3']) {
      await using site = await startLoginSite('code', [4])
      await using engine = createEngine({
        threads: 0,
        allowPrivateNetworks: true,
        fetcher: 'http',
        cache: join(folder, 'cache'),
        snapshots: join(folder, 'snapshots'),
        ledger: sqlite(join(folder, 'ledger.db')),
        logger: { trace: log, debug: log, info: log, warn: log, error: log },
        env: { SITE_PASSWORD: password, SITE_SEED: SEED },
      })
      const job = engine.crawl({
        url: site.url,
        crawlEntireDomain: true,
        webhook: receiver.url,
        scrapeOptions: {
          login: {
            url: site.loginUrl,
            fields: { username: USER },
            // A wrong password is refused before a code is asked for, which would be waited for.
            secrets: {
              password: { env: 'SITE_PASSWORD' },
              ...(password === PASSWORD && { code: { totp: { env: 'SITE_SEED' } } }),
            },
          },
        },
      })
      const status = await job.finished()
      expect(status.completed).toBe(password === PASSWORD ? site.pages : 0)
      told.push(status, await job.errors(), job.request)
      for await (const row of job.urls()) told.push(row)
    }
    const files = await readdir(folder, { recursive: true, withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    const left = [
      ...(await Promise.all(paths.map(async (path) => (await readFile(path)).toString('latin1')))),
      inspect([told, logged, spans.ended, receiver.received], {
        depth: 20,
        maxArrayLength: null,
        maxStringLength: null,
      }),
    ]
    expect(left.length).toBeGreaterThan(1)
    for (const secret of [PASSWORD, SEED, 'wrong-password-3'])
      expect(left.filter((text) => text.includes(secret))).toEqual([])
    expect(inspect(receiver.received, { depth: 20, maxArrayLength: null })).toContain('crawl.paused')
  } finally {
    for (const close of closers) await close()
    await rm(folder, { recursive: true })
  }
})
