import { afterAll, describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openBrowser } from '../open-browser.js'
import { textOf } from '../open-fetcher.js'

const browser = openBrowser()
afterAll(() => browser.close())

const html = (body: string, head = ''): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>t</title>${head}</head><body>${body}</body></html>`
const plenty = `<p>${'Words of the page itself, which are there from the beginning. '.repeat(20)}</p>`

describe('requests of one address', () => {
  const paged = (next: string): string => `let cursor = Math.floor(Date.now() / 1000) - 7200
    const list = document.getElementById('list')
    const load = async () => {
      const part = await (await fetch('/feed?before=' + cursor)).text()
      list.insertAdjacentHTML('beforeend', '<li>' + part + list.children.length + '</li>')
      cursor -= 60
      ${next}
    }`
  const slow = (text: string) => ({
    '/feed': ({ response }: { response: import('node:http').ServerResponse }) =>
      void setTimeout(() => response.end(text), 300),
  })

  it('are waited for where each asks for what is older', async () => {
    await using site = await startSite({
      pages: {
        '/': html(`<ul id="list"></ul><script>${paged('if (list.children.length < 8) load()')}; load()</script>`),
        ...slow('PART'),
      },
    })
    expect(textOf(await browser.get(site.url('/'))).match(/PART\d/g)).toHaveLength(8)
  })

  it('are not waited for where each has only another time and number', async () => {
    const poll = `(async () => {
      for (let round = 1; ; round++) {
        await fetch('/feed?_=' + Date.now() + '&r=' + Math.random())
        document.title = 'round ' + round
      }
    })()`
    await using site = await startSite({ pages: { '/': html(`${plenty}<script>${poll}</script>`), ...slow('SAME') } })
    const [, round] = /<title>round (\d+)/.exec(textOf(await browser.get(site.url('/')))) ?? []
    expect(Number(round)).toBeLessThan(10)
  })
})
