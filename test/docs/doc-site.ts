import { makeMp3 } from '../site/make-media.js'
import { makePdf } from '../content/pdf/make-pdf.js'
import { type Exchange, sendJson, sendPage } from '../site/exchange.js'
import { startSite, type Site } from '../site/site.js'

const page =
  '<!doctype html><title>t</title><main><h1>Page</h1><p>Some words that are the content.</p><a href="/docs/a">a</a></main>'

const product = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Lamp',
  offers: { '@type': 'Offer', price: '19.50', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
}

/** Answers as a language model does that finds a title and a price on every page. */
function answerAsModel(exchange: Exchange): void {
  sendJson(exchange, {
    id: 'c1',
    object: 'chat.completion',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: '{"title":"Lamp","price":19.5}' } },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 10 },
  })
}

/** Starts the site that stands for `https://example.com`, and for a language model's endpoint, in the code of the docs. */
export const startDocSite = (): Promise<Site> =>
  startSite({
    pages: {
      ...Object.fromEntries(['/', '/docs/', '/docs/a', '/a', '/b'].map((path) => [path, page])),
      '/empty/': '<!doctype html><title>t</title><main></main>',
      '/episode': `${page}<audio src="/episode.mp3"></audio>`,
      '/episode.mp3': ({ response }: Exchange) => response.end(makeMp3()),
      '/search': `${page}<form><input name="q"></form><p class="results">One page has it.</p>`,
      '/login': page.replace(
        '</main>',
        '<form action="/welcome"><input name="user"><input name="password"><button>Log in</button></form></main>',
      ),
      '/welcome?user=harbour&password=a+password': ({ response }: Exchange) => {
        response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=1' })
        response.end(page.replace('<main>', '<main class="welcome">'))
      },
      '/members': (exchange: Exchange) =>
        exchange.request.headers.cookie === 'session=1'
          ? sendPage(exchange, page)
          : sendPage(exchange, '<p>Log in first.</p>', 401),
      '/shop/lamp': page.replace(
        '<main>',
        `<script type="application/ld+json">${JSON.stringify(product)}</script><main>`,
      ),
      '/report.pdf': ({ response }: Exchange) => {
        response.writeHead(200, { 'content-type': 'application/pdf' })
        response.end(makePdf([{ pieces: [{ text: 'A report of one line.', x: 72, y: 72 }] }]))
      },
      '/hook': ({ response }: Exchange) => response.end('taken'),
      '/v1/chat/completions': answerAsModel,
    },
  })
