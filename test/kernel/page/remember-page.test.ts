import { describe, expect, it } from 'vitest'
import { useGivenPage } from '../../../src/kernel/page/obtain-page.js'
import { rememberPage } from '../../../src/kernel/page/pipeline.js'
import type { FetchedPage } from '../../../src/kernel/fetch/fetched-page.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'

describe('storing a page that the caller gave', () => {
  it('does not warn about a cache, however late it is', async () => {
    const page = { url: 'http://x.test/' } as FetchedPage
    const context = { deadline: { signal: AbortSignal.abort() } } as unknown as PageContext
    const given = { ...useGivenPage(page), cached: { page } }
    const nothing = { fields: {}, metadata: {}, links: [], warnings: [] }
    expect(await rememberPage(context, given, nothing)).toEqual([undefined, undefined])
  })
})
