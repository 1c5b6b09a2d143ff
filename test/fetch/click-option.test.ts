import { afterAll, beforeAll, expect, it } from 'vitest'
import { ActionError } from '../../src/errors.js'
import { type Site, startSite } from '../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from './open-fetcher.js'

const order = `<!doctype html><title>t</title><form><select name="size" oninput="list.append('I')" onchange="list.append(value)">
  <option>one<option id="two">two</select><select disabled><option>1<option id="never">2</select></form><output id="list"></output>`

const browser = openBrowser()
let site: Site
beforeAll(async () => {
  site = await startSite({ pages: { '/order': order } })
})
afterAll(async () => {
  await browser.close()
  await site.close()
})

const click = async (...selectors: string[]): Promise<string> => {
  const actions = selectors.map((selector) => ({ type: 'click' as const, selector }))
  return textOf(await browser.render(site.url('/order'), { actions }))
}

it('a click on an option selects it, and the page gets the events of one change', async () => {
  expect(await click('#two')).toContain('<output id="list">Itwo</output>')
  expect(await click('#two', '#two')).toContain('<output id="list">Itwo</output>')
})

it('a click on an option of a disabled list fails', async () => {
  await expect(click('#never')).rejects.toBeInstanceOf(ActionError)
})
