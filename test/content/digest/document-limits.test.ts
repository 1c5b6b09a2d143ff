import { describe, expect, it } from 'vitest'
import type { ConvertFormat } from '../../../src/content/convert/convert.js'
import { digestFile, type Digest } from '../../../src/content/digest/digest.js'
import { limitDocument } from '../../../src/content/html/document-limits.js'
import { makeXlsx } from '../office/make-zip.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { growingFormats, LONG_PATH, repeatPieces } from './amplify.js'
import { digestPlan } from './plans.js'

const LONG = LONG_PATH
const BASE = `<base href="https://site.test/${LONG}/">`
const PIECES = 6000

const many = (write: (at: number) => string, count = PIECES): string => repeatPieces(write, count)

const formats: ConvertFormat[] = [
  ...growingFormats,
  { type: 'attributes', selectors: Array.from({ length: 20 }, () => ({ selector: '*', attribute: 'href' })) },
]

/** Pages in which each piece could add a thousand times its length to the document. */
const pages: Readonly<Record<string, string>> = {
  'links that are relative to a long address': BASE + many((at) => `<a href=x${at}>y</a> `),
  'one such link again and again': BASE + '<a href=x>y</a> '.repeat(PIECES),
  'links to places of one page': BASE + many((at) => `<a href=x#f${at}>y</a> `),
  'links of an image map': BASE + many((at) => `<area href=x${at}>`),
  'links in the head': BASE + many((at) => `<link rel=alternate hreflang=en href=x${at}>`),
  images: BASE + many((at) => `<img src=x${at} alt=y> `),
  'images in several sizes': BASE + many((at) => `<img src=x srcset="a${at} 1x, b${at} 2x, c${at} 3x"> `, 2000),
  'images that are loaded late': BASE + many((at) => `<img data-src=x${at} alt=y> `),
  'backgrounds of elements': BASE + many((at) => `<p style="background:url(x${at})">y</p>`),
  videos: BASE + many((at) => `<video src=x${at} poster=z${at} title=y></video>`),
  'frames with a title': BASE + many((at) => `<iframe src=x${at} title=y></iframe>`),
  'sources of quotes': BASE + '<blockquote cite=x>y</blockquote>'.repeat(PIECES),
  'entries of a list': `${BASE}<ul>${many((at) => `<li><a href=x${at}>Item ${at}</a> <i>$${at}</i></li>`)}</ul>`,
  'rows of a table with links': `${BASE}<table><tr><th>a<th>b${many((at) => `<tr><td><a href=x${at}>${at}</a><td>${at}`)}</table>`,
  'a long cell that spans all rows': `<table><tr><th>a<th>b<tr><td rowspan=60000>${'long text '.repeat(500)}<td>1${'<tr><td>b'.repeat(PIECES)}</table>`,
  'cells that span a thousand columns': `<table><tr><th>a<th>b${'<tr><td colspan=1000>x<td>y'.repeat(PIECES)}</table>`,
  'paragraphs in 200 quotes': '<blockquote>'.repeat(200) + '<p>a</p>'.repeat(PIECES),
  'paragraphs in 100 lists': '<ul><li>'.repeat(100) + '<p>a</p>'.repeat(PIECES),
  'a link that is closed in many blocks':
    `<a href="/${LONG}">${'<div>x'.repeat(200)}</a>${'</div>'.repeat(200)}`.repeat(40),
  'sections below long headings':
    many((at) => `<h${at + 1}>${'heading '.repeat(15)}</h${at + 1}>`, 5) + many((at) => `<h6>a${at}</h6>b`),
  'code that is written with entities': `<table><tr><td>${'<code>*|*|*</code>'.repeat(PIECES)}</table>`,
  'a stylesheet of classes on misnested marks':
    `<b class="${LONG}">${'<div>x'.repeat(200)}</b>${'</div>'.repeat(200)}`.repeat(40),
  'an entity of a document type': `<?xml version="1.0"?><!DOCTYPE html [<!ENTITY a "${'text '.repeat(1000)}">]><html xmlns="http://www.w3.org/1999/xhtml"><body><p>${'&a; '.repeat(PIECES)}</p></body></html>`,
  'items by reference': `<script type="application/ld+json">{"@graph":[{"@type":"Thing","@id":"a","name":"n","description":"${'d'.repeat(100_000)}"},${many(() => '{"@type":"Product","name":"x","isRelatedTo":{"@id":"a"}}', 1900).replaceAll('}{', '},{')}]}</script><p>text`,
  'properties of many names': `<div itemscope><p itemprop="${many((at) => `n${at} `)}">${'text '.repeat(2000)}</p></div>`,
  'relative properties': `${BASE}<div itemscope>${many((at) => `<a itemprop=url href=x${at}>y</a>`)}</div>`,
}

const source = (html: string, url = pageUrl): { url: string; body: Uint8Array; contentType: string } => ({
  url,
  body: bytes(html),
  contentType: html.startsWith('<?xml') ? 'application/xhtml+xml' : 'text/html; charset=utf-8',
})

/** What formats that need more than the page ask a digest for, too. */
const all = {
  ...digestPlan({ formats, onlyMainContent: false }),
  fingerprint: true,
  track: { previous: 'another text', diff: true, pieces: 100 },
  material: { text: true, facts: true, media: true, maxTokens: 100 },
}
const plans = {
  'all formats': { ...all, extract: { ...all.extract, list: { all: true } } },
  'the main content': digestPlan({ formats }),
  'links and the raw page': digestPlan({ formats: [{ type: 'links' }, { type: 'rawHtml' }], onlyMainContent: false }),
}

/** Lengths of the parts of a digest. */
const lengthsOf = ({ fields, ...rest }: Digest): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries({ ...fields, ...rest, ...rest.tracked, ...rest.material }).map(([name, value]) => [
      name,
      JSON.stringify(value)?.length ?? 0,
    ]),
  )

/** What the JSON of a part has beyond its texts: names of fields and brackets. */
const SYNTAX_SHARE = 1.5
/** Parts that have their own limits, as a multiple of those: a diff has both texts by lines and by blocks. */
const SHARES: Readonly<Record<string, number>> = { diff: 16, items: 4 }
/** What several parts have together, as a multiple of the limit of one. */
const TOGETHER = 6

function expectLimits(made: Digest, sourceBytes: number): void {
  const { part } = limitDocument(sourceBytes)
  const { tracked, material, warnings, ...parts } = lengthsOf(made)
  for (const [name, length] of Object.entries(parts))
    expect([name, length <= part * (SHARES[name] ?? SYNTAX_SHARE)]).toEqual([name, true])
  // A difference has both texts by lines and by blocks.
  expect(Math.max(tracked ?? 0, material ?? 0)).toBeLessThan(part * TOGETHER)
  expect(warnings).toBeLessThan(5000)
}

describe.each(Object.entries(plans))('%s of a small page stay small:', (_, plan) => {
  it.each(Object.entries(pages))('%s', { timeout: 60_000 }, async (__, html) => {
    const page = source(html)
    expectLimits(await digestFile(page, plan), page.body.length)
  })

  it('links below the long path that a redirect led to', async () => {
    const page = source(
      pages['links that are relative to a long address']?.slice(BASE.length) ?? '',
      `https://site.test/${LONG}/`,
    )
    const made = await digestFile(page, plan)
    expectLimits(made, page.body.length)
    expect(made.warnings.join(' ')).toMatch(/links of the page were left out, and are not followed/)
  })
})

it('addresses that do not fit stay as they are written, texts are kept, and a warning says so', async () => {
  const page = source(BASE + many((at) => `<p><a href=x${at}>word${at}</a></p>`))
  const { fields, links, warnings } = await digestFile(page, digestPlan({ formats, onlyMainContent: false }))
  for (let at = 0; at < PIECES; at += 1) expect(fields.markdown?.includes(`word${at}`)).toBe(true)
  expect(fields.markdown).toContain(`[word0](https://site.test/${LONG}/x0)`)
  expect(fields.markdown).toContain(`[word${PIECES - 1}](x${PIECES - 1})`)
  expect(fields.html).toContain(`href="x${PIECES - 1}"`)
  expect(links.length + Number(/(\d+) links of the page/.exec(warnings.join(' '))?.[1])).toBe(PIECES)
  expect(warnings.join(' ')).toMatch(/\d+ addresses in the content stay as the page writes them/)
  expect(warnings.join(' ')).toMatch(/\d+ links of the content are missing in `links`/)
})

it('the limit of an engine takes the place of four times the page', async () => {
  const page = source(BASE + many((at) => `<a href=x${at}>y</a> `))
  const plan = digestPlan({ formats, onlyMainContent: false, maxDocumentLength: 65_536 })
  const { fields, warnings } = await digestFile(page, plan)
  expect(fields.markdown?.length).toBeLessThan(65_536)
  expect(fields.html?.length).toBeLessThanOrEqual(65_536)
  expect(warnings.join(' ')).toContain('65536 characters')
})

it('a listing of a folder with an ordinary long path is whole', async () => {
  const url = `https://archive.site.test/pub/mirrors/${'distribution/releases/'.repeat(6)}`
  const page = source(
    many(
      (at) =>
        `<li><a href="package-${at}_1.2.3-4_amd64.deb">package-${at}_1.2.3-4_amd64.deb</a> 2026-01-01 12:00 1.2M</li>\n`,
      20_000,
    ),
    url,
  )
  const plan = digestPlan({ formats: formats.slice(0, 5), onlyMainContent: false })
  const { fields, links, warnings } = await digestFile(page, { ...plan, extract: { ...plan.extract, list: {} } })
  expect(warnings).toEqual([])
  expect(links).toHaveLength(20_000)
  expect(fields.markdown).toContain(`](${url}package-19999_1.2.3-4_amd64.deb)`)
})

it('a feed whose entries are relative to a long address stays small', async () => {
  const entry = (at: number): string =>
    `<entry><title>Entry ${at}</title><link href="x${at}"/><content type="html">&lt;a href="z${at}">y&lt;/a></content></entry>`
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://site.test/${LONG}/"><title>Feed</title>${many(entry)}</feed>`
  const page = { url: pageUrl, body: bytes(feed), contentType: 'application/atom+xml' }
  const made = await digestFile(page, all)
  expectLimits(made, page.body.length)
  expect(made.fields.markdown).toContain('Entry 999')
  expect(made.warnings.join(' ')).toMatch(/addresses of the feed stay as it writes them/)
})

it('a workbook that refers to one long text from all of its cells stays small', async () => {
  const rows = many((at) => `<row r="${at + 1}"><c r="A${at + 1}" t="s"><v>0</v></c></row>`)
  const body = makeXlsx(
    { S: `<sheetData>${rows}</sheetData>` },
    { strings: `<si><t>${'long text '.repeat(3000)}</t></si>` },
  )
  const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  const page = { url: 'https://site.test/book.xlsx', body, contentType }
  const made = await digestFile(page, all)
  expect(made.fields.markdown?.length).toBeLessThan(2_000_000)
  expect(made.fields.html?.length).toBeLessThan(2_000_000)
  expect(made.warnings.length).toBeGreaterThan(0)
})
