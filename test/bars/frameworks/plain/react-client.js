import { InMemoryCache, gql } from '@apollo/client'
import { createElement as h } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { Article, Dashboard, Fetched, Skeleton } from './react-parts.js'
import texts from './texts.json'

const { page, mode } = document.documentElement.dataset
const root = document.querySelector('#root')
const text = texts[page]

const readCache = () => {
  const cache = new InMemoryCache().restore(globalThis['__APOLLO_STATE__'])
  return cache.readQuery({
    query: gql`
      {
        post(slug: "react-apollo") {
          title
          body
        }
      }
    `,
  }).post
}

const start = {
  bundle: () => createRoot(root).render(h(Article, { text })),
  hydrate: () => hydrateRoot(root, h(Article, { text })),
  fetch: () => createRoot(root).render(h(Fetched, { page, waiting: h('p', null, 'Loading…') })),
  skeleton: () => createRoot(root).render(h(Fetched, { page, waiting: h(Skeleton) })),
  dashboard: () => createRoot(root).render(h(Fetched, { page, shape: Dashboard, waiting: null })),
  comments: () => createRoot(document.querySelector('#comments')).render(h('p', null, 'Nobody has said a thing yet.')),
  hash: () => location.hash === '#/about' && createRoot(root).render(h(Article, { text })),
  apollo: () => {
    const { title, body } = readCache()
    createRoot(root).render(h(Article, { text: { title, sentences: body.split('\n\n') } }))
  },
  state: () => {
    const { title, content } = globalThis['__PRELOADED_STATE__'].posts.entities[7]
    createRoot(root).render(
      h('main', null, h('h1', null, title), h('div', { dangerouslySetInnerHTML: { __html: content } })),
    )
  },
  linked: () => {
    const { headline, articleBody } = JSON.parse(document.querySelector('script[type="application/ld+json"]').text)
    createRoot(root).render(h(Article, { text: { title: headline, sentences: articleBody.split('\n') } }))
  },
  nothing: () => undefined,
}
start[mode]()
