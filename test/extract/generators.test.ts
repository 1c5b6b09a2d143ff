import { describe, expect, it } from 'vitest'
import { extractHtml, textIn } from './contents.js'

const TEXT = '<h1 id="_top">Ebb</h1><p>The tide falls.</p><h2 id="flow">Flow</h2><p>It rises.</p>'
const MENU = '<a href="/a">Elsewhere</a> <a href="/b">Nowhere</a>'
const MORE = '<p>Edit this page</p><a href="/b">Next page Nowhere</a>'

/** A page of a documentation generator, shortened to its elements and names, with a menu and links around its text. */
const PAGES: readonly (readonly [generator: string, head: string, body: string])[] = [
  [
    'Docusaurus',
    'Docusaurus v3.10.2',
    `<aside class="theme-doc-sidebar-container"><nav class="menu">${MENU}</nav></aside><main><article><nav class="theme-doc-breadcrumbs">${MENU}</nav>
     <div class="theme-doc-markdown markdown">${TEXT}</div><footer>${MORE}</footer></article><div class="table-of-contents"><a href="#flow">Flow</a></div></main>`,
  ],
  [
    'VitePress',
    'VitePress v1.6.4',
    `<aside class="VPSidebar">${MENU}</aside><main class="main"><div class="vp-doc _x"><div>${TEXT}</div></div></main><footer class="VPDocFooter">${MORE}</footer>`,
  ],
  [
    'VuePress',
    'VuePress 2.0.0-rc.31',
    `<aside class="vp-sidebar">${MENU}</aside><main class="vp-page"><div vp-content><div id="content">${TEXT}</div></div><footer>${MORE}</footer></main>`,
  ],
  [
    'VuePress 1',
    'VuePress 1.9.10',
    `<aside class="sidebar">${MENU}</aside><main class="page"><div class="theme-default-content content__default">${TEXT}</div><footer class="page-edit">${MORE}</footer></main>`,
  ],
  [
    'Starlight',
    'Starlight v0.42.4',
    `<nav class="sidebar">${MENU}</nav><main><div class="content-panel"><h1 id="_top">Ebb</h1></div><div class="content-panel"><div class="sl-markdown-content"><p>The tide falls.</p>
     <div class="sl-heading-wrapper"><h2 id="flow">Flow</h2><a class="sl-anchor-link" href="#flow"><span class="sr-only">Section titled “Flow”</span></a></div><p>It rises.</p></div>
     <footer>${MORE}</footer></div></main>`,
  ],
  [
    'Rspress',
    'Rspress v2.0.22',
    `<aside class="rp-doc-layout__sidebar">${MENU}</aside><main><div class="rp-doc rspress-doc">${TEXT}</div><footer>${MORE}</footer></main>`,
  ],
  [
    'HonKit',
    'HonKit 6.1.7',
    `<div class="book-summary"><nav>${MENU}</nav></div><div class="page-wrapper" role="main"><div id="book-search-results"><div class="search-noresults"><section class="normal markdown-section">${TEXT}</section></div>
     <div class="search-results"><div class="has-results"><h1 class="search-results-title"> results matching ""</h1></div></div></div></div>`,
  ],
  [
    'GitBook',
    'GitBook 3.2.3',
    `<div class="book-summary">${MENU}</div><section class="normal markdown-section">${TEXT}</section>`,
  ],
  [
    'Material for MkDocs',
    'mkdocs-1.4.2, mkdocs-material-8.2.5',
    `<nav>${MENU}</nav><main><article class="md-content__inner"><a href="/edit" title="Edit this page" class="md-content__button md-icon">Edit this page</a>${TEXT}</article></main><footer>${MORE}</footer>`,
  ],
]

const contentOf = (generator: string, body: string): string =>
  textIn(
    extractHtml(`<html><head><meta name="generator" content="${generator}"></head><body>${body}</body></html>`, {
      onlyMainContent: true,
    }),
  )

describe('a short page of a documentation generator', () => {
  it.each(PAGES)('has its text alone, with its title: %s', (_, generator, body) => {
    expect(contentOf(generator, body)).toBe('Ebb The tide falls. Flow It rises.')
  })

  it('of Nextra, which names itself nowhere', () => {
    const body = `<aside>${MENU}</aside><nav class="nextra-toc"><a href="#flow">Flow</a></nav><article><div class="nextra-breadcrumb">Ebb</div><div id="nextra-skip-nav"></div><main>${TEXT}</main></article>`
    expect(contentOf('', body)).toBe('Ebb The tide falls. Flow It rises.')
  })
})

describe('another page of such a site', () => {
  const hero = '<h1>Harbour</h1><p>Tide tables for every harbour of the coast, on paper and by radio.</p>'

  it.each([
    [
      'VitePress',
      `<div class="VPHome"><div class="VPHero">${hero}</div><div class="vp-doc"><p>${hero}</p></div></div>`,
    ],
    ['Docusaurus', `<main><div class="hero">${hero}</div></main>`],
    ['GitBook (28f7fba)', `<main><header>${hero}</header></main>`],
  ])('is judged as a page of any site: %s', (generator, body) => {
    expect(contentOf(generator, body)).toMatch(/^Harbour Tide tables/)
  })
})

describe('a box in the text of documentation', () => {
  it.each(['note', 'tip', 'caution', 'danger'])('is kept, whatever its kind: %s', (kind) => {
    const box = `<aside class="starlight-aside starlight-aside--${kind}"><p>Mind the gap</p></aside>`
    expect(contentOf('Starlight v0.42.4', `<main><h1>Ebb</h1><p>The tide falls.</p>${box}</main>`)).toBe(
      'Ebb The tide falls. Mind the gap',
    )
  })
})
