import { afterAll, beforeAll, expect, it } from 'vitest'
import { ActionError } from '../../../src/base/errors.js'
import { type Site, startSite } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from '../../kernel/fetch/open-fetcher.js'

const order = `<!doctype html><title>t</title><form><select name="size" oninput="list.append('I')" onchange="list.append(value)">
  <option>one<option id="two">two</select><select disabled><option>1<option id="never">2</select></form><output id="list"></output>`

const scripted = `<!doctype html><title>t</title><form hidden onclick="list.append('F')"><input name="click"><input
  name="dispatchEvent"><input name="isConnected"></form><a hidden id="link" href="javascript:void list.append('J')"></a>
  <button hidden id="opens" onclick="window.open('/opened')"></button><span id="part"></span><output id="list"></output><script>
  part.attachShadow({ mode: 'open' }).innerHTML = '<i hidden></i>'
  part.shadowRoot.firstChild.onclick = () => list.append('S')</script>`

const ticking = `<!doctype html><title>t</title><button id="tick" onclick="list.append('T')">t</button><output id="list"></output><script>
  setInterval(() => tick.replaceWith(tick.cloneNode(true)), 5)</script>`

const shy = `<!doctype html><title>t</title><button onmousemove="this.remove()">b</button>`

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({
    pages: {
      '/order': order,
      '/scripted': scripted,
      '/ticking': ticking,
      '/shy': shy,
      '/crowd': '<b>x</b>'.repeat(1001),
    },
  })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const render = async (path: string, ...selectors: string[]) => {
  const actions = selectors.map((selector) => ({ type: 'click' as const, selector }))
  return await browser.render(site.url(path), { actions })
}
const click = async (...selectors: string[]): Promise<string> => textOf(await render('/order', ...selectors))

it('a click on an option selects it, and the page gets the events of one change', async () => {
  expect(await click('#two')).toContain('<output id="list">Itwo</output>')
  expect(await click('#two', '#two')).toContain('<output id="list">Itwo</output>')
})

it('a click on an option of a disabled list fails', async () => {
  await expect(click('#never')).rejects.toBeInstanceOf(ActionError)
})

it('a click by script does what a click of a user does: in forms, links and shadow roots, and it may open a window', async () => {
  const page = await render('/scripted', 'form', '#link', '#part i', '#opens')
  expect(textOf(page)).toContain('<output id="list">FJS</output>')
  expect(page.warnings?.join(' ')).toContain(site.url('/opened'))
})

it('a click reaches an element that the page replaces all the time', async () => {
  expect(textOf(await render('/ticking', '#tick'))).toContain('<output id="list">T</output>')
})

it('a click on an element that goes when the mouse comes fails, long before the page’s time is up', async () => {
  const failing = render('/shy', 'button')
  await expect(failing).rejects.toThrow('`actions[0]` (click) failed: the element that matches `button` is gone')
})

it('a click on all of more elements than are clicked fails, and says how many there are', async () => {
  const actions = [{ type: 'click' as const, selector: 'b', all: true }]
  await expect(browser.render(site.url('/crowd'), { actions })).rejects.toThrow(
    '`actions[0]` (click) failed: 1001 elements match `b`; `all` clicks at most 1000',
  )
})
