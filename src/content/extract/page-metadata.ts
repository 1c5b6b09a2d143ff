/**
 * Metadata of a page under trawl's own field names. A field is absent if the page does not state it.
 *
 * @see docs/compatibility/documents.md#metadata
 */
export interface PageMetadata {
  /** The page's title. */
  title?: string
  /** The page's description. Several are joined with `, `. */
  description?: string
  /** The language that the page declares, e.g. `en-GB`. */
  language?: string
  /** The URL of the page's icon, absolute. */
  favicon?: string
  /** The canonical URL that the page declares, absolute. */
  canonicalUrl?: string
  /** The authors, joined with `, `, or with `; ` if the page has them as `surname, name`. */
  author?: string
  /** The publication date as the page writes it, mostly ISO 8601. */
  publishedTime?: string
  /** The date of the last change, as the page writes it. */
  modifiedTime?: string
  /** `<meta name="keywords">`; a list if the page has several. */
  keywords?: string | string[]
  /** `<meta name="robots">`; a list if the page has several. */
  robots?: string | string[]
  /** Open Graph properties (`og:title` and others), the first of each. @see https://ogp.me */
  ogTitle?: string
  ogDescription?: string
  ogUrl?: string
  ogImage?: string
  ogAudio?: string
  ogVideo?: string
  ogDeterminer?: string
  ogLocale?: string
  ogLocaleAlternate?: string[]
  ogSiteName?: string
  articleSection?: string
  articleTag?: string
  /** Dublin Core terms, the first of each. @see https://www.dublincore.org/specifications/dublin-core/dcmi-terms/ */
  dcTermsCreated?: string
  dcDateCreated?: string
  dcDate?: string
  dcTermsType?: string
  dcType?: string
  dcTermsAudience?: string
  dcTermsSubject?: string
  dcSubject?: string
  dcDescription?: string
  dcTermsKeywords?: string
}
