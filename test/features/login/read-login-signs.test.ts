import { expect, test } from 'vitest'
import { readLoginSigns } from '../../../src/features/login/read-login-signs.js'

const read = (html: string) =>
  readLoginSigns({
    url: 'http://a.test/',
    redirects: [],
    statusCode: 200,
    headers: {},
    contentType: 'text/html',
    body: Buffer.from(html),
    fetcher: 'http',
    fetchedAtMs: 0,
  })

test.each(['links', 'frames'] as const)('of many %s to one address a bounded number is read', (kind) => {
  const tag = (path: string) => (kind === 'links' ? `<a href="${path}">x</a>` : `<iframe src="${path}"></iframe>`)
  expect(read(tag('/a').repeat(900) + tag('/b'))[kind]).toEqual(['http://a.test/a', 'http://a.test/b'])
  expect(read(tag('/a').repeat(1000) + tag('/b'))[kind]).toEqual(['http://a.test/a'])
})

test('an anchor without an address is no link', () => {
  expect(read('<a name=top></a><a>x</a><a href>y</a>').links).toEqual(['http://a.test/'])
  expect(read('<a name=top></a><a>x</a>').links).toEqual([])
})

test('an attribute may have the end of a tag', () => {
  const { links, forms } = read(
    `<a title="a > b" HREF=/b>x</a><iframe srcdoc="<form action='/in'><input name=user><input type=password></form>"></iframe>`,
  )
  expect(links).toEqual(['http://a.test/b'])
  expect(forms).toMatchObject([{ action: 'http://a.test/in', password: 1 }])
})

test.each([
  '<form>',
  '<nav>',
  '<header>',
  '<h1>',
  '<div ',
  '<a href=/x>',
  '<script>location',
  '<form><input type=password>',
])(
  'a page of megabytes of %s is read in time: each took from seconds to hours where their ends were looked for anew',
  (part) => {
    const name = /[a-z0-9]+/.exec(part)?.[0] ?? ''
    expect(read(`${part.repeat(2_000_000 / part.length)}</${name}>`).words).toBe(0)
  },
)
