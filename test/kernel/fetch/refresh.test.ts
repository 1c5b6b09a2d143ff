import { describe, expect, it } from 'vitest'
import { findRefresh, readRefresh } from '../../../src/content/html/refresh.js'
import { createEngine } from '../../../src/index.js'
import { startSite, type Site } from '../../site/site.js'
import { openFetcher } from './open-fetcher.js'

const meta = (content: string): string => `<meta http-equiv="refresh" content="${content}">`
const moved = (content: string): string => `<!doctype html><title>Moved</title>${meta(content)}<a href="/new">Moved</a>`

describe('a refresh', () => {
  it.each([
    ['0; url=/new', { delay: 0, url: '/new' }],
    ["5;URL='/a b'", { delay: 5, url: '/a b' }],
    [' 1.5 , /new', { delay: 1.5, url: '/new' }],
    ['; url="/new" rest', { delay: 0, url: '/new' }],
    ['30', { delay: 30, url: '' }],
    ['0; url=', { delay: 0, url: '' }],
    ['', undefined],
  ])('is read as browsers do: %j', (content, refresh) => {
    expect(readRefresh(content)).toEqual(refresh)
  })

  it.each([
    [`<!doctype html><head>${meta('0; url=/new')}`, '/new'],
    [`<META content='0;url=/?a=1&amp;b=2' HTTP-EQUIV = Refresh />`, '/?a=1&b=2'],
    [`<meta charset=utf-8><meta http-equiv=refresh content=0;url=/new>`, '/new'],
    [`<title><meta></title>${meta('0; url=/new')}`, '/new'],
    [`<!-- ${meta('0; url=/new')} -->`, undefined],
    [`<noscript>${meta('0; url=/new')}</noscript>`, undefined],
    [`<script>'${meta('0; url=/new')}'</script>`, undefined],
    [`<template>${meta('0; url=/new')}</template>`, undefined],
    [`<meta name="refresh" content="0; url=/new">`, undefined],
    [`<!-- ${meta('0; url=/new')}`, undefined],
    ['<', undefined],
    [`<base href="/docs/">${meta('0; url=new')}`, 'new'],
  ])('is found in the source of a page, unless a browser does not read it there: %s', (source, url) => {
    expect(findRefresh(source)?.url).toBe(url)
  })
})

describe('a page that has moved by a refresh', () => {
  it.each([
    ['a `meta` element', moved('0; url=/new'), {}],
    ['a header', '<p>Moved</p>', { refresh: '1; url=new' }],
    ['an address with other characters', moved('0; url=/new?caf\u00e9=1'), {}],
  ])('is the page that it leads to: %s', async (_name, stub, headers) => {
    await using site = await startSite({
      pages: {
        '/old': ({ response }) => void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(stub),
        '/new': '<main>The text</main>',
      },
    })
    await using http = openFetcher()
    const page = await http.get(site.url('/old'))
    expect(new URL(page.url).pathname).toBe('/new')
    expect(page.redirects).toEqual([{ url: site.url('/old'), statusCode: 200 }])
    expect(Buffer.from(page.body).toString()).toContain('The text')
  })

  it.each([
    ['is to be read before', moved('2; url=/new')],
    ['loads itself again', moved('0; url=/old#top')],
    ['leads to no web page', moved('0; url=mailto:somebody@site.example')],
    ['leads to itself by another page', moved('0; url=/back')],
    ['is text', `Write ${meta('0; url=/new')}`],
  ])('stays as it is where it %s', async (name, stub) => {
    const type = name === 'is text' ? 'text/plain' : 'text/html'
    await using site = await startSite({
      pages: {
        '/old': ({ response }) => void response.writeHead(200, { 'content-type': type }).end(stub),
        '/back': moved('0; url=/old'),
        '/new': 'another',
      },
    })
    await using http = openFetcher()
    const { body } = await http.get(site.url('/old'))
    expect(Buffer.from(body).toString()).not.toBe('another')
  })

  it.each([
    ['a folder', '<base href="/docs/">', '/docs/new'],
    ['a relative folder, after its attributes', '<base target="_top" href="docs/">', '/old/docs/new'],
    ['an address', '<base href="ORIGIN/docs/page">', '/docs/new'],
    ['the first of two', '<base href="/docs/"><base href="/other/">', '/docs/new'],
    ['a base after it', '', '/old/new', '<base href="/docs/">'],
    ['a base in a comment', '<!-- <base href="/docs/"> -->', '/old/new'],
  ])('is relative to %s', async (_name, base, path, after = '') => {
    await using site: Site = await startSite({
      pages: {
        '/old/': ({ response }) => {
          const written = base.replace('ORIGIN', site.origin)
          const stub = `<!doctype html><title>Moved</title>${written}${meta('0; url=new')}${after}`
          response.writeHead(200, { 'content-type': 'text/html' }).end(stub)
        },
        [path]: 'the target',
      },
    })
    await using http = openFetcher()
    expect(new URL((await http.get(site.url('/old/'))).url).pathname).toBe(path)
  })

  it('stays as it is after `limits.redirects`, and behind an error', async () => {
    await using site = await startSite({
      pages: {
        '/0': moved('0; url=/1'),
        '/1': moved('0; url=/2'),
        '/2': moved('0; url=/3'),
        '/error': ({ response }) => void response.writeHead(404, { refresh: '0; url=/0' }).end('none'),
      },
    })
    await using http = openFetcher({ limits: { redirects: 2 } })
    expect((await http.get(site.url('/0'))).url).toBe(site.url('/2'))
    expect((await http.get(site.url('/error'))).statusCode).toBe(404)
  })

  it('gives the document of its target, which a crawl has once', async () => {
    await using site = await startSite({
      pages: {
        '/': '<title>Start</title><main><p>The start of the site.</p><a href="/old">old</a> <a href="/new">new</a></main>',
        '/old': moved('0; url=/new'),
        '/new': '<title>New</title><main><p>The text of the page that has moved.</p></main>',
      },
    })
    await using engine = createEngine({ allowPrivateNetworks: true, fetcher: 'http', threads: 0 })
    const { markdown, metadata } = await engine.scrape(site.url('/old'))
    expect(markdown).toContain('The text of the page')
    expect(metadata).toMatchObject({ sourceURL: site.url('/old'), url: site.url('/new'), statusCode: 200 })
    const job = engine.crawl({ url: site.url('/'), sitemap: 'skip' })
    const { data } = await job.finished()
    expect(data.map((one) => one.metadata.url).toSorted()).toEqual([site.url('/'), site.url('/new')])
  })
})
