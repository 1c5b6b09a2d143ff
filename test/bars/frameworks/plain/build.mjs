// Builds the pages of the frameworks that need no tool of their own: `node build.mjs <folder of the packages> <out>`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { compile } from 'svelte/compiler'

const out = process.argv[2]
const texts = JSON.parse(readFileSync('texts.json', 'utf8'))
mkdirSync(out, { recursive: true })

const sveltePlugin = (generate) => ({
  name: 'svelte',
  setup: (build) =>
    build.onLoad({ filter: /\.svelte$/ }, ({ path }) => ({
      contents: compile(readFileSync(path, 'utf8'), { generate, filename: path }).js.code,
    })),
})
const define = { 'process.env.NODE_ENV': '"production"', __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' }
await esbuild.build({
  entryPoints: ['react', 'vue', 'svelte', 'preact', 'solid', 'lit'].map((name) => `${name}-client.js`),
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  conditions: ['browser', 'production'],
  define,
  plugins: [sveltePlugin('client')],
})

/** A page's file: what the server sends. */
const write = (name, mode, client, { head = '', body }) =>
  writeFileSync(
    `${out}/${name}.html`,
    `<!doctype html><html lang="en" data-page="${name}" data-mode="${mode}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<script type="module" src="/${client}-client.js"></script></head><body>${body}</body></html>`,
  )
const titled = (name) => `<title>${texts[name].title}</title>`
const articleOf = (name) =>
  `<h1>${texts[name].title}</h1>${texts[name].sentences.map((sentence) => `<p>${sentence}</p>`).join('')}`
const nav = '<header><nav><a href="/">Start</a> <a href="/shop">Shop</a> <a href="/help">Help</a></nav></header>'
const long =
  'We and our partners keep small files on your device to measure how this site is used, to remember what you chose, and to show offers that suit you. '

const React = await import('react')
const { renderToPipeableStream, renderToStaticMarkup, renderToString } = await import('react-dom/server')
const { Article, Streamed } = await import('./react-parts.js')
const root = (inner = '') => `<div id="root">${inner}</div>`
const react = (name, mode, body, head = '') => write(name, mode, 'react', { head, body })
const toStream = (name) => {
  const promise = new Promise((resolve) => setTimeout(resolve, 300, texts[name]))
  return new Promise((resolve) => {
    let html = ''
    const sink = new Writable({
      write: (chunk, _encoding, next) => ((html += chunk), next()),
      final: (done) => (resolve(html), done()),
    })
    const { pipe } = renderToPipeableStream(React.createElement(Streamed, { promise }), {
      onShellReady: () => pipe(sink),
    })
  })
}
const element = (name) => React.createElement(Article, { text: texts[name] })
react('react-static', 'nothing', renderToStaticMarkup(element('react-static')), titled('react-static'))
react('react-rendered', 'hydrate', nav + root(renderToString(element('react-rendered'))))
react('react-streamed', 'nothing', await toStream('react-streamed'))
react(
  'react-shell',
  'bundle',
  `<noscript>You need to enable JavaScript to run this app.</noscript>${root()}`,
  '<title>React App</title>',
)
react('react-fetch', 'fetch', root())
react(
  'react-long-note',
  'bundle',
  `<noscript><h2>This application runs in your browser</h2><p>Please enable JavaScript to go on. ${'Settings, then privacy, then site settings, then scripts, and choose to allow them for this address. '.repeat(9)}</p></noscript>${root()}`,
)
react(
  'react-cookie-note',
  'fetch',
  `${root()}<div id="cookie-banner" class="cookie-banner"><h2>Your privacy</h2><p>${long.repeat(6)}</p><button>Fine</button></div><footer><p>${long}</p></footer>`,
)
react('react-hash', 'hash', root())
react(
  'react-comments',
  'comments',
  `${nav}<article>${articleOf('react-comments')}</article><h2>Comments</h2><div id="comments"></div>`,
)
react('react-dashboard', 'dashboard', nav + root())
react(
  'react-skeleton',
  'skeleton',
  nav +
    root(
      '<div aria-busy="true" class="skeleton"></div><div aria-busy="true" class="skeleton"></div><div aria-busy="true" class="skeleton"></div>',
    ),
)
react(
  'react-spinner',
  'fetch',
  `${nav}${root('<div class="spinner"><p>Loading…</p></div>')}<footer><p>${long.repeat(3)}</p></footer>`,
)

const { InMemoryCache, gql } = await import('@apollo/client')
const cache = new InMemoryCache()
cache.writeQuery({
  query: gql`
    {
      post(slug: "react-apollo") {
        id
        slug
        title
        body
      }
      site {
        id
        name
      }
    }
  `,
  data: {
    post: {
      __typename: 'Post',
      id: '1',
      slug: 'react-apollo',
      title: texts['react-apollo'].title,
      body: texts['react-apollo'].sentences.join('\n\n'),
    },
    site: { __typename: 'Site', id: '1', name: 'Notes' },
  },
})
const toJson = (value) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`)
react('react-apollo', 'apollo', `${root()}<script>window.__APOLLO_STATE__=${toJson(cache.extract())};</script>`)
const state = {
  posts: {
    entities: {
      7: {
        id: 7,
        title: texts['react-state'].title,
        content: texts['react-state'].sentences.map((sentence) => `<p>${sentence}</p>`).join(''),
      },
    },
    isLoading: false,
  },
  user: null,
}
react(
  'react-state',
  'state',
  `${root()}<script>window.__PRELOADED_STATE__ = JSON.parse(${toJson(toJson(state))})</script>`,
  titled('react-state'),
)

const teaser = texts['react-teaser']
const teaserState = {
  article: {
    slug: 'react-teaser',
    title: teaser.title,
    excerpt: `${teaser.sentences.slice(0, 3).join(' ')} …`,
    body: null,
  },
}
react(
  'react-teaser',
  'fetch',
  `${root()}<script>window.__INITIAL_STATE__=${toJson(teaserState)}</script>`,
  titled('react-teaser'),
)
const linked = {
  '@context': 'https://schema.org',
  '@type': 'Article',
  headline: texts['react-linked'].title,
  articleBody: texts['react-linked'].sentences.join('\n'),
}
react(
  'react-linked',
  'linked',
  root(),
  `${titled('react-linked')}<script type="application/ld+json">${toJson(linked)}</script>`,
)

const vueServer = await import('vue/server-renderer')
const { createSSRApp } = await import('vue')
const { renderArticle } = await import('./vue-parts.js')
const vue = (name, mode, body, head = '') => write(name, mode, 'vue', { head, body })
vue(
  'vue-rendered',
  'hydrate',
  `<div id="app">${await vueServer.renderToString(createSSRApp({ render: () => renderArticle(texts['vue-rendered']) }))}</div>`,
)
vue(
  'vue-shell',
  'bundle',
  '<noscript><strong>We are sorry, but this page does not work properly without JavaScript enabled.</strong></noscript><div id="app"></div>',
)
vue('vue-fetch', 'fetch', '<div id="app"></div>')
vue('vue-hash', 'hash', '<div id="app"></div>')
vue(
  'vue-state',
  'state',
  `<div id="app"></div><script>window.__INITIAL_STATE__=${toJson({ route: { article: texts['vue-state'] }, locale: 'en' })}</script>`,
  titled('vue-state'),
)
vue(
  'vue-islands',
  'islands',
  `${nav}<main>${articleOf('vue-islands')}<div id="like" class="island"></div><div id="share" class="island"></div></main><div id="app"></div>`,
)

const { title, sentences } = texts['vue-inertia']
const inertia = {
  component: 'Articles/Show',
  url: '/vue-inertia',
  props: { errors: {}, article: { id: 4, title, body: sentences.map((sentence) => `<p>${sentence}</p>`).join('') } },
}
vue(
  'vue-inertia',
  'inertia',
  `<div id="app" data-page="${toJson(inertia).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>`,
)

const bundle = async (entry, plugins) => {
  const file = `${process.cwd()}/${entry}.server.mjs`
  await esbuild.build({
    stdin: { contents: `export { default } from './${entry}.svelte'`, resolveDir: '.' },
    bundle: true,
    format: 'esm',
    packages: 'external',
    outfile: file,
    plugins,
    define,
  })
  return (await import(pathToFileURL(file).href)).default
}
const { render } = await import('svelte/server')
const svelteArticle = await bundle('article', [sveltePlugin('server')])
const svelte = (name, mode, body, head = '') => write(name, mode, 'svelte', { head, body })
svelte(
  'svelte-rendered',
  'hydrate',
  `<div id="app">${render(svelteArticle, { props: { text: texts['svelte-rendered'] } }).body}</div>`,
)
svelte('svelte-shell', 'bundle', '<div id="app"></div>')
svelte('svelte-fetch', 'fetch', `${nav}<div id="app"></div>`)
svelte('svelte-body', 'bundle', '')

const { h } = await import('preact')
const { default: preactToString } = await import('preact-render-to-string')
const preactParts = await import('./preact-parts.js')
const preact = (name, mode, body) => write(name, mode, 'preact', { body })
preact(
  'preact-rendered',
  'hydrate',
  `<div id="app">${preactToString(h(preactParts.Article, { text: texts['preact-rendered'] }))}</div>`,
)
preact('preact-shell', 'bundle', '<div id="app"></div>')
preact(
  'preact-islands',
  'islands',
  `<main>${articleOf('preact-islands')}<x-island></x-island></main><x-island></x-island>`,
)

write('solid-shell', 'bundle', 'solid', { body: root() })
write('solid-fetch', 'fetch', 'solid', { body: root() })

const { render: renderLit } = await import('@lit-labs/ssr')
const { collectResult } = await import('@lit-labs/ssr/lib/render-result.js')
const { html } = await import('lit')
await import('./lit-parts.js')
write('lit-rendered', 'hydrate', 'lit', {
  body: await collectResult(renderLit(html`<text-page .text=${texts['lit-rendered']}></text-page>`)),
})
write('lit-shell', 'bundle', 'lit', { body: '<text-page></text-page>' })
