import { Writable } from 'node:stream'
import { pino, type Logger as PinoLogger } from 'pino'
import { describe, expect, it } from 'vitest'
import {
  createEngine,
  type EngineConfig,
  type Ledger,
  type Logger,
  type LogLevel,
  memoryLedger,
} from '../../../src/index.js'
import type { LedgerRules } from '../../../src/kernel/ledger/ledger.js'
import { withoutSecrets } from '../../../src/base/tracing/without-secrets.js'
import { type Handler, htmlPage, sendPage } from '../../site/exchange.js'
import { startSite } from '../../site/site.js'
import { SECRET } from './traced-crawls.js'

interface LogRecord {
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

const LEVELS: readonly LogLevel[] = ['trace', 'debug', 'info', 'warn', 'error']

/** Makes a logger whose methods all do the same. */
function loggerOf(write: (level: LogLevel, fields: object, message: string) => unknown): Logger {
  const methods = LEVELS.map((level) => [level, (fields: object, message: string) => write(level, fields, message)])
  return Object.fromEntries(methods) as Logger
}

function collectRecords() {
  const records: LogRecord[] = []
  const logger = loggerOf((level, fields, message) => records.push({ level, message, fields: { ...fields } }))
  return { records, logger, named: (message: string) => records.filter((record) => record.message === message) }
}

const open = (config: EngineConfig) =>
  createEngine({
    allowPrivateNetworks: true,
    threads: 0,
    fetcher: 'http',
    retry: { maxRetries: 1, backoffMs: 1 },
    ...config,
  })

const robots: Handler = ({ response }) =>
  void response.writeHead(200, { 'content-type': 'text/plain' }).end('User-agent: *\nDisallow: /private\n')
const paths = ['/page/a', '/flaky', '/reset', '/private/x']
const pages: Readonly<Record<string, Handler>> = {
  '/robots.txt': robots,
  '/': (exchange) => {
    const secret = `http://user:${SECRET}@${exchange.request.headers.host}/page/b`
    const links = [...paths, secret].map((path) => `<p>A line about <a href="${path}">a page</a>.</p>`)
    sendPage(exchange, htmlPage('Start', links.join('')))
  },
}

describe('the setting `logger`', () => {
  it('gets the events of a crawl at their levels, without passwords and headers', async () => {
    await using site = await startSite({ pages })
    const { records, logger, named } = collectRecords()
    await using engine = open({ logger })
    const headers = { 'x-key': SECRET }
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip', scrapeOptions: { headers, maxAge: 0 } })
    await job.finished()
    const of = { jobId: job.id, kind: 'crawl' }
    const { completed, failed, skipped } = await job.status()
    expect(records[0]).toEqual({ level: 'info', message: 'job started', fields: { ...of, isResumed: false } })
    expect(records.at(-1)).toMatchObject({
      level: 'info',
      message: 'job ended',
      fields: { ...of, state: 'completed', completed, failed, skipped },
    })
    const ofPage = (path: string) => ({ ...of, url: site.url(path) })
    expect(named('page done')).toContainEqual({
      level: 'debug',
      message: 'page done',
      fields: { ...ofPage('/page/a'), documents: 1, credits: 1 },
    })
    expect(named('page done')).toHaveLength(completed)
    expect(named('page failed')).toEqual([
      {
        level: 'warn',
        message: 'page failed',
        fields: { ...ofPage('/reset'), code: expect.stringMatching(/^SCRAPE_/) },
      },
    ])
    expect(named('page skipped')).toContainEqual({
      level: 'debug',
      message: 'page skipped',
      fields: { ...ofPage('/private/x'), reason: 'ROBOTS_TXT' },
    })
    expect(named('page retried')).toContainEqual({
      level: 'debug',
      message: 'page retried',
      fields: { ...ofPage('/flaky'), attempt: 1, statusCode: 503, retryDelayMs: expect.any(Number) },
    })
    expect(JSON.stringify(records)).not.toContain(SECRET)
  })

  it('warns when a budget stops a batch, and when a model fails', async () => {
    await using site = await startSite()
    const { logger, named } = collectRecords()
    const model = () => Promise.reject(Object.assign(new Error(SECRET), { statusCode: 400 }))
    await using engine = open({ logger, model, maxConcurrency: 1 })
    const urls = ['/page/a', '/page/b', '/page/c'].map((path) => site.url(path))
    const job = engine.batchScrape({ urls, formats: ['summary'], budget: { requests: 1 } })
    await job.finished()
    expect(named('job stopped')).toMatchObject([{ level: 'warn', fields: { jobId: job.id, stoppedBy: 'requests' } }])
    expect(named('model failed')[0]).toEqual({
      level: 'warn',
      message: 'model failed',
      fields: { operation: 'chat', code: expect.any(String), statusCode: 400 },
    })
    expect(named('job ended')).toEqual([])
  })

  it('gets the pages of `engine.scrape()`', async () => {
    await using site = await startSite()
    const { records, logger } = collectRecords()
    await using engine = open({ logger })
    await engine.scrape(site.url('/flaky'))
    await engine.scrape(site.url('/reset')).catch(() => undefined)
    expect(records.map(({ level, message }) => `${level}: ${message}`)).toEqual([
      'debug: page retried',
      'debug: page done',
      'debug: page retried',
      'warn: page failed',
    ])
    expect(records[0]?.fields).toMatchObject({ url: site.url('/flaky'), attempt: 1 })
  })

  it('gets errors of the ledger, and the failure of its job', async () => {
    await using site = await startSite()
    const { logger, named } = collectRecords()
    await using engine = open({ logger, ledger: brokenLedger() })
    const job = engine.batchScrape({ urls: [site.url('/page/a')] })
    await job.finished().catch(() => undefined)
    expect(named('ledger write failed')).toMatchObject([
      { level: 'error', fields: { operation: 'end', code: 'Error' } },
    ])
    expect(named('job failed')).toMatchObject([{ level: 'error', fields: { jobId: job.id, state: 'failed' } }])
  })

  const rejecting = async () => await Promise.reject(new Error('the logger rejects'))
  it.each<[string, Logger]>([
    [
      'throws',
      loggerOf(() => {
        throw new Error('the logger throws')
      }),
    ],
    ['rejects', loggerOf(rejecting)],
    ['never answers', loggerOf(() => new Promise(() => undefined))],
    [
      'throws in `child` and `isLevelEnabled`',
      {
        ...loggerOf(() => undefined),
        child: () => {
          throw new Error('the logger has no children')
        },
        isLevelEnabled: () => {
          throw new Error('the logger has no levels')
        },
      },
    ],
    ['has a `child` that is no logger', { ...loggerOf(() => undefined), child: () => undefined }],
  ])('harms no job when it %s', async (_, logger) => {
    await using site = await startSite()
    await using engine = open({ logger })
    const job = engine.batchScrape({ urls: ['/page/a', '/reset', '/flaky'].map((path) => site.url(path)) })
    await job.finished()
    expect(await job.status()).toMatchObject({ status: 'completed', completed: 2, failed: 1 })
    expect((await engine.scrape(site.url('/page/b'))).metadata.statusCode).toBe(200)
  })

  it('builds no record of a level that is off', async () => {
    await using site = await startSite()
    const { records, logger } = collectRecords()
    await using engine = open({ logger: { ...logger, isLevelEnabled: (level) => level === 'warn' } })
    await engine.batchScrape({ urls: [site.url('/page/a'), site.url('/reset')] }).finished()
    expect(records.map(({ message }) => message)).toEqual(['page failed'])
  })

  it('may be a logger of pino', async () => {
    await using site = await startSite()
    let written = ''
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        written += chunk.toString()
        done()
      },
    })
    const logger: PinoLogger = pino({ level: 'info' }, stream)
    await using engine = open({ logger })
    const job = engine.batchScrape({ urls: [site.url('/page/a'), site.url('/reset')] })
    await job.finished()
    const lines = written
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    const of = { jobId: job.id, kind: 'batch-scrape' }
    expect(lines).toMatchObject([
      { ...of, level: 30, msg: 'job started' },
      { ...of, level: 40, msg: 'page failed', url: site.url('/reset') },
      { ...of, level: 30, msg: 'job ended', completed: 1, failed: 1 },
    ])
  })

  it('is refused when it lacks a method', () => {
    const { logger } = collectRecords()
    expect(() => createEngine({ logger: { ...logger, warn: undefined } as unknown as Logger })).toThrow(
      /`?logger`?.*`warn`/,
    )
  })
})

it('URLs are logged without passwords and signatures', () => {
  expect(withoutSecrets('https://user:pw@a.example/b?sig=1&page=2')).toBe('https://a.example/b?sig=REDACTED&page=2')
  expect(withoutSecrets('https://user:pw@a.example/b')).toBe('https://a.example/b')
  expect(withoutSecrets('https://a.example/@b?page=2')).toBe('https://a.example/@b?page=2')
})

/** A ledger in memory that cannot write the outcome of a page. */
function brokenLedger(): Ledger {
  const ledger = memoryLedger()
  return {
    forget: (jobId) => ledger.forget(jobId),
    close: () => ledger.close(),
    async open<Doc>(jobId: string, rules: LedgerRules) {
      const job = await ledger.open<Doc>(jobId, rules)
      return new Proxy(job, {
        get(target, name) {
          if (name === 'end') return () => Promise.reject(new Error('the disk is full'))
          const value: unknown = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    },
  }
}
