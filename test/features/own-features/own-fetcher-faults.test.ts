import { expect, it } from 'vitest'
import { openWith, revoked } from './fake-site.js'

const throwsRevoked = () => {
  throw revoked
}

it.each<[string, object, string]>([
  ['throws what cannot be asked', { fetch: throwsRevoked }, 'an object was thrown, and no error'],
  [
    'throws what cannot be asked in `handles`',
    { handles: throwsRevoked },
    'its `handles` threw: an object was thrown, and no error',
  ],
  [
    'answers what has been read',
    {
      async fetch() {
        const response = new Response('Words')
        await response.text()
        return response
      },
    },
    'the body of its fetcher broke off: ',
  ],
])('a fetcher that %s ends the page with its name', async (_, functions, message) => {
  const fetcher = { handles: () => true, fetch: () => ({ body: 'a' }), ...functions }
  await using engine = openWith([{ name: 'shop', fetcher }])
  await expect(engine.scrape('https://shop.test/')).rejects.toMatchObject({
    code: 'FEATURE_FAILED',
    message: expect.stringContaining(`feature \`shop\` failed: ${message}`) as string,
  })
})
