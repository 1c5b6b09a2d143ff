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
  [
    'YARD',
    'YARD 0.9.28',
    `<div id="main"><div id="header"><div id="menu">${MENU}</div></div><div id="content"><h1 id="_top">Ebb</h1><p>The tide falls.</p><h2 id="flow">Flow <small><a href="#" class="summary_toggle">collapse</a></small></h2>
     <p>It rises.</p></div><div id="footer">${MORE}</div></div>`,
  ],
  [
    'ExDoc',
    'ExDoc v0.34.1',
    `<nav class="sidebar">${MENU}</nav><main class="content"><div id="content" class="content-inner"><div class="top-search">Search</div>
     <h1 id="_top"><a href="/source" title="View Source" class="icon-action" rel="help"><span class="sr-only">View Source</span></a><span>Ebb</span></h1><p>The tide falls.</p>
     <h2 id="flow" class="section-heading"><a href="#flow" class="hover-link"><i class="ri-link-m"></i></a><span class="text">Flow</span></h2><p>It rises.</p>
     <div class="bottom-actions"><a rel="prev" href="/b"><span>Previous page</span></a></div></div></main>`,
  ],
  [
    'Antora',
    'Antora 3.1.7',
    `<aside class="nav">${MENU}</aside><main class="article"><div class="toolbar" role="navigation">${MENU}</div><div class="content"><aside class="toc sidebar"><h3>On this page</h3></aside>
     <article class="doc">${TEXT}<nav class="pagination">${MENU}</nav></article></div></main>`,
  ],
  [
    'DocFX',
    'docfx 2.59.4.0',
    `<div role="main"><div class="sidenav"><a href="#sidetoggle">Show / Hide Table of Contents</a></div><div class="article row"><article class="content wrap" id="_content">${TEXT}</article>
     <div role="complementary"><a class="contribution-link" href="/edit">Improve this document</a></div></div></div>`,
  ],
  [
    'Crystal',
    'Crystal Docs 1.6.0',
    `<div class="sidebar"><div class="types-list"><ul><li>${MENU}</li></ul></div></div><div class="main-content">${TEXT}</div>`,
  ],
  [
    'odoc',
    'odoc 2.1.1',
    `<nav class="odoc-nav">${MENU}</nav><header class="odoc-preamble"><h1>Ebb</h1><p>The tide falls.</p></header><nav class="odoc-toc"><ul><li><a href="#flow">Flow</a></li></ul></nav>
     <div class="odoc-content"><div class="odoc-spec"><div class="spec module" id="flow"><a href="#flow" class="anchor"></a><a href="flow.ml.html" class="source_link">Source</a><code><a href="/flow">Flow</a></code></div>
     <div class="spec-doc"><p>It rises.</p></div></div></div>`,
  ],
  [
    'Quarto',
    'quarto-1.4.550',
    `<nav id="quarto-sidebar">${MENU}</nav><main class="content" id="quarto-document-content"><header id="title-block-header"><h1 class="title">Ebb</h1></header><p>The tide falls.</p>
     <section id="flow" class="level2"><h2>Flow</h2><p>It rises.</p></section></main><nav class="page-navigation">${MENU}</nav>`,
  ],
  [
    'bookdown',
    'bookdown 0.44 and GitBook 2.6.7',
    `<div class="book-summary"><nav>${MENU}</nav></div><div class="book-header" role="navigation"><h1><a href="./">Tides</a></h1></div>
     <div class="page-wrapper" role="main"><section class="normal" id="section-">${TEXT}</section></div>`,
  ],
]

/** Pages of generators that name themselves in a comment, or nowhere. */
const UNNAMED: readonly (readonly [generator: string, page: string])[] = [
  [
    'a README',
    `<nav>${MENU}</nav><main><div class="Layout-sidebar">${MENU}</div><article class="markdown-body entry-content container-lg" itemprop="text">${TEXT.replace('<h2', '<a class="anchor" href="#flow"></a><h2')}</article></main><footer>${MENU}</footer>`,
  ],
  [
    'Nextra, by the target of the link that skips the menus',
    `<aside>${MENU}</aside><nav class="nextra-toc"><a href="#flow">Flow</a></nav><article><div class="nextra-breadcrumb">Ebb</div><div id="nextra-skip-nav"></div><main>${TEXT}</main></article>`,
  ],
  [
    'Erlang/OTP, by its style sheet',
    `<head><link rel="stylesheet" href="../../../../doc/otp_doc.css" type="text/css"></head><aside id="leftnav">${MENU}</aside><div id="content"><div class="innertube"><center><h1>Ebb</h1></center></div>
     <p>The tide falls.</p><h3 id="flow" class="title-link"><div class="title-name">Flow</div><div class="title-anchors"><a href="/edit" title="Fix it by clicking here!"><span class="pencil-after"></span></a></div></h3>
     <div class="REFBODY"><p>It rises.</p></div><div class="footer"><p>Copyright</p></div></div>`,
  ],
  [
    'gi-docgen, by the script of its search',
    `<head><script src="fzy.js"></script></head><div id="body-wrapper"><nav class="sidebar">${MENU}</nav><section id="main" class="content"><header><h1>Ebb</h1></header><section><div class="docblock"><p>The tide falls.</p></div>
     <h4>Flow</h4><table><tr><td>It rises.</td></tr></table></section></section><section id="toc"><a href="#flow">Flow</a></section><footer><p>Copyright</p></footer></div>`,
  ],
  [
    'Valadoc, by the link to its site',
    `<div class="site_header">Tides Reference Manual</div><div class="site_body"><div class="site_navigation">${MENU}</div><div class="site_content"><h1 class="main_title">Ebb</h1><div class="main_code_definition">The tide falls.</div>
     <h3>Flow</h3><ul class="navi_inline"><li class="method"><span class="leaf_code_definition">It rises.</span></li></ul></div></div><div class="site_footer">Generated by <a href="https://wiki.gnome.org/Projects/Valadoc"><kbd>valadoc</kbd></a></div>`,
  ],
  [
    'Nim',
    `<!--  This file is generated by Nim. --><div class="document" id="documentId"><h1 class="title">Ebb</h1><div class="three columns"><div id="global-links">${MENU}</div></div>
     <div class="nine columns" id="content"><p>The tide falls.</p><h1><a class="toc-backref" href="#6">Flow</a></h1><p>It rises.</p><a href="/source" class="link-seesrc">Source</a></div><div class="footer"><small>Made with Nim.</small></div></div>`,
  ],
  [
    'pkgdown 1',
    `<!-- Generated by pkgdown: do not edit by hand --><header><div class="navbar">${MENU}</div></header><div class="col-md-9 contents">${TEXT}</div><div class="col-md-3" id="pkgdown-sidebar"><h2>Contents</h2></div>`,
  ],
  [
    'Javadoc 8',
    `<!-- Generated by javadoc (1.8.0_72) on Thu Mar 03 2016 --><div class="topNav"><ul class="navList"><li>${MENU}</li></ul></div><div class="subNav"><div>Summary: Nested</div></div><div class="header"><h2 class="title">Ebb</h2></div>
     <div class="contentContainer"><p>The tide falls.</p><ul class="blockList"><li class="blockList"><h3>Flow</h3><p>It rises.</p></li></ul></div><div class="bottomNav">${MENU}</div><div class="subNav"><div>Summary: Nested</div></div>`,
  ],
  [
    'Scaladoc, by the filter of members',
    `<div id="definition"><h1>Ebb</h1><h3><span class="morelinks">Related Doc: <a href="/a">package sea</a></span></h3><span class="permalink"><a href="/p">Permalink</a></span></div>
     <div id="comment" class="fullcommenttop"><div class="comment cmt"><p>The tide falls.</p></div></div><div id="mbrsel"><ol><li><span>Alphabetic</span></li></ol></div>
     <div id="template"><h3>Flow</h3><ol><li><p class="shortcomment cmt">It rises.</p><div class="fullcomment"><p>It rises.</p></div></li></ol>
     <div id="inheritedMembers"><div class="parent"><h3>Inherited from Any</h3></div></div></div><div id="footer">Copyright</div>`,
  ],
  [
    'QDoc, by the header of Qt’s pages',
    `<div class="header" id="qtdocheader"><div class="main"><div class="navigationbar"><ul><li>${MENU}</li></ul></div></div><div class="content"><div class="line"><div class="content mainContent">
     <p class="naviNextPrevious headerNavi"><a href="/b">Elsewhere</a></p><div class="sidebar"><div class="toc"><h3><a name="toc">Contents</a></h3><ul><li><a href="#flow">Flow</a></li></ul></div></div>
     <h1 class="title">Ebb</h1><ul><li><a href="/f">The tide falls.</a></li></ul><table><tr><td><a href="/flow">Flow</a></td><td>It rises.</td></tr></table></div></div></div></div><div class="footer"><p>© 2020</p></div>`,
  ],
  [
    'fpdoc, by its style sheet',
    `<head><link rel="stylesheet" href="../fpdoc.css" type="text/css"></head><table class="bar"><tr><td>[${MENU}]</td></tr></table><h1>Ebb</h1><p>The tide falls.</p>
     <table><tr><td><p><a href="/flow">Flow</a></p></td><td><p class="cmt">It rises.</p></td></tr></table>`,
  ],
  [
    'Scribble, by its script',
    `<head><script src="../scribble-common.js"></script></head><div class="tocset"><div class="tocview">${MENU}</div></div><div class="maincolumn"><div class="main"><div class="versionbox"><span class="version">8.7</span></div>
     <div class="navsettop">${MENU}</div><h2>Ebb</h2><p>The tide falls.</p><table class="RBibliography"><tr><td><p>Flow</p></td><td><p>It rises.</p></td></tr></table><div class="navsetbottom">${MENU}</div></div></div>`,
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

  it.each(UNNAMED)('has its text alone: %s', (_, page) => {
    expect(textIn(extractHtml(page, { onlyMainContent: true }))).toBe('Ebb The tide falls. Flow It rises.')
  })
})

describe('the description of a web service that is drawn in the browser', () => {
  it.each([
    [
      'Swagger UI',
      `<div id="swagger-ui"><div class="swagger-ui"><div class="topbar"><button>Explore</button></div><div class="info"><h1>Harbour</h1></div><main><h3><a href="#/Tides">Tides</a><button class="expand-operation">Collapse</button></h3>
       <button class="opblock-summary-control"><span>GET</span><div><a href="#/Tides/get"><span>/tides</span></a></div></button><div class="copy-to-clipboard"><button>Copy</button></div><h4><button><span>Schemas</span></button></h4><button><strong>Tide</strong></button></main></div></div>`,
      'Harbour Tides GET /tides Schemas Tide',
    ],
    [
      'Redoc',
      `<redoc><div class="sc-a redoc-wrap"><div class="menu-content"><ul role="menu"><li>Tides</li></ul></div><div class="api-content"><h1>Harbour</h1><button><strong>200</strong><div><p>The tides.</p></div></button><button>Expand all</button></div></div></redoc>`,
      'Harbour 200 The tides.',
    ],
    [
      'Scalar',
      `<div class="scalar-app"><h1>How can I help you?</h1><aside>Search</aside><main class="references-rendered"><header class="api-reference-toolbar">Configure</header><section><h1>Harbour</h1><ul><li><button><span>port</span><span class="screenreader-only">Copy link to port</span></button><p>Its code.</p></li></ul></section></main></div><div role="dialog"><main>GET</main></div>`,
      'Harbour Its code.',
    ],
    [
      'RapiDoc',
      `<rapi-doc spec-url="/openapi.json"><nav class="nav-bar">Tides</nav><main><section><h2>Tides</h2><p>Each hour.</p></section></main></rapi-doc>`,
      'Tides Each hour.',
    ],
    [
      'Stoplight Elements',
      `<elements-api><div class="sl-elements-api"><div><a href="#/tides">Tides</a></div><div><div class="HttpService"><h1>Harbour</h1><p>Tide tables.</p></div></div></div></elements-api>`,
      'Harbour Tide tables.',
    ],
  ])('has its operations, and not its controls: %s', (_, page, expected) => {
    expect(textIn(extractHtml(page, { onlyMainContent: true }))).toBe(expected)
  })
})

describe('a page about such a description', () => {
  it.each([
    '<div class="swagger-ui">',
    '<div class="a redoc-wrap">',
    '<main class="references-rendered">',
    '<rapi-doc>',
    'sl-elements-api',
  ])('is judged as a page of any site: %s', (sign) => {
    const prose = 'The tide rises and falls twice a day, and every harbour has its own table of it. '.repeat(4)
    const page = `<script>const example = '${sign}'</script><nav>${MENU}</nav><article><h1>Ebb</h1><p>${prose}</p></article><div class="related"><ul><li><a href="/a">Elsewhere</a></li><li><a href="/b">Nowhere</a></li></ul></div>`
    expect(textIn(extractHtml(page, { onlyMainContent: true }))).toBe(`Ebb ${prose.trim()}`)
  })
})

describe('a paper that LaTeXML wrote', () => {
  const table =
    '<figure><figcaption>Table 1: Tides.</figcaption><table><tr><td>Ebb</td><td>6</td></tr></table></figure>'
  const bar = `<nav>${MENU}</nav><div class="package-alerts ltx_document">Not all packages are supported</div>`
  const page = (element: string): string =>
    `<div class="ltx_page_main"><div class="ltx_page_content">${bar}<${element} class="ltx_document">${TEXT}${table}</${element}></div></div>`

  it('is read whole, without what the site puts around it', () => {
    const text = 'Ebb The tide falls. Flow It rises. Table 1: Tides. Ebb 6'
    expect(textIn(extractHtml(page('article'), { onlyMainContent: true }))).toBe(text)
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
