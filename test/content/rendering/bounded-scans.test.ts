import { describe, expect, test } from 'vitest'
import { detectChallenge } from '../../../src/content/challenge/detect-challenge.js'
import { hydrate } from '../../../src/content/hydration/hydrate.js'
import { needsBrowser } from '../../../src/content/rendering/needs-browser.js'
import { readPageData } from '../../../src/content/hydration/page-data.js'
import { hasMoreText, scanPageText } from '../../../src/content/rendering/scan-page-text.js'
import { unflatten } from '../../../src/content/embedded-data/unflatten.js'
import { kindOfText } from '../../../src/content/embedded-data/text-kind.js'

/** What is read on the host's thread must end: the pages here took from seconds to for ever where it was not bounded. */
const bytes = (html: string): Uint8Array => new TextEncoder().encode(html)

const page = (html: string, contentType: string | undefined = 'text/html') => ({
  url: 'https://example.com/a',
  redirects: [],
  statusCode: 200,
  headers: {},
  ...(contentType !== undefined && { contentType }),
  body: bytes(html),
  fetchedAtMs: 0,
  fetcher: 'http',
})

const withData = (list: unknown): string =>
  `<div id="root"></div><script></script><script id="__NUXT_DATA__" type="application/json">${JSON.stringify(list)}</script>`

describe('a page without a content type', () => {
  test('is not treated as HTML if it has nothing but comments', () => {
    const { body } = page('<!---->'.repeat(71))
    expect(needsBrowser({ body, statusCode: 200 })).toBeUndefined()
  })

  test('is treated as HTML if the first tag after comments is `html`', () => {
    const body = bytes('<!-- a --> <!-- b --><html><body><div id="root"></div><script src="/a.js"></script>')
    expect(needsBrowser({ body, statusCode: 200 })).toBe('`#root` is empty until scripts fill it')
  })
})

describe('embedded data with cycles and shared parts', () => {
  test('ends the walk at a rich text that contains itself', () => {
    expect(hydrate(page(withData([{ data: 1 }, { type: 2, children: 3 }, 'doc', [1, 1]])))).toBeUndefined()
  })

  test('is read up to the budget if each level refers to the next one twice', () => {
    // 60 levels of text, and of elements: 2^60 of them by all their ways.
    const levels = Array.from({ length: 59 }, (_, at) => [
      { type: 1, children: 2 + at * 2 + 1 },
      [2 + at * 2 + 2, 2 + at * 2 + 2],
    ]).flat()
    const list = [{ data: 2 }, 'doc', ...levels, { type: 1, text: 1 }]
    const found = hydrate(page(withData(list)))
    expect(found?.isSure ?? false).toBe(false)
  })

  test('is read up to the budget if an element repeats a long text', () => {
    const row = (inner: string): string => `<script>self.__next_f.push([1,${JSON.stringify(inner)}])</script>`
    const text = 'word '.repeat(4000)
    const names = JSON.stringify(['$', 'p', null, { children: Array.from({ length: 50_000 }, () => '$1') }])
    const html = `<div id="root"></div>${row(`1:T${text.length.toString(16)},${text}2:${names}\n`)}`
    // A gigabyte, as it is named.
    expect(hydrate(page(html))?.page.body.byteLength ?? 0).toBeLessThan(2_000_000)
  })

  test('is restored with the cycle by unflatten', () => {
    const whole = unflatten([[0]], () => undefined) as unknown[]
    expect(whole[0]).toBe(whole)
  })
})

test('kindOfText does not take a long text of few words for a label', () => {
  expect(kindOfText(`${'1a'.repeat(800_000)} b`)).toBeUndefined()
  expect(kindOfText('primary_button')).toBeUndefined()
  expect(kindOfText('Two words')).toBe('label')
})

describe('a page of 4 MB', () => {
  const fill = (part: string): string => part.repeat(Math.floor(4_000_000 / part.length))

  test.each([
    ['elements that nothing has opened', `${'<section>'.repeat(200)}${fill('</a>')}`],
    [
      'styles without an end in what is for those without scripts',
      fill(`<noscript>${'<style'.repeat(3330)}</noscript>`),
    ],
    ['attributes that resemble those of a cookie banner', fill(`<div${' id=a-'.repeat(150)}>`)],
    ['unclosed titles', fill('<title')],
    ['parts of challenge signatures', fill('hcaptcha<title>Client Challenge</title>cf-error-code"')],
  ])('with %s is scanned in time linear in its size', { timeout: 30_000 }, (_, html) => {
    const body = bytes(html)
    for (let times = 0; times < 4; times += 1) {
      scanPageText(body)
      detectChallenge({ ...page(''), body })
    }
    expect(hasMoreText(body, body)).toBe(false)
  })

  test('with a million rows of React’s flight format is read whole', { timeout: 30_000 }, () => {
    const piece = JSON.stringify('0:T0,'.repeat(198_000))
    const row = `<script>self.__next_f.push([1,${piece}])</script>`
    expect(hydrate(page(`<div id="root"></div>${row.repeat(3)}`))).toBeUndefined()
  })

  test('with 160,000 unclosed states is not searched to its end for each of them', () => {
    const html = `<script>${'window.__STATE__ = {'.repeat(160_000)}</script>`
    expect(readPageData(page(html))?.state).toEqual([])
  })
})

test('a state on window is read although an unclosed one precedes it', () => {
  const html = `<script>window.__STATE__ = {${' '.repeat(1000)}</script><script>window.__DATA__ = {"a":[1]};more()</script>`
  expect(readPageData(page(html))?.state.map(({ value }) => value)).toEqual([{ a: [1] }])
})

test('a cookie banner is recognized by its class or id, quoted or not', () => {
  const textOf = (attributes: string): number =>
    scanPageText(bytes(`<div ${attributes}>We use cookies</div>`)).boilerplateLength
  expect(['class="x cookie-banner"', "id='cookieNotice'", 'id=onetrust-consent'].map(textOf)).toEqual([14, 14, 14])
  expect(['class="cookies"', 'data-id="cookie-banner"'].map(textOf)).toEqual([0, 0])
})
