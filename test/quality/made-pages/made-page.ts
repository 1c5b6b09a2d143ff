/** A page made for the test of main content. */
export interface MadePage {
  readonly name: string
  readonly html: string
  /** Texts and addresses that a person would copy, as they stand in the Markdown. */
  readonly wanted: readonly string[]
  /** Texts of the page that must not be in the Markdown. */
  readonly unwanted?: readonly string[]
}

/** Texts of the frame of {@link inSite} and {@link inOldSite}. */
export const FRAME: readonly string[] = ['Delivery times', 'Press room', 'All rights reserved', 'uses cookies']

const LINKS = ['Home', 'Delivery times', 'Shops nearby', 'Press room', 'Contact us', 'Careers']

const menu = LINKS.map((name) => `<li><a href="/${name.toLowerCase().replaceAll(' ', '-')}">${name}</a></li>`).join('')

const page = (title: string, head: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title} | Elm Harbour</title>${head}</head><body>${body}</body></html>`

/** Puts a content between header, navigation, cookie notice and footer. */
export const inSite = (content: string, title = 'Overview', head = ''): string =>
  page(
    title,
    head,
    `<header><a href="/"><img src="/logo.svg" alt="Elm Harbour logo"></a><nav><ul>${menu}</ul></nav></header>
    <div class="cookie-banner"><p>This site uses cookies for statistics. <a href="/cookies">Settings</a></p><button>Accept</button></div>
    <main>${content}</main>
    <footer><ul>${menu}</ul><p>© 2025 Elm Harbour Ltd. All rights reserved.</p></footer>`,
  )

/** The same on a site whose markup has `div` elements and class names only. */
export const inOldSite = (content: string, title = 'Overview', head = ''): string =>
  page(
    title,
    head,
    `<div id="wrapper"><div id="header"><div class="logo"><a href="/">Elm Harbour</a></div><div class="menu"><ul>${menu}</ul></div></div>
    <div id="page"><div class="content-area">${content}</div></div>
    <div id="footer"><div class="copyright">© 2025 Elm Harbour Ltd. All rights reserved.</div><ul class="foot-links">${menu}</ul></div></div>`,
  )

/** A page without a frame. */
export const alone = (content: string): string => page('Overview', '', content)

/** The head of a page that declares itself an article. */
export const ARTICLE_HEAD = '<meta property="og:type" content="article">'

export const each = <Item>(items: readonly Item[], write: (item: Item, at: number) => string): string =>
  items.map(write).join('\n')

/** Paragraphs of an article. */
export const STORY: readonly string[] = [
  'The bridge over the outer harbour opened to traffic on Monday, nine years after the first pile was driven into the mud. Some two thousand people walked across it before the first cars were let through.',
  '"We were told that it could not be built on this ground," said Maria Olsen, who led the design. "It turned out that the ground was the smaller problem." The larger one, she said, was the wind.',
  'In its first year of work the contractor went bankrupt, and for three winters nothing but a row of pillars stood in the water. The city took over the site in 2018, and hired many of the same workers again.',
  'The bridge is 1,240 metres long and cost 310 million, a third more than was planned. A toll of two euros is to pay for half of that within twenty years, if traffic grows as the port expects.',
  'Ferries will continue to run until the end of the month. After that, the old landing is to become a park, and the two ships will be sold to an island in the north.',
]
