import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Action } from '../../../src/kernel/fetch/action-options.js'
import type { Exchange } from '../../site/exchange.js'
import { startSite, type Site } from '../../site/site.js'
import { openBrowser } from './open-browser.js'

const pages = {
  '/windows': `<!doctype html><title>t</title>
    <script>open('/found?by=script')</script>
    <a id="new" href="/found?by=target" target="_blank">new</a>
    <button id="data" onclick="window.open('data:text/html,payload')">data</button>
    <a id="tick" href="/found?&#96;" target="_blank">tick</a>
    <a id="saved" href="/file.zip">save</a>
    <a id="both" href="/file.zip" target="_blank">save</a>
    <button id="stalled" onclick="window.open('http://user:secret@' + location.host + '/stalled')">stalled</button>
    ${[0, 1, 2, 3, 4, 5, 6].map((n) => `<a class="many" href="/found?n=${n}" target="_blank">${n}</a>`).join('')}
    <iframe srcdoc="<a href='/found?by=frame' target='_blank' style='position: fixed; inset: 0'>new</a>"></iframe>`,
  '/file.zip': ({ response }: Exchange) =>
    void response.writeHead(200, { 'content-type': 'application/zip' }).end('PK'),
  '/stalled': () => new Promise<never>(() => undefined),
  '/found': '<!doctype html><h1>Found</h1>',
}

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({ pages })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

describe('windows and downloads that an action opens', () => {
  const warningsAfter = async (selector: string): Promise<readonly string[] | undefined> => {
    const actions: Action[] = [{ type: 'click', selector, all: true }]
    return (await browser.render(site.url('/windows'), { actions })).warnings
  }
  const closed = (...paths: string[]): string =>
    `Windows that the actions opened were closed, and not read: ${paths.map((path) => `\`${site.url(path)}\``).join(', ')}`
  const refused = (path: string): string => `Downloads of the page were refused: \`${site.url(path)}\`.`

  it('are named in a warning, but not a window that the page opens by itself', async () => {
    expect(await warningsAfter('#saved')).toEqual([refused('/file.zip')])
    expect(await warningsAfter('#new')).toEqual([`${closed('/found?by=target')}.`])
    expect(await warningsAfter('iframe')).toEqual([`${closed('/found?by=frame')}.`])
    expect(await warningsAfter('#both')).toEqual([refused('/file.zip')])
    expect(await warningsAfter('.none')).toBeUndefined()
    expect(await warningsAfter('#tick')).toEqual([`${closed('/found?%60')}.`])
    expect(await warningsAfter('#data')).toEqual([`${closed()}one without a web address.`])
  })

  it('are named before they answer, without credentials, and not all if they are many', async () => {
    expect(await warningsAfter('#stalled')).toEqual([`${closed('/stalled')}.`])
    const named = [0, 1, 2, 3, 4].map((n) => `/found?n=${n}`)
    expect(await warningsAfter('.many')).toEqual([`${closed(...named)}, ….`])
  })
})
