import { inspect } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import { builtIn, createEngine } from '../../../src/features/create-engine.js'
import type { Webhook, webhookSchema } from '../../../src/features/webhooks/webhook-options.js'
import { checkBatchScrape, checkCrawl, checkEngineConfig, checkV1Crawl } from '../../../src/kernel/options/check.js'
import { planBatch } from '../../../src/kernel/plan/plan-batch.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { engine, featured } from '../plan-with-features.js'

describe('option `webhook`', () => {
  const refused = (webhook: unknown) => issuesOf(() => checkBatchScrape({ urls: ['a.example'], webhook }, engine))

  it('is refused for unknown fields without showing its secrets', () => {
    const seen = refused({
      url: 'ftp://hooks.example/secret',
      headers: { 'X-Firecrawl-Signature': 'secret', Token: 5 },
      metadata: { a: 1 },
      events: ['pages'],
      secret: 'secret',
    })
    expect(seen).toEqual({
      webhook: 'unknown option "secret": allowed are url, headers, metadata, events',
      'webhook.url': 'not an http or https URL (not shown)',
      'webhook.headers.X-Firecrawl-Signature':
        'not a header that can be given: the name is invalid, or trawl sets the header itself',
      'webhook.headers.Token': 'not a string (not shown)',
      'webhook.metadata.a': '1 is not a string',
      'webhook.events.0':
        '"pages" is not known, did you mean `page`?: one of completed, failed, page, paused, started, cancelled',
    })
  })

  it('may be a URL', () => {
    expect(refused('not a url: secret')).toEqual({ webhook: 'not an http or https URL (not shown)' })
    expect(refused('https://hooks.example/x')).toEqual({})
    expect(refused({ url: 'https://hooks.example/x', events: [], headers: {}, metadata: { a: 'b' } })).toEqual({})
    expect(refused(5)).toEqual({ webhook: '5 is not a string or an object with `url`' })
  })

  it('may have `URL` objects, in requests of each kind', () => {
    const url = new URL('https://example.com/')
    const hook = new URL('https://example.com/hook')
    expect(checkCrawl({ url, webhook: hook }, engine).webhook).toBe(hook.href)
    const { webhook } = checkBatchScrape({ urls: [url], webhook: { url: hook, events: ['page'] } }, engine)
    expect(webhook).toEqual({ url: hook.href, events: ['page'] })
    expect(checkV1Crawl({ url, webhook: hook }, engine)).toMatchObject({ url: url.href, webhook: hook.href })
  })

  it('is refused where its host is', () => {
    const walled = { ...engine, findHostFault: () => 'the host is private' }
    const refusedBy = (webhook: unknown) => issuesOf(() => checkCrawl({ url: 'a.example', webhook }, walled))
    expect(refusedBy('http://10.0.0.1/')).toEqual({ webhook: 'the host is private' })
    expect(refusedBy({ url: 'http://10.0.0.1/' })).toEqual({ 'webhook.url': 'the host is private' })
  })

  it('plans all events unless some are given, and nothing of a job without it', () => {
    const plan = (request: object) => planBatch(checkBatchScrape({ urls: ['a.example'], ...request }, engine), featured)
    const url = 'https://example.com/hook'
    const events = ['completed', 'failed', 'page', 'paused', 'started', 'cancelled']
    expect(plan({ webhook: url }).features).toEqual({ webhooks: { url, headers: {}, metadata: {}, events } })
    const given = { url, headers: { a: 'b' }, metadata: { c: 'd' }, events: ['page'] }
    expect(plan({ webhook: given }).features).toEqual({ webhooks: given })
    expect(plan({}).features).toBeUndefined()
  })

  it('is not printed with its job, as it has secrets; `undelivered` checks its options', async () => {
    await using opened = createEngine({ allowPrivateNetworks: true })
    const webhook = { url: 'http://127.0.0.1:9/hook?token=secret', headers: { authorization: 'secret' }, events: [] }
    const job = opened.batchScrape({ urls: ['http://127.0.0.1:9/'], webhook })
    expect(inspect(job, { depth: 9 })).toContain(job.id)
    expect(inspect(job, { depth: 9 })).not.toContain('secret')
    await job.cancel()
    expect(await job.undelivered({ skip: undefined, limit: undefined })).toEqual([])
    const wrong: object = { after: 5 }
    await expect(job.undelivered(wrong)).rejects.toThrow('after: unknown option: allowed are skip, limit')
  })

  it('has the type of its schema', () => {
    type Checked = z.output<ReturnType<typeof webhookSchema>>
    expectTypeOf<Checked>().toExtend<string | (Webhook & { url: string })>()
    expectTypeOf<keyof Exclude<Checked, string>>().toEqualTypeOf<keyof Webhook>()
  })
})

describe('setting `webhookSecret`', () => {
  it('is refused without showing it', () => {
    const refused = (webhookSecret: unknown) => issuesOf(() => checkEngineConfig({ webhookSecret }, builtIn.options))
    expect(refused('key')).toEqual({})
    expect(refused(5)).toEqual({ webhookSecret: 'not a string (not shown)' })
    expect(refused('')).toEqual({ webhookSecret: 'empty: leave it out where reports are not to be signed' })
  })
})
