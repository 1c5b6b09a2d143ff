import type { Exchange } from './exchange.js'
import { adRequests, type AskedAs } from './ad-requests.js'
import { startProxy } from './proxy-server.js'
import { startSite } from './site.js'

/** A request as it came: host, path and query. */
type Asked = string

/** The whole web, as far as pages with advertisements need it: every host is this one machine. */
export interface AdSite extends AsyncDisposable {
  /** A proxy behind which every name leads here. */
  readonly proxy: string
  /** Every request so far. */
  readonly asked: readonly Asked[]
}

/** The URL of a page with advertisements: any number has one. */
export const pageUrl = (nth: number): string => `https://${hostOf(nth)}/story/${nth}`

/** A page's own requests, and those for what others hold of its content: none of them is for an advertisement. */
export const contentOf = (nth: number): readonly Asked[] => [
  ...[...ownFrom(hostOf(nth)), ...ownFrom(`cdn.${hostOf(nth)}`)].map(([, url]) => url),
  ...shared.map(([, url]) => url),
]

/** What a page asks for beside its content. */
export const adsOf = (nth: number): readonly Asked[] => entriesOf(nth).map(({ url }) => url.replace('https://', ''))

const ADS_ON_A_PAGE = 14

/** After so many pages, every entry of the list has been asked for. */
export const pagesForAll = Math.ceil(adRequests.length / ADS_ON_A_PAGE)

const hostOf = (nth: number): string => `news-${nth % 7}.example`

const entriesOf = (nth: number): typeof adRequests =>
  Array.from({ length: ADS_ON_A_PAGE }, (_, at) => adRequests[(nth * ADS_ON_A_PAGE + at) % adRequests.length]).flatMap(
    (entry) => entry ?? [],
  )

/** A site's own, under names that a filter is tempted by. */
const ownFrom = (host: string): readonly (readonly [AskedAs | 'style', Asked])[] => [
  ['style', `${host}/advice/ads-explained.css`],
  ['style', `${host}/adverts/sponsored.css`],
  ['image', `${host}/banner.jpg`],
  ['image', `${host}/images/ad-300x250-museum.png`],
  ['image', `${host}/pixel.gif?of=the-camera`],
  ['script', `${host}/analytics/report.js`],
  ['script', `${host}/assets/google-analytics.js`],
  ['script', `${host}/js/tracking.js`],
  ['frame', `${host}/ads/history.html`],
  ['fetch', `${host}/tracking-number.json`],
  ['fetch', `${host}/collect?v=1&tid=UA-1-1`],
  ['fetch', `${host}/openrtb2/auction/explained.json`],
]

/** Content that lies with others. */
const shared: readonly (readonly [AskedAs | 'style', Asked])[] = [
  ['style', 'fonts.googleapis.com/css2?family=Adserver+Sans'],
  ['script', 'cdn.jsdelivr.net/npm/chart.js'],
  ['script', 'cdnjs.cloudflare.com/ajax/libs/tracking.js/1.1.3/tracking-min.js'],
  ['script', 'maps.googleapis.com/maps/api/js?key=abc'],
  ['image', 'images.ctfassets.net/space/advertising-in-1900.jpg'],
  ['image', 'ad.example/newspaper/front-page.jpg'],
  ['image', 'upload.wikimedia.org/wikipedia/commons/a/ad/Banner.jpg'],
  ['frame', 'www.youtube.com/embed/abc'],
  ['frame', 'player.vimeo.com/video/123'],
  ['fetch', 'api.openweather.example/analytics/today.json'],
]

const elements: Readonly<Record<AskedAs | 'style', (url: string) => string>> = {
  style: (url) => `<link rel="stylesheet" href="${url}">`,
  script: (url) => `<script async src="${url}"></script>`,
  image: (url) => `<img src="${url}" alt="">`,
  frame: (url) => `<iframe src="${url}" width="60" height="60"></iframe>`,
  fetch: (url) => `<script>answers.push(fetch('${url}', { mode: 'no-cors' }).catch(() => undefined))</script>`,
  beacon: (url) => `<script>navigator.sendBeacon('${url}', 'x=1')</script>`,
}

/** The same, as a script of the page puts it in. */
const late: Partial<Record<AskedAs, (url: string) => string>> = {
  script: (url) =>
    `<script>document.head.append(Object.assign(document.createElement('script'), { src: '${url}' }))</script>`,
  image: (url) => `<script>new Image().src = '${url}'</script>`,
  fetch: (url) =>
    `<script>{ const asked = new XMLHttpRequest(); asked.open('POST', '${url}'); asked.send('x=1') }</script>`,
}

/** Selector of an element that a page has as soon as all that it asked for has been answered or refused. */
export const ANSWERED = '#answered'

const addAnswered = `addEventListener('load', async () => {
    await Promise.all(answers)
    document.body.append(Object.assign(document.createElement('i'), { id: 'answered' }))
  })`

function makePage(nth: number): string {
  const content = [...ownFrom(hostOf(nth)), ...ownFrom(`cdn.${hostOf(nth)}`), ...shared]
  const ads = entriesOf(nth).map(({ as, url }, at) => ((at % 2 === 0 ? late[as] : undefined) ?? elements[as])(url))
  return `<!doctype html><title>Story ${nth}</title><script>const answers = []; ${addAnswered}</script>${content.map(([as, url]) => elements[as](`https://${url}`)).join('\n')}
    <main><h1>Story ${nth}</h1><p>The text of story ${nth} is what a reader came for.</p></main>${ads.join('\n')}`
}

const types: readonly (readonly [RegExp, string])[] = [
  [/\.css|\/css2/, 'text/css'],
  [/\.js\b|\/js\b/, 'text/javascript'],
  [/\.json/, 'application/json'],
  [/\.html|\/embed\/|\/video\//, 'text/html'],
]

/** Starts an {@link AdSite}. */
export async function startAdSite(): Promise<AdSite> {
  const asked: Asked[] = []
  const answer = ({ request, response, url }: Exchange): void => {
    const { host = '' } = request.headers
    asked.push(`${host}${request.url ?? ''}`)
    const [, nth] = /^\/story\/(\d+)$/.exec(url.pathname) ?? []
    const isPage = nth !== undefined && host.startsWith('news-')
    const type = isPage ? 'text/html' : (types.find(([path]) => path.test(request.url ?? ''))?.[1] ?? 'image/gif')
    response.writeHead(200, { 'content-type': type, 'access-control-allow-origin': '*' })
    response.end(isPage ? makePage(Number(nth)) : '')
  }
  const site = await startSite({ protocol: 'https', pages: new Proxy({}, { get: () => answer }) })
  const proxy = await startProxy({ to: { hostname: '127.0.0.1', port: site.port } })
  return {
    proxy: proxy.url,
    asked,
    async [Symbol.asyncDispose]() {
      await proxy.close()
      await site.close()
    },
  }
}
