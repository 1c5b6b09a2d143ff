/** A page with data for programs, in the manner of a kind of system, and what it says. */
export interface StructuredPage {
  /** How it says it. */
  readonly name: string
  readonly url: string
  readonly html: string
  /** What a reader of the page would fill in: everything that the page says, whether in data or in words. */
  readonly says: Readonly<Record<string, unknown>>
}

/** JSON-LD as it stands in a page. */
export const ld = (...blocks: readonly unknown[]): string =>
  blocks.map((block) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`).join('\n')

export const CONTEXT = { '@context': 'https://schema.org' }

/** What stands beside the thing itself on most sites. */
export const siteFurniture = [
  {
    ...CONTEXT,
    '@type': 'WebSite',
    name: 'Harbour & Co',
    url: 'https://harbour.test/',
    potentialAction: { '@type': 'SearchAction', target: 'https://harbour.test/?s={q}' },
  },
  {
    ...CONTEXT,
    '@type': 'Organization',
    name: 'Harbour & Co',
    logo: 'https://harbour.test/logo.png',
    description: 'All for the sea.',
    sameAs: ['https://social.test/harbour'],
  },
  {
    ...CONTEXT,
    '@type': 'BreadcrumbList',
    itemListElement: [
      { '@type': 'ListItem', position: 1, name: 'Home', item: 'https://harbour.test/' },
      { '@type': 'ListItem', position: 2, name: 'Here' },
    ],
  },
]

export const makePage = (
  name: string,
  path: string,
  head: string,
  body: string,
  says: Readonly<Record<string, unknown>>,
): StructuredPage => ({
  name,
  url: `https://harbour.test${path}`,
  html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name} | Harbour &amp; Co</title>${head}</head><body><header><nav><a href="/">Home</a></nav></header><main>${body}</main><footer>Harbour &amp; Co, 2026</footer></body></html>`,
  says,
})
