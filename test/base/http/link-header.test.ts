import { expect, it } from 'vitest'
import { readLinkHeader } from '../../../src/base/http/link-header.js'

it('readLinkHeader reads the pages in a Link header, and nothing else', () => {
  const header =
    '</b?x=1,2>; rel="next", <https://a.test/fr>; rel=alternate; hreflang=fr, </style.css>; rel=preload; as=style'
  expect(readLinkHeader(header)).toEqual([
    { target: '/b?x=1,2', relation: 'next' },
    { target: 'https://a.test/fr', relation: 'alternate' },
  ])
  expect(readLinkHeader('</feed>; rel="alternate"; type="application/rss+xml", </c>; REL="prev up"')).toEqual([
    { target: '/c', relation: 'prev up' },
  ])
})

it.each([undefined, '', '<', '<a', '<a>', '<a>; rel', '<a>; rel="next', '>,<;;;', 'next=<b>'])(
  'readLinkHeader reads no link in %j',
  (header) => expect(readLinkHeader(header)).toEqual([]),
)

it('readLinkHeader takes no longer for a hostile header than for an honest one', () => {
  expect(readLinkHeader('<'.repeat(1e6))).toEqual([])
  expect(readLinkHeader(`<a>${'; rel'.repeat(2e5)}`)).toEqual([])
  expect(readLinkHeader(`<a>;${' '.repeat(1e6)}rel=next`)).toEqual([])
})

it('readLinkHeader reads a header of 64 KB in one pass, however many relations it names', () => {
  const header = `</a>; rel="${'alternate '.repeat(6_000)}"; ${';hreflan'.repeat(500)}`
  for (let times = 0; times < 200; times += 1) expect(readLinkHeader(header)).toEqual([])
})

it('readLinkHeader limits the links of a header', () => {
  const header = Array.from({ length: 3000 }, (_, n) => `<${n}>; rel=next`).join(',')
  expect(readLinkHeader(header)).toHaveLength(500)
})
