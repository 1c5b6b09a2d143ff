import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ActionError, createEngine, type Engine, type EngineConfig, type MediaFile } from '../../../src/index.js'
import { readPng } from '../../features/browser/read-png.js'
import { htmlPage } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'

const prose = '<p>The words that a reader came for, which no other page of the site has in this order.</p>'

let site: Site
let engine: Engine
let folder: string

function open(config: EngineConfig = {}): void {
  engine = createEngine({ allowPrivateNetworks: true, threads: 0, ...config })
}

beforeEach(async () => {
  site = await startSite({ pages: { '/a': htmlPage('A', prose), '/b': htmlPage('B', prose) } })
  folder = await mkdtemp(join(tmpdir(), 'trawl-media-'))
})

afterEach(async () => {
  await engine.close()
  await site.close()
  await rm(folder, { recursive: true })
})

const bytesOf = (uri = ''): Uint8Array => Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')

describe('formats and actions that make files', () => {
  it('return `data:` URIs without a sink; the screenshot is taken after all actions and cached', async () => {
    open()
    const formats = [{ type: 'screenshot', viewport: { width: 200, height: 100 } }] as const
    const actions = [{ type: 'executeJavascript', script: 'document.title = "moved"' }, { type: 'pdf' }] as const
    const acted = await engine.scrape(site.url('/a'), { formats: ['rawHtml', ...formats], actions: [...actions] })
    expect(acted.rawHtml).toContain('<title>moved</title>')
    expect(acted.actions?.javascriptReturns).toEqual([{ type: 'unknown', value: 'moved' }])
    expect(acted.actions?.pdfs).toEqual([expect.stringMatching(/^data:application\/pdf;base64,JVBERi/)])
    const page = await engine.scrape(site.url('/a'), { formats: [...formats] })
    expect(page.screenshot).toMatch(/^data:image\/png;base64,/)
    expect(readPng(bytesOf(page.screenshot))).toMatchObject({ width: 200, height: 100 })
    expect(page).not.toHaveProperty('warning')
    const plain = await engine.scrape(site.url('/a'), { formats: ['screenshot'] })
    expect(plain.metadata.cacheState).toBe('miss')
    const stored = await engine.scrape(site.url('/a'), { formats: ['screenshot'] })
    expect(stored.metadata.cacheState).toBe('hit')
    expect(stored.screenshot).toBe(plain.screenshot)
    const whole = await engine.scrape(site.url('/a'), { formats: [{ type: 'screenshot', fullPage: true }] })
    expect(whole.metadata.cacheState).toBe('miss')
    // Behaviour 8: with an own window or quality the cache is not asked.
    const other = await engine.scrape(site.url('/a'), { formats: [{ type: 'screenshot', quality: 50 }] })
    expect(other.metadata).not.toHaveProperty('cacheState')
    expect(other.screenshot).toMatch(/^data:image\/jpeg;base64,/)
  })

  it('write files into a folder, each content once', async () => {
    open({ media: join(folder, 'shots') })
    const page = await engine.scrape(site.url('/a'), {
      formats: ['screenshot'],
      actions: [{ type: 'screenshot' }, { type: 'pdf' }],
    })
    expect(page.actions?.screenshots).toEqual([page.screenshot])
    const names = await readdir(join(folder, 'shots'))
    expect(names.map((name) => name.replace(/^[0-9a-f]{32}/, '')).toSorted()).toEqual(['.pdf', '.png'])
    expect(readPng(await readFile(fileURLToPath(page.screenshot)))).toMatchObject({ width: 1280, height: 800 })
    expect((await readFile(fileURLToPath(page.actions?.pdfs[0] ?? ''))).subarray(0, 5).toString()).toBe('%PDF-')
  })

  it('pass files to a function, and return `data:` URIs if it fails', async () => {
    const files: MediaFile[] = []
    open({
      media: (file) => {
        files.push(file)
        if (file.kind === 'pdf') throw new Error('the disk is full')
        return `https://media.test/${file.name}`
      },
    })
    const page = await engine.scrape(site.url('/a'), { formats: ['screenshot'], actions: [{ type: 'pdf' }] })
    expect(files).toMatchObject([
      { kind: 'screenshot', mediaType: 'image/png', pageUrl: site.url('/a') },
      { kind: 'pdf', mediaType: 'application/pdf' },
    ])
    expect(page.screenshot).toBe(`https://media.test/${files[0]?.name}`)
    expect(page.actions?.pdfs).toEqual([expect.stringMatching(/^data:application\/pdf/)])
    expect(page.warning).toBe('The `media` sink failed for a pdf, which was inlined as a data URI: the disk is full.')
  })

  it('are absent for a response that is not a page', async () => {
    open()
    const page = await engine.scrape(site.url('/json'), { formats: ['markdown', 'screenshot'] })
    expect(page).not.toHaveProperty('screenshot')
    expect(page.warning).toBe('There is no `screenshot`: the response is not a page that a browser renders.')
  })
})

describe('an action that fails', () => {
  it('is recorded in the ledger with its index and a screenshot, and other pages continue', async () => {
    open()
    const actions = [
      { type: 'wait', milliseconds: 1 },
      { type: 'click', selector: 'h1 + p' },
    ] as const
    const urls = [site.url('/a'), site.url('/empty')]
    const job = engine.batchScrape({ urls, actions: [...actions] })
    expect((await job.finished()).completed).toBe(1)
    const { errors } = await job.errors()
    expect(errors).toMatchObject([{ code: 'SCRAPE_ACTION_ERROR', url: site.url('/empty') }])
    expect(errors[0]?.error).toContain('`actions[1]` (click) failed: no element matches `h1 + p`')
    const row = await job.explain(site.url('/empty'))
    const [attempt] = row && 'attempts' in row ? row.attempts : []
    expect(attempt?.screenshot).toMatch(/^data:image\/jpeg;base64,/)
  })

  it('can be one whose result exceeds the limit of a page', async () => {
    open({ limits: { bodyBytes: 3000 } })
    const scraping = engine.scrape(site.url('/a'), { actions: [{ type: 'scrape' }, { type: 'screenshot' }] })
    await expect(scraping).rejects.toThrow(
      '`actions[1]` (screenshot) failed: the results of the actions are larger than `limits.bodyBytes` (3000 bytes)',
    )
  })

  it('throws an error with a screenshot', async () => {
    open()
    const error: unknown = await engine
      .scrape(site.url('/a'), { actions: [{ type: 'press', key: 'Nothing' }] })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ActionError)
    expect(error).toMatchObject({ index: 0, picture: { mediaType: 'image/jpeg' } })
  })
})
