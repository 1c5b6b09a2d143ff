import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { generateSite } from '../../test/site/generate-site.js'

/**
 * Serves two kinds of pages by number: `/static/7` has its text in the HTML, `/built/7` is an empty shell whose scripts
 * fetch and insert the same text. Both have a style sheet, two scripts and an image; the last element is `#end`.
 */

const root = new URL('../../../../', import.meta.url)
const texts = [
  ...generateSite({ pages: 60, blocksFrom: fileURLToPath(new URL('test/site/docs/', root)) }).values(),
].map((html) => /<main[^]*<\/main>/.exec(html)?.[0] ?? `<main>${html}</main>`)

const textOf = (nth: number): string =>
  (texts[nth % texts.length] ?? '').replace(/<\/main>$/, `<p id="end">This was page ${nth}.</p></main>`)

const shell = (nth: number, body: string, script: string): string => `<!doctype html><html lang="en"><head>
<meta charset="utf-8"><title>Page ${nth}</title><link rel="stylesheet" href="/style.css"><script src="/library.js"></script>
</head><body>${body}<img src="/picture.svg" alt=""><script src="${script}"></script></body></html>`

const library = `window.library = { make(html) { const made = document.createElement('template'); made.innerHTML = html; return made.content } };
${Array.from({ length: 400 }, (_, nth) => `library.part${nth} = (x) => x * ${nth} + '${nth}';`).join('\n')}`

/** Inserts the text as frameworks do: fetches the data, then appends the elements in a few turns of the event loop. */
const app = `fetch('/data/' + location.pathname.split('/').pop()).then((answer) => answer.json()).then(({ html }) => {
  const parts = [...library.make(html).childNodes]
  const step = () => {
    document.getElementById('root').append(...parts.splice(0, Math.max(1, Math.ceil(parts.length / 3))))
    if (parts.length > 0) setTimeout(step, 0)
  }
  step()
})`

const page = `document.documentElement.dataset.ready = 'yes'`
const picture = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><circle cx="30" cy="30" r="20"/></svg>`
const style =
  'body { font: 16px/1.5 sans-serif; margin: 2em auto; max-width: 60em } table { border-collapse: collapse }'

const responses: Readonly<Record<string, (nth: number) => readonly [string, string]>> = {
  static: (nth) => ['text/html', shell(nth, textOf(nth), '/page.js')],
  built: (nth) => ['text/html', shell(nth, '<div id="root"></div>', '/app.js')],
  data: (nth) => ['application/json', JSON.stringify({ html: textOf(nth) })],
  'style.css': () => ['text/css', style],
  'library.js': () => ['text/javascript', library],
  'app.js': () => ['text/javascript', app],
  'page.js': () => ['text/javascript', page],
  'picture.svg': () => ['image/svg+xml', picture],
}

const server = createServer((request, response) => {
  const [, kind = '', nth = '0'] = new URL(request.url ?? '/', 'http://host').pathname.split('/')
  const [type, body] = responses[kind]?.(Number(nth)) ?? ['text/html', '<!doctype html><p>There is no such page.</p>']
  response.statusCode = responses[kind] ? 200 : 404
  response.setHeader('content-type', type)
  response.end(body)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') process.send?.(`http://127.0.0.1:${address?.port}`)
})
// Exits when the parent process has ended.
process.on('disconnect', () => process.exit())
