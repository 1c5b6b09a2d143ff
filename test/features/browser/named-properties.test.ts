import { afterAll, describe, expect, it } from 'vitest'
import { startSite } from '../../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from '../../kernel/fetch/open-fetcher.js'

const browser = openBrowser()
afterAll(() => browser.close())

const html = (body: string): string => `<!doctype html><title>t</title><body>${body}</body>`
const fieldsOf = (names: readonly string[]): string => names.map((name) => `<input name="${name}">`).join('')
const imagesOf = (names: readonly string[]): string => names.map((name) => `<img name="${name}" alt="">`).join('')

describe('a page whose fields and images have the names of properties', () => {
  it('has open shadow roots', async () => {
    const fields = fieldsOf([
      'children',
      'childNodes',
      'attributes',
      'localName',
      'nodeType',
      'shadowRoot',
      'getRootNode',
    ])
    const images = imagesOf(['body', 'querySelectorAll', 'scripts', 'doctype', 'documentElement', 'baseURI'])
    const script = `Document.prototype.querySelector.call(document, 'my-part').attachShadow({ mode: 'open' }).innerHTML = '<b>Part</b>'`
    const page = html(`<form class="search">${fields}</form>${images}<my-part></my-part><script>${script}</script>`)
    await using site = await startSite({ pages: { '/': page } })
    const text = textOf(await browser.get(site.url('/')))
    expect(text).toContain(`<form class="search">${fields}</form>`)
    expect(text).toContain('<my-part><b>Part</b></my-part>')
  })

  it('has the warning about a partial list', async () => {
    const list = `<ul>${'<li class="item">An item with some words of its own</li>'.repeat(10)}</ul>`
    const form = `<form class="search">${fieldsOf(['children', 'classList', 'textContent'])}</form>`
    await using site = await startSite({ pages: { '/': html(`${list}<div>${form}<button>Load more</button></div>`) } })
    const { warnings } = await browser.get(site.url('/'))
    expect(warnings).toEqual([expect.stringContaining('when a button is clicked')])
  })
})
