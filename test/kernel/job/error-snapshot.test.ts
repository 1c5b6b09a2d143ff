import { expect, it } from 'vitest'
import { ActionError, TrawlError } from '../../../src/base/errors.js'
import { createErrorSnapshots } from '../../../src/kernel/job/error-snapshot.js'

const { signal } = new AbortController()
const picture = { mediaType: 'image/jpeg', bytes: new Uint8Array(3) } as const
const failure = new ActionError('no', { index: 0, picture, url: 'https://a.test/b' })

it('the ledger keeps error screenshots until the limit of a job is reached', async () => {
  const asked: string[] = []
  const keep = createErrorSnapshots({
    publishMedia: async ({ pageUrl }) => {
      asked.push(pageUrl)
      return { url: `data:${'x'.repeat(3 * 1024 * 1024)}` }
    },
  })
  expect((await keep(failure, 'https://a.test/', signal))?.length).toBeGreaterThan(1000)
  expect(await keep(failure, 'https://a.test/', signal)).toBeUndefined()
  expect(await keep(failure, 'https://a.test/', signal)).toBeUndefined()
  expect(asked).toEqual(['https://a.test/b', 'https://a.test/b'])
})

it('an error without a screenshot saves nothing', async () => {
  const keep = createErrorSnapshots({ publishMedia: async () => ({ url: 'https://kept.test/' }) })
  expect(await keep(undefined, 'https://a.test/', signal)).toBeUndefined()
  expect(await keep(new TrawlError('SCRAPE_TIMEOUT', 'late'), 'https://a.test/', signal)).toBeUndefined()
  expect(await keep(new ActionError('no', { index: 0 }), 'https://a.test/', signal)).toBeUndefined()
  expect(await keep(failure, 'https://a.test/', signal)).toBe('https://kept.test/')
})
