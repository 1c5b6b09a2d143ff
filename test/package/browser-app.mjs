import { createEngine } from 'trawl'

/** An app whose pages need a browser, with functions that are run inside of pages. Prints what came of each. */
const [site] = process.argv.slice(2)
const engine = createEngine({ allowPrivateNetworks: true, threads: 0 })
const options = {
  formats: ['markdown', 'branding', { type: 'screenshot', fullPage: true }],
  actions: [
    { type: 'click', selector: 'button' },
    { type: 'scroll', direction: 'down' },
    { type: 'click', selector: 'input' },
    { type: 'write', text: 'typed' },
    { type: 'executeJavascript', script: 'document.querySelector("input").value' },
  ],
}
const seen = []
for (const path of ['/first', '/second']) {
  try {
    const page = await engine.scrape(site + path, options)
    const { markdown, warning = '', branding, screenshot = '', actions } = page
    const colours = Object.keys(branding?.colors ?? {}).length
    seen.push({ markdown, warning, colours, picture: screenshot.slice(0, 22), returned: actions?.javascriptReturns })
  } catch ({ code, message }) {
    seen.push({ code, message })
  }
}
await engine.close()
console.log(JSON.stringify(seen))
