/** The Markdown that a site offers for a page, in place of that which is made from the page. */
export type PageTwin =
  | { /** There is none that agrees with the page. */ readonly source: 'page' }
  | {
      /** Way to it: see `metadata.markdownSource`. */
      readonly source: 'link' | 'accept' | 'beside' | 'llms.txt'
      readonly url: string
      readonly markdown: string
    }
