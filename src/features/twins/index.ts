import { TEXT_FORMAT } from '../../content/convert/convert.js'
import { defineFeature } from '../../kernel/engine/feature.js'
import { optionalBoolean } from '../../kernel/options/fields/basic-schemas.js'
import type { OptionDefinitions } from '../../kernel/options/option-definition.js'
import type { PageTwin } from './page-twin.js'
import { createTwinReader } from './read-twin.js'

/** Page options of Markdown twins. */
export interface TwinOptions {
  /**
   * Take the `markdown` of a page from the Markdown that its site offers for it, where that agrees with the page: a link with
   * `rel="alternate"`, `Accept: text/markdown`, the file `.md` beside the page, `/llms.txt`. The page is fetched and converted in
   * any case. Costs further requests, at most six for each of the first pages of a site, then one for a page where there are
   * twins, and no credits. `metadata.markdownSource` has the result. Not in the interface. @default false
   */
  markdownTwins?: boolean
}

declare module '../../kernel/options/feature-options.js' {
  interface FeaturePageOptions extends TwinOptions {}
}

/** Metadata of Markdown twins. */
export interface TwinMetadata {
  /**
   * Source of `markdown`, with `markdownTwins`: `page` if it was made from the page; else the way to the Markdown that its site
   * offers. `link`: `rel="alternate"`, `accept`: `Accept: text/markdown`, `beside`: a file `.md` beside the page, `llms.txt`.
   */
  markdownSource?: 'page' | 'link' | 'accept' | 'beside' | 'llms.txt'
  /** URL of the Markdown that the site offers, where `markdown` is that. */
  markdownUrl?: string
}

declare module '../../kernel/page/document.js' {
  interface DocumentMetadata extends TwinMetadata {}
}

/** Markdown twins: the Markdown that a site offers for a page, where it agrees with the page. @internal */
export const twins = defineFeature<true, PageTwin>({
  name: 'twins',
  // The rows of the page are more than the Markdown of its site: a list has its time first.
  after: ['list'],
  options: {
    page: {
      markdownTwins: {
        schema: optionalBoolean,
        default: false,
        help: 'Take the Markdown that a site offers for a page, where it agrees with the page',
        isForSite: true,
      },
    } satisfies OptionDefinitions<TwinOptions>,
  },
  metadata: ['markdownSource', 'markdownUrl'] satisfies (keyof TwinMetadata)[],
  asksSite: true,
  plan: ({ markdownTwins }) => markdownTwins || undefined,
  open: (internals) => ({ enrich: createTwinReader(internals) }),
  document(twin, { formats, isMadeAgain }) {
    // What a format makes of the Markdown, such as one without personal data, takes precedence. Without repeated blocks, the
    // page has less than its twin.
    if (twin.source === 'page' || TEXT_FORMAT in formats || isMadeAgain) return { metadata: { markdownSource: 'page' } }
    const { source, url, markdown } = twin
    return { fields: { markdown }, metadata: { markdownSource: source, markdownUrl: url }, hasContent: true }
  },
})
