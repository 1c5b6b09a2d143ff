import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as trawl from '../../src/index.js'

test('the public surface is exactly this', () => {
  expect(Object.keys(trawl).toSorted()).toEqual([
    'ActionError',
    'InvalidRequestError',
    'ModelError',
    'SiteCoverage',
    'TrawlError',
    'aiSdk',
    'batchScrape',
    'crawl',
    'createEngine',
    'createIdentity',
    'createToolkit',
    'defineFeature',
    'errorTable',
    'fileCache',
    'fileStore',
    'folderProfiles',
    'index',
    'judgeStatus',
    'keyvCache',
    'keyvStore',
    'mcpServer',
    'memoryCache',
    'memoryLedger',
    'memoryProfiles',
    'memoryStore',
    'mirrorTo',
    'mirrorWith',
    'openAiCompatible',
    'postgres',
    'postgresStore',
    'postgresTable',
    'readMedia',
    'readStoredJob',
    'replay',
    's3Media',
    's3Store',
    'scrape',
    'sqlite',
    'sqliteTable',
    'storeCache',
    'storeMedia',
    'storeProfiles',
    'tesseractOcr',
    'tools',
    'vectors',
    'wacz',
    'warc',
    'writePages',
    'writeReport',
    'ytDlp',
  ])
})

test('an engine has exactly these members', async () => {
  const engine = trawl.createEngine()
  expect(Object.keys(engine).toSorted()).toEqual([
    'archive',
    'ask',
    'batchScrape',
    'cancel',
    'close',
    'crawl',
    'credits',
    'health',
    'job',
    'jobs',
    'listJobs',
    'map',
    'mirror',
    'parse',
    'plan',
    'resume',
    'scrape',
    'search',
    'v1',
    'watch',
    'watches',
    'work',
  ])
  expect(engine[Symbol.asyncDispose]).toBeTypeOf('function')
  await engine.close()
})

test('a job that is read without an engine has exactly these members', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-test-'))
  const file = join(folder, 'jobs.db')
  const engine = trawl.createEngine({ ledger: trawl.sqlite(file) })
  await engine.batchScrape({ urls: ['https://example.com/'] }).pause()
  await engine.close({ drain: false })
  const ledger = trawl.sqlite(file)
  const job: trawl.ReportedJob = await trawl.readStoredJob(ledger)
  expect(Object.keys(job).toSorted()).toEqual(['explain', 'id', 'kind', 'request', 'status', 'urls'])
  expect(await job.explain?.('https://example.com/other')).toEqual({
    outcome: 'unseen',
    url: 'https://example.com/other',
  })
  await ledger.close()
  await rm(folder, { recursive: true })
})

test('every error code says what it means', () => {
  for (const [code, row] of Object.entries(trawl.errorTable)) {
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(row.means.length).toBeGreaterThan(10)
  }
})
