import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { describe, expect, it } from 'vitest'
import { createEngine, sqlite, warc, writeReport } from '../../../src/index.js'
import { startTelemetry } from '../../../src/features/opentelemetry/start-telemetry.js'
import { collectSpans } from '../../base/tracing/collect-spans.js'
import { startReceiver } from '../../site/receiver.js'
import { PASSWORD, SEED, startLoginSite, USER } from '../login/login-site.js'
import { findSecrets } from './find-secrets.js'

const WRONG = 'wrong-password-5'
const show = (what: unknown): string => inspect(what, { depth: 20, maxArrayLength: null, maxStringLength: null })

/** Crawls a site behind a login with all that writes about a crawl. @returns what is left, by its name */
async function crawlAndKeep(folder: string, password: string, isCareless: boolean): Promise<Record<string, string>> {
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  const telemetry = startTelemetry({ tracerProvider })
  const receiver = await startReceiver()
  const logged: unknown[] = []
  const log = (...args: unknown[]) => void logged.push(args)
  try {
    using spans = collectSpans()
    await using site = await startLoginSite(password === PASSWORD && !isCareless ? 'code' : 'form', [4], 12, {
      isCareless,
    })
    await using engine = createEngine({
      threads: 0,
      allowPrivateNetworks: true,
      fetcher: 'http',
      cache: join(folder, 'cache'),
      snapshots: join(folder, 'snapshots'),
      ledger: sqlite(join(folder, 'ledger.db')),
      archive: warc(join(folder, `${password.length}.warc.gz`)),
      logger: { trace: log, debug: log, info: log, warn: log, error: log },
      env: { SITE_PASSWORD: password, SITE_SEED: SEED },
    })
    const secrets = {
      password: { env: 'SITE_PASSWORD' },
      ...(password === PASSWORD && !isCareless && { code: { totp: { env: 'SITE_SEED' } } }),
    }
    const job = engine.crawl({
      url: site.url,
      crawlEntireDomain: true,
      webhook: receiver.url,
      scrapeOptions: {
        login: { url: site.loginUrl, fields: { username: USER }, secrets },
        formats: ['markdown', 'rawHtml', 'changeTracking'],
        trace: true,
      },
    })
    const status = await job.finished()
    expect(status.completed).toBe(password === PASSWORD ? site.pages : 0)
    const told: unknown[] = [
      status,
      await job.errors(),
      job.request,
      await job.explain(site.url),
      await job.explain(site.loginUrl),
    ]
    for await (const row of job.urls()) told.push(row)
    await writeReport(job, join(folder, `${password.length}.html`))
    telemetry.stop()
    return {
      told: show(told),
      logged: show(logged),
      spans: show(spans.ended),
      telemetry: show(
        exporter.getFinishedSpans().map(({ name, attributes, events, status: end }) => [name, attributes, events, end]),
      ),
      webhooks: show(receiver.received),
    }
  } finally {
    telemetry.stop()
    await receiver.close()
  }
}

const unpack = (bytes: Buffer): string => (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')

describe.each([false, true])(
  'no secret stands in what a crawl leaves, where its site puts them into addresses: %s',
  (isCareless) => {
    it.each([PASSWORD, WRONG])(
      '%s',
      async (password) => {
        const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
        try {
          const left = await crawlAndKeep(folder, password, isCareless)
          const files = await readdir(folder, { recursive: true, withFileTypes: true })
          for (const file of files.filter((one) => one.isFile())) {
            const path = join(file.parentPath, file.name)
            left[path.slice(folder.length)] = unpack(await readFile(path))
          }
          expect(Object.keys(left).length).toBeGreaterThan(7)
          for (const text of [left.telemetry, left.spans, left.told]) expect(text).toContain('/members/0')
          const found = Object.entries(left).flatMap(([name, text]) =>
            findSecrets([PASSWORD, SEED, WRONG], [text]).map((secret) => `${secret} in ${name}`),
          )
          expect(found).toEqual([])
        } finally {
          await rm(folder, { recursive: true })
        }
      },
      60_000,
    )
  },
)
