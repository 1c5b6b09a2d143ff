import { describe, expect, it } from 'vitest'
import { listScripts } from '../../../src/content/embedded-data/list-scripts.js'
import type { Payload } from '../../../src/content/embedded-data/payload.js'
import * as payloads from '../../../src/content/embedded-data/payloads/index.js'
import { readData } from '../../../src/content/hydration/read-data.js'
import { payloadContract } from '../../contracts/payload.contract.js'

const sentence = 'Nobody had seen the lighthouse keeper since the boat came back without its mast.'
const title = 'The keeper who was not there'
const escaped = (value: unknown): string => JSON.stringify(value).replaceAll('"', '&quot;')
/** Hexadecimal bytes of UTF-8, as rows of text are measured. */
const long = `${sentence} Æther and œuvre. `.repeat(4)
const longRow = `2:T${Buffer.byteLength(long).toString(16)},${long}3:["$","article",null,{"children":"$2"}]\n`

/** A page for each kind, as its framework writes it. */
const pages: Readonly<Record<keyof typeof payloads, string>> = {
  nextData: `<div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: { post: { title, content: sentence } } }, page: '/[slug]' })}</script>`,
  nextFlight: `<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,${JSON.stringify(`0:["$","main",null,{"children":[["$","h1",null,{"children":"${title}"}],["$","p",null,{"children":"${sentence}"}]]}]\n1:I[12,[],"Late"]\n`)}])</script><script>self.__next_f.push([1,${JSON.stringify(longRow)}])</script>`,
  nuxtData: `<script type="application/json" data-nuxt-data="nuxt-app" id="__NUXT_DATA__">${JSON.stringify([['ShallowReactive', 1], { data: 2, state: 6 }, ['Reactive', 3], { post: 4 }, { title: 5, body: 7, self: 4 }, title, {}, sentence])}</script>`,
  inertiaPage: `<div id="app" data-page="${escaped({ component: 'Show', props: { article: { title, body: sentence } } })}"></div>`,
  componentProps: `<div data-react-class="Story" data-react-props="${escaped({ story: { title, body: `${sentence} `.repeat(3) } })}"></div>`,
  sveltekitFetched: `<script type="application/json" data-sveltekit-fetched data-url="/a.json">${JSON.stringify({ status: 200, statusText: 'OK', headers: {}, body: JSON.stringify({ title, content: sentence }) })}</script>`,
  turboStream: `<script>window.__reactRouterContext.streamController.enqueue(${JSON.stringify(JSON.stringify([{ _1: 2 }, 'loaderData', { _3: 4 }, 'routes/post', { _5: 6, _7: 8 }, 'title', title, 'body', sentence]))});</script>`,
  globalState: `<script>var a = 1; window.__PRELOADED_STATE__ = ${JSON.stringify({ post: { title, body: sentence } })}; window.b = 2</script>`,
  jsonScript: `<script id="ng-state" type="application/json">${JSON.stringify({ 12: { b: { title, body: sentence }, s: 200 } })}</script>`,
  astroIsland: `<astro-island uid="a" component-url="/a.js" client="only" props="${escaped({ text: [0, { title: [0, title], paragraphs: [1, [[0, sentence]]] }] })}"></astro-island>`,
  jsonLd: `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', '@type': 'NewsArticle', headline: title, articleBody: `${sentence} `.repeat(12) })}</script>`,
}

describe.each(Object.entries(payloads))('%s', (name, payload) => {
  payloadContract(payload, pages[name as keyof typeof payloads], sentence)
})

const read = (payload: Payload, html: string) => payload.read({ html, scripts: listScripts(html) })

describe('state on window', () => {
  const global = (script: string) => read(payloads.globalState, `<script>${script}</script>`)

  it('reads JSON and JSON in a string, and never runs a script', () => {
    expect(global('window.__INITIAL_STATE__ = {"a":"b}"};next()')).toMatchObject([{ value: { a: 'b}' } }])
    expect(global('window["__INITIAL_STATE__"]=JSON.parse("{\\"a\\":[1]}")')).toMatchObject([{ value: { a: [1] } }])
    expect(global(`window.__NUXT__={data:[{a:'b'}],fetch:{}}`)).toEqual([
      { source: '__NUXT__', scope: 'page', value: [[{ a: 'b' }], {}] },
    ])
    expect(global('window.__NUXT__={data:[a]}')).toEqual([])
    expect(global('window.__NUXT__=(function(a){return {data:[a]}}("b"))')).toEqual([])
    expect(global('window.__INITIAL_STATE__ = { a: 1 }')).toEqual([
      { source: '__INITIAL_STATE__', scope: 'state', value: { a: 1 } },
    ])
    expect(global('window.__INITIAL_STATE__ = { a: b() }')).toEqual([])
    expect(global('if (window.__INITIAL_STATE__ == {"a":1}) {}')).toEqual([])
    expect(global('window.__SOMETHING__ = {"a":1}')).toEqual([])
  })

  it('resolves references of an Apollo cache, cyclic ones too', () => {
    const cache = {
      ROOT_QUERY: { 'post({"id":1})': { __ref: 'Post:1' } },
      'Post:1': { body: sentence, self: { __ref: 'Post:1' } },
    }
    const [found] = global(`window.__APOLLO_STATE__ = ${JSON.stringify(cache)}`)
    expect(readData(found?.value).html).toBe(`<p>${sentence}</p>`)
  })
})

describe('rows of the app router', () => {
  it('reads long texts from rows of their own, measured in bytes', () => {
    const [found] = read(payloads.nextFlight, pages.nextFlight)
    expect(readData(found?.value).html).toContain(`<article>${long.trimEnd()}`)
  })
})

describe('JSON-LD of a page', () => {
  it('is the page’s text only with the body of an article', () => {
    const scopes = (type: string) =>
      read(payloads.jsonLd, pages.jsonLd.replace('NewsArticle', type)).map(({ scope }) => scope)
    expect(scopes('NewsArticle')).toEqual(['state', 'description'])
    expect(scopes('DiscussionForumPosting')).toEqual(['description'])
  })
})

describe('props of a component', () => {
  it('are no settings of a few words, no program, and no more than 200', () => {
    const props = (attribute: string, value: string): unknown[] => [
      ...read(payloads.componentProps, `<div ${attribute}='${value}'></div>`),
    ]
    const json = JSON.stringify({ title, body: long })
    expect(props(':article', json)).toMatchObject([{ source: ':article', value: { title } }])
    expect(props('data-slider', '{"speed":300}')).toEqual([])
    expect(props('x-data', `{ open: false, text: "${long}" }`)).toEqual([])
    expect(read(payloads.componentProps, `<i data-a='${json}'></i>`.repeat(300))).toHaveLength(200)
  })
})
