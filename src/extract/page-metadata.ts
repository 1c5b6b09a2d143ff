/**
 * Metadata of a page under names of trawl's own, as far as the page has it.
 *
 * @see docs/compatibility.md#metadata
 */
export interface PageMetadata {
  /** The page's title. */
  title?: string
  /** The page's own description of itself; several are joined with `, `. */
  description?: string
  /** The language that the page names, e.g. `en-GB`. */
  language?: string
  /** The address of its icon, absolute. */
  favicon?: string
  /** The address that the page names as its own, absolute. */
  canonicalUrl?: string
  /** Its authors, joined with `, `. */
  author?: string
  /** The date of publication, as the page writes it: mostly ISO 8601. */
  publishedTime?: string
  /** The date of the last change, likewise. */
  modifiedTime?: string
  /** `<meta name="keywords">`; a list where the page has several. */
  keywords?: string | string[]
  /** `<meta name="robots">`, likewise. */
  robots?: string | string[]
  /** `og:title`, and so on: Open Graph, the first of each. @see https://ogp.me */
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
  /** Dublin Core, the first of each. @see https://www.dublincore.org/specifications/dublin-core/dcmi-terms/ */
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
