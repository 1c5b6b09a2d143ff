import type { TextBlocks } from '../blocks/read-blocks.js'
import { type ContentRule, dropping, keeping, type NamedRule } from './content-rule.js'
import { findNextStories } from './next-story.js'
import { findCaptions } from './find-captions.js'
import { findEvent } from './find-event.js'
import { findHeadline } from './find-headline.js'
import { findPrice } from './find-price.js'
import { findStatedParts } from './stated-parts.js'
import { findNotices } from '../rules/find-notices.js'
import type { PageNodes } from '../../html/page-nodes.js'
import type { ParsedPage } from '../../parse/parser.js'
import type { HtmlMetadata } from '../extracted-page.js'
import { AD_LABEL } from '../rules/advertisement.js'

/** Tests if a page states that it is an article. */
const isNews = (metadata: HtmlMetadata): boolean =>
  metadata['og:type'] === 'article' ||
  metadata['article:published_time'] !== undefined ||
  metadata.publishedTime !== undefined

/** Elements in which the word for an advertisement is the subject, and maximum characters of the word as a label. */
const NO_LABEL = /^(?:h[1-6]|li|td|th|d[dt])$/
const MAX_LABEL = 20

/** A page as the rules for every page see it. */
interface StatedPage {
  readonly page: ParsedPage
  readonly nodes: PageNodes
  readonly read: TextBlocks
  readonly metadata: HtmlMetadata
  readonly url: string
}

/** Rules that follow the choice of blocks, also on pages that are too short for a prediction. */
export const PAGE_RULES: readonly ContentRule<StatedPage>[] = [
  {
    name: 'headline',
    keeps: 'is the heading before the text that says what the title of the page says',
    drops: 'is a heading beside the headline that names the site',
    apply: ({ read, metadata, url }, kept) => {
      const { added, dropped } = findHeadline(read.blocks, kept, metadata, url)
      for (const block of added) kept.add(block)
      for (const block of dropped) kept.delete(block)
    },
  },
  {
    name: 'caption',
    keeps: 'is the caption of a table, listing, quotation or picture of the content, or the source of a quotation',
    needs: ['figure', 'blockquote'],
    apply: keeping(({ read, metadata }, kept) => findCaptions(read, kept, isNews(metadata))),
  },
  {
    name: 'price',
    keeps: 'is the price or a number of the product that the page is for',
    apply: keeping(({ read, metadata }, kept) => findPrice(read, kept, metadata.title)),
  },
  {
    name: 'stated-part',
    keeps:
      'is an ingredient or a step, or the price, brand or number of a product, that the structured data of the page states',
    apply: keeping(({ page, nodes, read }, kept) => findStatedParts(page, nodes, read, kept)),
  },
  {
    name: 'event',
    keeps: 'says when or where the event of the page is',
    apply: keeping(({ read, url, metadata }) => findEvent(read, url, metadata.title)),
  },
  {
    name: 'next-story',
    drops: 'is in another article, after that with the title of the page',
    apply: dropping(({ read, metadata }, kept) =>
      read.regions.filter(({ element: { name, attribs } }) => name === 'article' || attribs['itemtype']).length > 1
        ? findNextStories(read, kept, metadata.title)
        : [],
    ),
  },
  {
    name: 'ad-label',
    drops: 'says that an advertisement follows',
    apply: dropping((_, kept) =>
      [...kept].filter(
        ({ text, link, region }) =>
          text.length <= MAX_LABEL && link === 0 && AD_LABEL.test(text) && !NO_LABEL.test(region.element.name),
      ),
    ),
  },
  {
    name: 'consent-notice',
    drops: 'is in a notice that asks for consent to cookies',
    apply: dropping(({ read }, kept) => findNotices(read, kept)),
  },
]

/** Steps after these rules, which see more of the page than its blocks, in their order. Each is recorded where it is made. */
export const LAST_STEPS = {
  besidePanels: { name: 'beside-panels', keeps: 'is content if the hidden panels of the page are left out of account' },
  tablesAlone: { name: 'tables-alone', keeps: 'is on a page of tables, none of whose text is likely to be content' },
  shownPart: {
    name: 'shown-part',
    keeps: 'is outside of the frame of a page with hardly any text',
    drops: 'is in the frame of a page with hardly any text, or between the parts that the page shows',
  },
  copy: { name: 'copy', drops: 'repeats a text that is in the content already' },
  formControl: { name: 'form-control', drops: 'is a button or form field that the markup sets apart from the text' },
  consentDialog: { name: 'consent-dialog', drops: 'is the dialog of a program that asks for consent to cookies' },
  wikiControl: { name: 'wiki-control', drops: 'is a control of the wiki, such as a link that edits a section' },
} as const satisfies Readonly<Record<string, NamedRule>>
