import { describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openFetcher } from './open-fetcher.js'

describe('the error of too many redirects', () => {
  it('names each URL, long ones by their start', async () => {
    await using site = await startSite({
      pages: {
        '/long': ({ response, url }) =>
          void response.writeHead(302, { location: `/long?step=${url.search.length}${'x'.repeat(7000)}` }).end(),
      },
    })
    await using http = openFetcher({ limits: { redirects: 3 } })
    const failing = http.get(site.url('/long'))
    await expect(failing).rejects.toThrow(`${site.url('/long')} → ${site.url('/long?step=0xxx')}`)
    await expect(failing).rejects.toThrow(/^.{1,1000}$/)
  })
})
