import { expect, it } from 'vitest'
import { packRequest } from '../../../src/kernel/job/stored-request.js'

it('a stored request contains what JSON can represent, and lists what it cannot', () => {
  class Schema {
    readonly type = 'object'
  }
  const request = {
    url: 'https://example.com',
    limit: 3,
    empty: null,
    left: undefined,
    scrapeOptions: {
      headers: { Cookie: 'a=b' },
      formats: ['markdown', { type: 'json', schema: new Schema(), prompt: 'what?' }],
      onPage: () => undefined,
    },
  }
  const { text, missing } = packRequest(request)
  expect(missing).toEqual(['scrapeOptions.formats[1].schema', 'scrapeOptions.onPage'])
  expect(JSON.parse(text)).toEqual({
    url: 'https://example.com',
    limit: 3,
    empty: null,
    scrapeOptions: { headers: { Cookie: 'a=b' }, formats: ['markdown', { type: 'json', prompt: 'what?' }] },
  })
})
