import { expect, it } from 'vitest'
import type { Exchange } from '../../site/exchange.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()

const page = (script: string): string =>
  `<!doctype html><title>t</title><script>${script}</script><h1>News</h1><ins class="adsbygoogle" id="ad">Buy</ins>`
const script = 'getComputedStyle(document.getElementById("ad")).display'

it.each([
  ['has its own functions', page('')],
  ['replaced those that change the tree', page('Node.prototype.appendChild = () => null')],
  ['replaced promises', page('window.Promise = function () {}')],
  [
    'forbids styles',
    ({ response }: Exchange) =>
      void response
        .setHeader('content-type', 'text/html')
        .setHeader('content-security-policy', "style-src 'none'")
        .end(page('')),
  ],
])('advertisements are hidden before the actions on a page that %s', async (_, html) => {
  await on.open({ '/': html })
  const { actions } = await on.engine.scrape(on.site.url('/'), { actions: [{ type: 'executeJavascript', script }] })
  expect(actions?.javascriptReturns).toEqual([{ type: 'unknown', value: 'none' }])
})
