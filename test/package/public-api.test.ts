import { expect, test } from 'vitest'
import * as trawl from '../../src/index.js'

test('the public surface is exactly this', () => {
  expect(Object.keys(trawl).toSorted()).toEqual([
    'ActionError',
    'InvalidRequestError',
    'ModelError',
    'TrawlError',
    'aiSdk',
    'batchScrape',
    'crawl',
    'createEngine',
    'createIdentity',
    'createToolkit',
    'errorTable',
    'fileCache',
    'fileStore',
    'folderProfiles',
    'index',
    'keyvCache',
    'keyvStore',
    'mcpServer',
    'memoryCache',
    'memoryLedger',
    'memoryProfiles',
    'memoryStore',
    'openAiCompatible',
    'postgres',
    'postgresStore',
    'readMedia',
    'readStoredJob',
    's3Media',
    's3Store',
    'scrape',
    'sqlite',
    'storeCache',
    'storeMedia',
    'storeProfiles',
    'tesseractOcr',
    'tools',
    'writeReport',
    'ytDlp',
  ])
})

test('an engine has exactly these members', async () => {
  const engine = trawl.createEngine()
  expect(Object.keys(engine).toSorted()).toEqual([
    'ask',
    'batchScrape',
    'close',
    'crawl',
    'credits',
    'health',
    'job',
    'jobs',
    'listJobs',
    'map',
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

test('every error code says what it means', () => {
  for (const [code, row] of Object.entries(trawl.errorTable)) {
    expect(code).toMatch(/^[A-Z_]+$/)
    expect(row.means.length).toBeGreaterThan(10)
  }
})
