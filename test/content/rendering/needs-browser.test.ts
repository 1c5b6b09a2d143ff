import { describe, expect, it, vi } from 'vitest'
import { detectChallenge } from '../../../src/content/challenge/detect-challenge.js'
import { needsBrowser } from '../../../src/content/rendering/needs-browser.js'
import {
  hasMoreText,
  isLoadingPlaceholder,
  scanPageText,
  scanPageTextInParts,
} from '../../../src/content/rendering/scan-page-text.js'
import { TextScanner } from '../../../src/content/rendering/text-scanner.js'

const bytes = (html: string): Uint8Array => new TextEncoder().encode(html)
const ask = (html: string, more: { contentType?: string; statusCode?: number } = {}): string | undefined =>
  needsBrowser({ body: bytes(html), contentType: 'text/html; charset=utf-8', statusCode: 200, ...more })

const words = 'Some words that are in the page as the server sent it, with more of them to follow.'
const nav = '<header><nav><a href="/">Home</a> <a href="/shop">Everything in our shop</a></nav></header>'
const footer = '<footer>Address, imprint, and all that is said on the last lines of every page</footer>'

/** Pages as the templates of their frameworks make them, before any script has run. */
const shells: readonly (readonly [what: string, html: string])[] = [
  [
    'Create React App',
    '<!doctype html><html><head><script defer src="/static/js/main.js"></script></head><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div></body></html>',
  ],
  [
    'Vite',
    '<!doctype html><html><head><script type="module" crossorigin src="/assets/index.js"></script></head><body><div id="app"></div></body></html>',
  ],
  [
    'Angular',
    '<!doctype html><html><head><base href="/"></head><body><app-root></app-root><script src="main.js" type="module"></script></body></html>',
  ],
  [
    'Next.js without rendering',
    '<!doctype html><html><head></head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script><script src="/_next/static/chunks/main.js" defer></script></body></html>',
  ],
  [
    'Nuxt without rendering',
    '<!doctype html><html><body><div id="__nuxt"></div><script type="module" src="/_nuxt/entry.js"></script></body></html>',
  ],
  [
    'a spinner in place of the page',
    '<body><div id="root"><div class="spinner"><svg><circle/></svg><p>Loading…</p></div></div><script src="a.js"></script></body>',
  ],
  ['a text that says that it is loading', '<body><p>Wird geladen …</p><script src="a.js"></script></body>'],
  [
    'navigation and a footer around an empty `main`',
    `<body>${nav}<main id="content"></main>${footer}<script src="a.js"></script></body>`,
  ],
  [
    'nothing but a custom element',
    '<body><shop-app></shop-app><script type="module">import "./shop.js"</script></body>',
  ],
  ['a note in the text', '<body><p>Please enable JavaScript to view this page.</p><script src="a.js"></script></body>'],
  [
    'a note in another language',
    '<body><p>Bitte aktivieren Sie JavaScript in Ihrem Browser.</p><script src="a.js"></script></body>',
  ],
  ['only scripts', '<body><script>document.write(atob("eA=="))</script></body>'],
  [
    'skeletons',
    '<body><div class="card skeleton"></div><div class="card skeleton"></div><div class="card skeleton"></div><h1>News</h1><script src="a.js"></script></body>',
  ],
  [
    'a part that is left to the browser',
    `<body>${nav}<main><template data-dgst="BAILOUT_TO_CLIENT_SIDE_RENDERING"></template><p>One moment</p></main><script src="a.js"></script></body>`,
  ],
  [
    'a part that React left to the browser',
    `<body>${nav}<!--$!--><template data-dgst=""></template><p>Loading</p><!--/$-->${footer}<script src="a.js"></script></body>`,
  ],
  [
    'a long note on cookies beside an empty place',
    `<body><div id="root"></div><div class="site cookie-banner">${`<p>${words}</p>`.repeat(9)}</div><script src="a.js"></script></body>`,
  ],
  [
    'a long note for those without scripts',
    `<body><noscript><p>Please enable JavaScript.</p>${`<p>${words}</p>`.repeat(9)}</noscript><div id="root"></div><script src="a.js"></script></body>`,
  ],
  [
    'an unknown place, empty, beside a title',
    '<body><h1>Inventory</h1><div id="table-place"></div><script src="a.js"></script></body>',
  ],
  [
    'a script that leads to another version of a manual',
    '<head><title>Redirecting</title><script>window.location.replace("latest/" + window.location.hash)</script></head><body>Redirecting to <a href="latest/">latest</a>…</body>',
  ],
  [
    'a refresh for those without scripts, beside an unknown script',
    '<head><noscript><meta http-equiv="refresh" content="1; url=latest/"></noscript><script src="go.js"></script></head><body>Moved</body>',
  ],
  [
    'pictures without a word, beside a script',
    '<main><img src="a.jpg"><img src="b.jpg"></main><script src="a.js"></script>',
  ],
  ['a field without a word, beside a script', '<input name="q" placeholder="Search"><script src="a.js"></script>'],
  ['a menu and a script', `<body>${nav}<div></div><script src="a.js"></script></body>`],
  [
    'a menu, a hidden field and a script',
    `<body>${nav}<input type="hidden" name="t" value="1"><script src="a.js"></script></body>`,
  ],
  [
    'a mount point with what nobody sees',
    '<div id="app"><input type=hidden><img width="1" height="1" src="p.gif"><button hidden>x</button></div><script src="a.js"></script><p>Pier</p>',
  ],
  [
    'a hidden field beside a placeholder',
    '<body><p>Loading…</p><input type="hidden" name="t"><script src="a.js"></script></body>',
  ],
]

/** What leads on, in a page with a word of text. */
const leads = [
  'location.reload()',
  'window.location.reload(true)',
  'history.go(0)',
  'location="/x"',
  'top.location.href = "/x"',
  "location['href'] = '/x'",
  'location.search = "?go=1"',
  'document.location.replace("/x")',
  'navigation.navigate("/x")',
  'window.open("/x", "_self")',
  'document.forms[0].submit()',
  'document.getElementById("f").requestSubmit()',
  'HTMLFormElement.prototype.submit.call(document.forms[0])',
  "$('form').submit();",
  '$("#f").trigger("submit")',
  'document.querySelector("[type=submit]").click()',
  'document.forms[0]["submit"]()',
  'document.links[0].dispatchEvent(new MouseEvent("click"))',
]

/** What does not, in a page with few words and a form. */
const stays = [
  'if (location == "/x" || location.href === "/y") log()',
  "$('form').submit(function () { log() })",
  "document.links[0].addEventListener('click', log)",
  '$("a").click((event) => log(event))',
  'var relocation = "/x"',
  'track("page")',
]

/** Handlers that run without a visitor. */
const handlers = [
  `<body onload="document.body.insertAdjacentHTML('beforeend', '<p>more</p>')">`,
  `<body onpageshow='render()'>`,
  `<svg onload="render()"></svg>`,
  `<svg><image href="/x" onerror="render()"/></svg>`,
  `<svg><animate attributeName="x" dur="1s" onbegin="render()"></svg>`,
  '<img src=/none.png onerror=render()>',
  '<img src="/dot.png" ONLOAD = "render()">',
  '<link rel="stylesheet" href="/a.css" onload="render()">',
  '<style onload="render()">p {}</style>',
  '<iframe src="/x" onload="location=&#39;/x&#39;"></iframe>',
  '<object data="/x" onerror="render()"></object>',
  '<video src="/x" onerror="render()"></video>',
  '<input autofocus onfocus="render()">',
  '<details open ontoggle="render()"></details>',
]

/** Pages that have what they have to say in them. */
const whole: readonly (readonly [what: string, html: string])[] = [
  ['no scripts', '<body><div id="root"></div></body>'],
  [
    'a few words and statistics',
    '<body><h1>Thank you</h1><p>We will write.</p><script src="https://stats.test/a.js"></script><script>track("page")</script></body>',
  ],
  [
    'a page that was rendered, and is hydrated',
    `<body><div id="root">${nav}<main><p>${words}</p></main></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ a: words.repeat(900) })}</script><script src="a.js"></script></body>`,
  ],
  [
    'empty places for pop-ups beside a text',
    `<body><main><p>${words}</p><p>${words}</p></main><div id="modal-root"></div><div id="fb-root"></div><script src="a.js"></script></body>`,
  ],
  [
    'a note for those without scripts, and the text',
    `<body><noscript>JavaScript is disabled on your browser.</noscript><main><h1>Uses of Class X</h1>No usage of X</main><script src="a.js"></script></body>`,
  ],
  [
    'a note for those without scripts, and a short list of links',
    `<body><noscript>JavaScript is disabled on your browser.</noscript><main><h1>Module x</h1><section id="services"><h2>Services</h2><a href="Provider.html">Provider</a></section></main><script src="a.js"></script></body>`,
  ],
  [
    'a text about JavaScript',
    `<body><main><h1>The JavaScript client</h1><p>For browsers.</p></main><script src="a.js"></script></body>`,
  ],
  [
    'a whole page for those without scripts, as Discourse has it',
    `<body><section id="d-splash"></section><discourse-assets></discourse-assets><noscript><div id="main-outlet">${`<p>${words}</p>`.repeat(9)}</div><p>Best viewed with JavaScript enabled</p></noscript><script src="a.js"></script></body>`,
  ],
  [
    'a shadow tree in its HTML',
    `<body><my-page><template shadowrootmode="open"><h1>Shown</h1><p>${words}</p></template></my-page><script src="a.js"></script></body>`,
  ],
  ['only pictures, and nothing that runs', '<body><main><img src="a.jpg"><img src="b.jpg"></main></body>'],
  [
    'pictures below a menu, and scripts',
    `<body>${nav}<img src="a.jpg"><img src="b.jpg"><script src="a.js"></script></body>`,
  ],
  [
    'handlers of images and style sheets that do nothing else',
    `<link rel="preload" as="style" href="/a.css" onload="this.onload=null;this.rel='stylesheet'"><div id="place"></div><img src="a.jpg" onerror="this.src='b.jpg'"><p>A pier.</p>`,
  ],
  [
    'handlers that wait for a visitor',
    '<div id="place"></div><p>A pier.</p><input onfocus="render()"><details ontoggle="render()"></details><button onclick="document.forms[0].submit()">Go</button>',
  ],
  [
    'handlers that nobody runs',
    '<!-- <body onload="render()"> --><noscript><img onload="render()"></noscript><template><img onload="render()"></template><div id="place"></div>A pier.',
  ],
  [
    'a form',
    '<body><main><form><input name="q"><button>Search</button></form></main><script src="a.js"></script></body>',
  ],
  [
    'buttons that lead to pages',
    `<body><h1>Choose</h1><button onclick="location.href='/a'">A</button><script>if (location.protocol == 'http:') log()</script></body>`,
  ],
  ['an empty page', ''],
]

describe('needsBrowser', () => {
  it.each(shells)('finds that a page needs a browser: %s', (_what, html) => expect(ask(html)).toBeTypeOf('string'))
  it.each(whole)('finds that a page needs no browser: %s', (_what, html) => expect(ask(html)).toBeUndefined())

  it.each(leads)('finds that a small page leads on: %s', (code) => {
    const form = '<form id="f" method="post" action="/x"><input type="hidden" name="a" value="1"></form>'
    for (const run of [
      `<script>${code}</script>`,
      `<script>onload = () => { ${code} }</script>`,
      `<body onload='${code.replaceAll("'", '&#39;')}'>`,
    ])
      expect(ask(`${form}<p>Wait here</p>${run}`)).toMatch(/leads to another page/)
    // A sentence explains what the page does; code that waits for a visitor is not run.
    expect(ask(`${form}<p>${words}</p><script>${code}</script>`)).toMatch(/leads to another page/)
    expect(ask(`${form}<p>${words}</p><script>function go() { ${code} }</script>`)).toBeUndefined()
    expect(
      ask(
        `${form}<p>Wait here</p><button onclick='${code.replaceAll("'", '&#39;')}'>Go</button><script>log()</script>`,
      ),
    ).toBeUndefined()
    expect(
      ask(`${form}<p>Wait here</p><script type="text/template">${code}</script><script>log()</script>`),
    ).toBeUndefined()
  })

  it.each(stays)('finds that a small page stays where it is: %s', (code) =>
    expect(ask(`<form action="/x"><input name="q"></form><p>Thank you</p><script>${code}</script>`)).toBeUndefined(),
  )

  it.each(handlers)('finds that a page without text needs a browser: %s', (html) => {
    expect(ask(html)).toBe('there is no text outside its scripts')
    expect(ask(`${html}<div id="app"></div>Pier`)).toContain('#app')
  })

  it('finds that an error page needs no browser', () => {
    const shell = shells[0]?.[1] ?? ''
    expect(ask(shell, { statusCode: 404 })).toBeTypeOf('string')
    for (const statusCode of [401, 403, 429, 500, 503]) expect(ask(shell, { statusCode })).toBeUndefined()
  })

  it.each([
    '<script src="a.js"/>',
    '<script async/><style/>',
    "<svg class='x' />",
    '<script src=/a/></script>',
    '<title/>',
  ])('finds that a page with text after %s needs no browser', (tags) => {
    const page = `<html xmlns="http://www.w3.org/1999/xhtml"><head>${tags}<script src="b.js"></script></head><body><p>${words.repeat(10)}</p></body></html>`
    expect(ask(page, { contentType: 'application/xhtml+xml' })).toBeUndefined()
  })

  it('finds that a file of another type needs no browser', () => {
    const shell = shells[0]?.[1] ?? ''
    expect(ask(shell, { contentType: 'text/plain' })).toBeUndefined()
    expect(needsBrowser({ body: bytes(shell), statusCode: 200 })).toBeTypeOf('string')
    expect(needsBrowser({ body: bytes('just text'), statusCode: 200 })).toBeUndefined()
  })
})

describe('reading the text of a page', () => {
  it('counts the page’s own text, and the text of its frame separately', () => {
    const text = scanPageText(
      bytes(`<title>no</title><style>no</style>${nav}<p>own &nbsp; text</p><!-- no --><script>no</script>`),
    )
    expect(text).toMatchObject({ ownLength: 'own text'.length, scripts: 1, scriptBytes: 2 })
    expect(text.boilerplateLength).toBe('HomeEverything in our shop'.length)
  })

  it.each([
    ['open tags', '<div '.repeat(200_000)],
    ['open elements', '<div>'.repeat(200_000)],
    ['end tags', '</div>'.repeat(200_000)],
    ['comments', '<!--'.repeat(200_000)],
    ['scripts', '<script>'.repeat(200_000)],
    ['quotes', `<a b="${'x'.repeat(500_000)}`],
    ['signs', '<'.repeat(500_000)],
    ['handlers', '<img onerror='.repeat(100_000)],
    ['quotes of handlers', `<img ${' onerror="x()'.repeat(1_000)}>`.repeat(100)],
    ['empty elements with ids', '<div id="a"></div>'.repeat(100_000)],
  ])('scans a hostile page in linear time: %s', (_what, html) => {
    const startedAtMs = performance.now()
    ask(html)
    // A busy machine takes tens of milliseconds; quadratic time would be minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(5_000)
  })

  it('recognizes a page that shows no more than a placeholder', () => {
    const script = '<script src="a.js"></script>'
    expect(isLoadingPlaceholder(bytes(`<nav>Home and Garden</nav><p>Loading…</p>${script}`))).toBe(true)
    expect(isLoadingPlaceholder(bytes(`<p>Loading…</p>`))).toBe(false)
    expect(isLoadingPlaceholder(bytes(`<p>${words}</p>${script}`))).toBe(false)
    expect(isLoadingPlaceholder(bytes(`<img src="a.png">${script}`))).toBe(false)
  })

  it.each([
    ['a short page', `<main><p>${words}</p></main>`],
    ['as many pieces as one part has', '<b>'.repeat(500)],
    ['many pieces', '<div id="a"></div><p>word</p>'.repeat(20_000)],
    ['a long text', `<nav>${words.repeat(9000)}</nav><main></main>`],
  ])('finds the same in parts as at once: %s', async (_what, html) => {
    const [atOnce, inParts] = [bytes(html), bytes(html)]
    for (const enough of [100, Infinity]) {
      await scanPageTextInParts(inParts, enough)
      const found = scanPageText(inParts, enough)
      expect(found).toEqual(scanPageText(atOnce, enough))
      expect(scanPageText(inParts, enough)).toBe(found)
    }
  })

  it.each([
    ['in upper case', '<DIV ID="a"></DIV><NAV>menu</NAV><SCRIPT>1</SCRIPT><IMG><A>text</A>'],
    ['with a slash', '<div id="a"/></div/><nav/>menu</nav/><script/>1</script/><img/><a/>text</a/>'],
    ['with lines', '<div\nid="a"></div\t><nav\f>menu</nav\r><script\n>1</script\n><img\n><a\n>text</a\n>'],
    ['with other space', '<div\u00A0id="a"></div\u2003><nav\uFEFF>menu</nav><script>1</script><img\u3000><a>text</a>'],
  ])('knows elements by their names: %s', (_what, html) => {
    const counts = { ownLength: 4, boilerplateLength: 4, media: 1, scripts: 1, emptyElements: ['#a'] }
    expect(scanPageText(bytes(`${html}<naw></naw><scripts></scripts><imgé>`))).toMatchObject(counts)
  })

  it('compares the text of two pages', () => {
    expect(hasMoreText(bytes(`<p>${words}</p>`), bytes('<p></p>'))).toBe(true)
    expect(hasMoreText(bytes(`<p>${words}</p>`), bytes(`<p>${words}</p>`))).toBe(false)
    expect(hasMoreText(bytes('<p></p>'), bytes(`<p>${words}</p>`))).toBe(false)
    const note = `<div class="cookie-note">${words.repeat(9)}</div>`
    expect(hasMoreText(bytes(`<p>${words}</p>`), bytes(`${note}<p></p>`))).toBe(true)
    expect(hasMoreText(bytes(`${note}<p></p>`), bytes(`<p>${words}</p>`))).toBe(false)
  })

  it('scans a page once for both questions: does it need a browser, and is it a challenge', () => {
    const scan = vi.spyOn(TextScanner.prototype, 'scan')
    const page = { url: 'https://site.test/', headers: {}, contentType: 'text/html', statusCode: 200 }
    const answer = { ...page, body: bytes(`<div id="root"></div><script src="/app.js"></script>`) }
    expect(needsBrowser(answer)).toContain('#root')
    expect(detectChallenge(answer)).toBeUndefined()
    expect(hasMoreText(answer.body, answer.body)).toBe(false)
    expect(scan).toHaveBeenCalledTimes(1)
    expect(scanPageText(answer.body)).toMatchObject({ emptyElements: ['#root'], scripts: 1 })
    scan.mockRestore()
  })
})
