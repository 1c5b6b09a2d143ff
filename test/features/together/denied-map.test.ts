import { expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { startSite } from '../../site/site.js'

const page = (...links: string[]): string =>
  `<title>T</title><main><p>Some words of the page.</p>${links.map((href) => `<a href="${href}">to it</a>`).join('')}</main>`

it('a map requests no page of a host that its engine denies', async () => {
  await using site = await startSite({ pages: { '/': page('/a'), '/a': page() } })
  await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', blockedTlds: ['127.0.0.1'] })
  const { links, warning } = await engine.map({ url: site.url('/') })
  expect(links.map(({ url }) => url)).toEqual([])
  expect(warning).toContain('is denied by')
  expect(site.requests.map(({ path }) => path)).not.toContain('/')
})
