import { describe, expect, it } from 'vitest'
import { readDeclarations } from '../../../build/docs/declarations.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { search } from '../../../src/features/search/index.js'
import { builtIn } from '../../../src/features/create-engine.js'
import { checkBatchScrape, checkCrawl, checkEngineConfig } from '../../../src/kernel/options/check.js'
import { planCrawl } from '../../../src/kernel/plan/crawl/plan-crawl.js'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { engine, featured } from '../plan-with-features.js'

const batch = (request: object, config: object = {}) =>
  planBatch(checkBatchScrape({ urls: ['example.com'], ...request }, engine), { ...featured, ...config })

describe('option `index`', () => {
  it('of a job comes before that of the engine, which is off unless it is set', () => {
    const slice = { search: { hidesMarkdown: false } }
    expect(batch({}).features).toBeUndefined()
    expect(batch({ index: true }).features).toEqual(slice)
    for (const index of [true, 'search.db']) expect(batch({}, { index }).features).toEqual(slice)
    expect(batch({ index: false }, { index: true }).features).toBeUndefined()
    expect(batch({ zeroDataRetention: true }, { index: true }).features).toBeUndefined()
  })

  it('has Markdown made where the request does not ask for it', () => {
    const request = checkCrawl({ url: 'example.com', scrapeOptions: { formats: ['html'] } }, engine)
    const { page, features } = planCrawl(request, { ...featured, index: true })
    expect(page.digest.convert.formats).toEqual([{ type: 'html' }, { type: 'markdown' }])
    expect(features).toEqual({ search: { hidesMarkdown: true } })
  })

  it('is refused with `zeroDataRetention`, and where it is no index', () => {
    const message = 'true stores the text of the pages: with `zeroDataRetention` nothing is stored'
    expect(issuesOf(() => batch({ index: true, zeroDataRetention: true }))).toEqual({ index: message })
    expect(issuesOf(() => checkEngineConfig({ index: {} }, builtIn.options))).toEqual({
      index: expect.stringContaining('true, false, the path of a file, or `index(file)`'),
    })
  })

  it('has the default that its doc comment states', () => {
    const declarations = readDeclarations(new URL('../../../src', import.meta.url).pathname)
    const declaration = declarations.find('EngineConfig')
    const index = declaration && declarations.membersOf(declaration).get('index')
    expect(index?.doc.fallback).toBe(String(search.options?.engine?.['index']?.default))
  })
})
