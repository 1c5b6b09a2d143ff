import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { createEngine } from '../../../../src/index.js'
import { encodeText } from '../../../site/charset.js'
import type { Handler } from '../../../site/exchange.js'
import { startSite } from '../../../site/site.js'

const options = { allowPrivateNetworks: true, cache: false, retry: { maxRetries: 0 } } as const
const browser = createEngine({ ...options, fetcher: 'browser' })
const http = createEngine({ ...options, fetcher: 'http' })
afterAll(() => Promise.all([browser.close(), http.close()]))

const russian = 'Смотритель маяка каждый вечер считает лодки и записывает число в книгу.'
const japanese = '番人は毎晩、桟橋を歩いて、どの舟が戻ったかを帳面に書き込む。'
const polish = 'Później latarnik gasi światło i śpi aż do świtu, a łodzie są już w porcie i nikt ich nie liczy.'
const chinese = '看守人每天晚上都要数一数船只，然后把数字写进账本里。'
const texts = [
  ['windows-1252', 'Der Wärter zahlt jeden Abend für die Boote und schreibt die Größe in das Buch über Häfen.'],
  ['iso-8859-2', polish],
  ['windows-1250', polish],
  ['windows-1251', russian],
  ['koi8-u', russian],
  ['iso-8859-5', russian],
  ['ibm866', russian],
  ['windows-1253', 'Ο φύλακας του λιμανιού μετράει κάθε βράδυ τις βάρκες και γράφει τον αριθμό στο βιβλίο.'],
  ['windows-1254', 'Fener bekçisi her akşam kayıkları sayar ve sayısını kimsenin açamadığı deftere yazar.'],
  ['windows-1255', 'שומר המגדלור סופר בכל ערב את הסירות ורושם את המספר בספר.'],
  ['windows-1256', 'يعد حارس المنارة القوارب كل مساء ويكتب العدد في الدفتر.'],
  ['windows-874', 'คนเฝ้าประภาคารนับเรือทุกเย็นและเขียนจำนวนลงในสมุด'],
  ['shift_jis', japanese],
  ['euc-jp', japanese],
  ['gbk', chinese],
  ['big5', '看守人每天晚上都要數一數船隻，然後把數字寫進帳本裡。'],
  ['euc-kr', '등대지기는 매일 저녁 배를 세고 그 수를 책에 적는다.'],
] as const
const unicode = 'Der Wärter von 日本 zahlt jeden Abend für die Boote.'
/** Encodings that need no guess. */
const certain = [
  ['utf-8', unicode],
  ['utf-16le', unicode],
  ['utf-16be', unicode],
  ['utf-16le', `\ufeff${unicode}`],
  ['utf-16be', `\ufeff${unicode}`],
] as const

const script =
  '<script>document.body.dataset.read = document.querySelector("p").textContent.length; document.body.append("\\u2603")</script>'
const kinds = [
  ['HTML', 'text/html', (text: string) => `<!doctype html><title>x</title><p>${text}</p>${script}`],
  ['HTML with a late text', 'text/html', (text: string) => `<!doctype html><title>x</title><p>${text}</p>${script}`],
  ['HTML without a type', undefined, (text: string) => `<!doctype html><html><title>x</title><p>${text}</p></html>`],
  ['plain text', 'text/plain', (text: string) => text],
  ['CSV', 'text/csv', (text: string) => `id,name\n1,"${text}"\n`],
] as const

describe.each([
  ...texts.map(([encoding, text]) => [encoding, text, true] as const),
  ...certain.map(([encoding, text]) => [encoding, text, false] as const),
])('a body in %s that nothing declares: %s', (encoding, marked, isGuessed) => {
  const text = marked.replace('\ufeff', '')
  const bodyOf = (kind: (typeof kinds)[number]): Buffer =>
    Buffer.concat([encodeText(marked === text ? '' : '\ufeff', encoding), encodeText(kind[2](text), encoding)])

  it('is read in a browser as by HTTP', async () => {
    const requests: string[] = []
    await using site = await startSite({
      pages: Object.fromEntries(
        kinds.map((kind) => [
          `/${kind[0]}`.replaceAll(' ', '-'),
          async ({ request, response }) => {
            requests.push(request.url ?? '')
            const body = bodyOf(kind)
            response.writeHead(200, kind[1] === undefined ? {} : { 'content-type': kind[1] })
            const lateFrom = kind[0].includes('late') ? 40 : 0
            if (lateFrom > 0) response.write(body.subarray(0, lateFrom))
            if (lateFrom > 0) await sleep(150)
            response.end(body.subarray(lateFrom))
          },
        ]),
      ),
    })
    const found = await Promise.all(
      kinds.map(async ([kind, contentType]) => {
        const url = site.url(`/${kind}`.replaceAll(' ', '-'))
        const request = { formats: ['markdown' as const, 'rawHtml' as const], onlyMainContent: false }
        const byHttp = await http.scrape(url, request)
        return { kind, contentType, byHttp, shown: await browser.scrape(url, request) }
      }),
    )
    const warning = isGuessed
      ? `No known encoding is declared: the text was read as ${encoding}, which its bytes suggest.`
      : undefined
    for (const { kind, contentType, byHttp, shown } of found) {
      for (const document of [byHttp, shown]) {
        expect(document.rawHtml, kind).toContain(text)
        expect(document.markdown, kind).toContain(text)
        expect(document.warning, kind).toBe(warning)
        expect(document.metadata.contentType, kind).toBe(contentType)
      }
      if (contentType !== 'text/html') continue
      expect(shown.rawHtml, 'scripts see the text as it is').toContain(`data-read="${text.length}"`)
      expect(shown.rawHtml, 'scripts run once').toMatch(/^[^☃]*☃[^☃]*$/)
    }
    const asked = requests.filter((path) => path.endsWith('HTML') || path.endsWith('late-text'))
    expect(asked.length, 'the site is asked once by either').toBe(4)
  })
})

it('is shown so in a screenshot and to actions, at its own address', async () => {
  const body = encodeText(kinds[0][2](japanese), 'euc-jp')
  await using site = await startSite({
    pages: {
      '/old': ({ response }) => void response.writeHead(302, { location: '/page' }).end(),
      '/page': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body),
    },
  })
  const seen = 'document.querySelector("p").textContent'
  const { actions, metadata, warning } = await browser.scrape(site.url('/old'), {
    actions: [{ type: 'executeJavascript', script: seen }],
  })
  expect(actions?.javascriptReturns).toEqual([{ type: expect.anything(), value: japanese }])
  expect(metadata).toMatchObject({ url: site.url('/page'), statusCode: 200 })
  expect(warning).toContain('was read as euc-jp')
})

it.each([
  ['of ASCII alone', Buffer.from('<title>x</title><p>plain</p><img src=/x.png><script src=/x.js></script>')],
  [
    'in a related encoding',
    encodeText('<p>άγκυρες</p><p>Ο φύλακας του λιμανιού μετράει</p><img src=/x.png>', 'windows-1253'),
  ],
  ['of symbols', Buffer.from('<title>x</title><p>\xa9 Acme \x96 5 \x80</p><img src=/x.png>', 'latin1')],
])('is loaded once where it reads the same: %s', async (_, body) => {
  const requests: string[] = []
  const serve =
    (type: string, content: Uint8Array | string): Handler =>
    ({ request, response }) => {
      requests.push(request.url ?? '')
      response.writeHead(200, { 'content-type': type }).end(content)
    }
  await using site = await startSite({
    pages: { '/': serve('text/html', body), '/x.js': serve('text/javascript', ''), '/x.png': serve('image/png', '') },
  })
  // A format of a feature, without which this compiles.
  const shot: object = { formats: ['screenshot'] }
  await browser.scrape(site.url('/'), shot)
  expect(requests).toEqual([...new Set(requests)])
})

it('is guessed by what a page leads on to', async () => {
  const body = encodeText(kinds[0][2](japanese), 'euc-jp')
  await using site = await startSite({
    pages: {
      '/': ({ response }) =>
        void response.setHeader('content-type', 'text/html').end('<script>location = "/page"</script>'),
      '/page': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body),
    },
  })
  expect(await browser.scrape(site.url('/'))).toMatchObject({
    markdown: expect.stringContaining(japanese),
    warning: expect.stringContaining('was read as euc-jp'),
  })
})
