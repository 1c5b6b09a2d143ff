import { FiltersEngine, Request } from '@ghostery/adblocker'
import { expect, it } from 'vitest'
import { adHosts } from '../../../src/features/browser/ad-block/ad-hosts.js'
import { matchSmallAdList, smallAdList } from '../../../src/features/browser/ad-block/small-ad-list.js'

const pageUrl = 'https://news.test/article'

/** URLs that the list is about, and others that are like them. */
const urls: readonly string[] = [
  ...adHosts.flatMap((place) => {
    const plain = place.replaceAll('*', 'x.y')
    return [`https://${plain}`, `https://sub.${plain}`, `https://other${plain}`, `https://a.test/${plain}`].map((url) =>
      place.includes('/') ? url : `${url}/path`,
    )
  }),
  'https://ads.shop.test/banner.js',
  'https://tracking1.shop.test/x',
  'https://ad.nl/nieuws',
  'https://stats.shop.test/pixel.gif',
  'https://analytics.shop.test/a.js',
  'https://cdn.test/user-sync?id=1',
  'https://cdn.test/openrtb2/auction',
  'https://cdn.test/gtm.js?id=GTM-1',
  'https://cdn.test/MATOMO.js',
  'https://cdn.test/g/collect?v=2&tid=G-1',
  'https://cdn.test/collect?tid=G-1',
  'https://cdn.test/app.js',
  'wss://doubleclick.net/socket',
]

it('matchSmallAdList matches the same requests as the library for filter lists', () => {
  const library = FiltersEngine.parse(smallAdList())
  const small = matchSmallAdList()
  const differing = urls.flatMap((url) =>
    (['image', 'script', 'sub_frame', 'xhr', 'fetch', 'ping', 'stylesheet'] as const)
      .filter((type) => {
        const wanted = library.match(Request.fromRawDetails({ url, sourceUrl: pageUrl, type })).match
        return small.matches(url, pageUrl, type) !== wanted
      })
      .map((type) => `${type} ${url}`),
  )
  expect(differing).toEqual([])
  expect(urls.filter((url) => small.matches(url, pageUrl, 'script')).length).toBeGreaterThan(700)
})

it('matchSmallAdList returns a style that hides advertisements', () => {
  expect(matchSmallAdList().styleFor(pageUrl, { ids: [], classes: [] })).toMatch(
    /^ins\.adsbygoogle,.*\{display:none!important\}$/,
  )
})

it('matchSmallAdList matches a hostile URL in bounded time', () => {
  const small = matchSmallAdList()
  const url = `https://x.test${'/collect?'.repeat(150)}${'&v=1&'.repeat(270)}${'&'.repeat(1300)}`.slice(0, 4096)
  // A third of a second each, were parameters looked for one after the other.
  for (let times = 0; times < 300; times += 1) expect(small.matches(url, pageUrl, 'image')).toBe(false)
})
