import { describe, expect, it } from 'vitest'
import type { FoundMedia } from '../../../src/content/extract/media/found-media.js'
import { digestHtml } from './digest-html.js'

const text = '<p>The bells of the harbour, rung at every turn of the tide since the mole was built.</p>'

const find = (body: string, head = ''): readonly FoundMedia[] =>
  digestHtml(`<!doctype html><title>Bells</title>${head}<main><h1>Bells</h1>${text}${body}</main>`).media

/** Prints each medium on a line. */
const list = (found: readonly FoundMedia[]): string[] =>
  found.map(({ kind, rank, sources }) => [rank, kind ?? 'either', ...sources.map(({ url }) => url)].join(' '))

describe('media of a page', () => {
  it('finds players with all of their URLs, absolute', () => {
    const found = find(`<audio src="/a.mp3#t=10"></audio>
      <video controls><source src="b.webm" type="Video/WebM; codecs=vp9"><source src="//cdn.test/b.mp4"></video>
      <audio controls data-src="lazy.ogg"></audio>`)
    expect(list(found)).toEqual([
      'content audio https://harbour.test/a.mp3',
      'content video https://harbour.test/b.webm https://cdn.test/b.mp4',
      'content audio https://harbour.test/lazy.ogg',
    ])
    expect(found[1]?.sources[0]?.mediaType).toBe('video/webm')
  })

  it('finds described, shared and linked media, the most reliable first', () => {
    const data = {
      '@type': 'PodcastEpisode',
      associatedMedia: { '@type': 'MediaObject', contentUrl: 'https://cdn.test/episode' },
      image: { '@type': 'ImageObject', contentUrl: 'https://cdn.test/cover.jpg' },
      video: { '@type': 'VideoObject', contentUrl: '/film.mp4' },
    }
    const found = find(
      '<a href="/tide.flac">The tide</a><a href="/page">A page</a><video src="/own.mp4"></video>',
      `<link rel="enclosure" type="audio/mpeg" href="/enclosed">
      <meta name="twitter:player:stream" content="https://cdn.test/stream"><meta name="twitter:player:stream:content_type" content="video/mp4">
      <meta property="og:audio" content="http://cdn.test/og.mp3"><meta property="og:audio:secure_url" content="https://cdn.test/og.mp3">
      <meta property="og:video" content="https://cdn.test/frame"><meta property="og:video:type" content="text/html">
      <script type="application/ld+json">${JSON.stringify(data)}</script>`,
    )
    expect(list(found)).toEqual([
      'content video https://harbour.test/own.mp4',
      'described audio https://cdn.test/episode',
      'described video https://harbour.test/film.mp4',
      'shared audio https://cdn.test/og.mp3 http://cdn.test/og.mp3',
      'streamed video https://cdn.test/stream',
      'enclosed audio https://harbour.test/enclosed',
      'linked audio https://harbour.test/tide.flac',
    ])
  })

  it('lists each medium once, with its most reliable place', () => {
    const found = find(
      '<video src="/film.mp4"></video>',
      '<meta property="og:video:url" content="https://harbour.test/film.mp4">',
    )
    expect(list(found)).toEqual(['content video https://harbour.test/film.mp4'])
  })

  it('lists decorative videos last', () => {
    const found = find(
      '<video autoplay muted loop src="/waves.mp4"></video><video controls muted autoplay src="/film.mp4"></video>',
    )
    expect(list(found)).toEqual([
      'content video https://harbour.test/film.mp4',
      'ornament video https://harbour.test/waves.mp4',
    ])
  })

  it('refuses URLs of files, scripts and other programs, and data URLs that are not audio or video', () => {
    const found =
      find(`<audio src="file:///etc/passwd"></audio><audio src="javascript:alert(1)"></audio><video src="blob:x"></video>
      <audio src="data:text/html,hello"></audio><audio src="ftp://harbour.test/a.mp3"></audio><audio src=" "></audio>
      <video src="concat:a|b"></video><audio src="data:audio/wav;base64,UklGRg=="></audio>`)
    expect(list(found)).toEqual(['content audio data:audio/wav;base64,UklGRg=='])
  })

  it('bounds the number of media on a page', () => {
    const many = Array.from({ length: 1000 }, (_, at) => `<source src="/${at}.mp4">`).join('')
    const sources = find(`<video>${many}</video>`)
    expect(sources.map((one) => one.sources.length)).toEqual([6])
    const players = Array.from({ length: 1000 }, (_, at) => `<audio src="/${at}.mp3"></audio>`).join('')
    expect(find(players)).toHaveLength(40)
    const links = Array.from({ length: 500 }, (_, at) => `<a href="/${at}.mp3">${at}</a>`).join('')
    expect(list(find(`${links}<audio src="/last.mp3"></audio>`))[0]).toBe('content audio https://harbour.test/last.mp3')
    const data = `<audio src="data:audio/wav;base64,${'A'.repeat(300_000)}"></audio>`
    expect(find(data)).toHaveLength(1)
  })
})

describe('media of a feed', () => {
  const wrap = (body: string, contentType: string) => digestHtml(body, 'https://harbour.test/feed', contentType).media

  it('finds the enclosures of a feed’s entries in order', () => {
    const item = (name: string) =>
      `<item><title>${name}</title><enclosure url="https://cdn.test/${name}.mp3" type="audio/mpeg" length="1"/></item>`
    const rss = `<?xml version="1.0"?><rss version="2.0"><channel><title>Bells</title>${item('two')}${item('one')}</channel></rss>`
    expect(list(wrap(rss, 'application/rss+xml'))).toEqual([
      'enclosed audio https://cdn.test/two.mp3',
      'enclosed audio https://cdn.test/one.mp3',
    ])
    const atom = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Bells</title><entry><title>One</title>
      <link rel="alternate" href="/one"/><link rel="enclosure" type="video/mp4" href="/one.mp4"/></entry></feed>`
    expect(list(wrap(atom, 'application/atom+xml'))).toEqual(['enclosed video https://harbour.test/one.mp4'])
    const json = {
      version: 'https://jsonfeed.org/version/1.1',
      items: [{ id: 1, attachments: [{ url: '/x', mime_type: 'audio/mp4' }] }],
    }
    expect(list(wrap(JSON.stringify(json), 'application/feed+json'))).toEqual(['enclosed audio https://harbour.test/x'])
  })
})
