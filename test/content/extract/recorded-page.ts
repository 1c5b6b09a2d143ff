import type { Block } from '../../../src/content/extract/blocks/block.js'
import {
  type MainContent,
  type Predict,
  selectContent,
} from '../../../src/content/extract/main-content/main-content.js'
import { Verdicts } from '../../../src/content/extract/selection/content-rule.js'
import { findVisibility } from '../../../src/content/extract/visibility/visibility.js'
import { PageNodes } from '../../../src/content/html/page-nodes.js'
import { parseHtml } from '../parse/pages.js'

/** Sentences that are read as such. */
export const PROSE = 'The tide rises and falls twice a day, and every harbour has its own table of it. '
  .repeat(3)
  .trim()

/** A page of which the content was selected, with the verdicts on its blocks. */
export interface RecordedPage extends MainContent {
  readonly blocks: readonly Block[]
  readonly verdicts: Verdicts
  /** Returns the reason why the element that matches a selector is dropped; undefined if it is not. */
  readonly reasonOf: (selector: string) => string | undefined
}

/** Predicts by the text of a block; .99 for sentences and .2 for all else, unless a probability of `*` is stated. */
const predictBy =
  (odds: Readonly<Record<string, number>>): Predict =>
  ({ read }) =>
    Float64Array.from(read.blocks, ({ text, isProse }) => odds[text] ?? odds['*'] ?? (isProse ? 0.99 : 0.2))

/** Selects the content of a page and records the verdicts. @param odds probabilities by text, or another prediction */
export function judgePage(html: string, odds: Readonly<Record<string, number>> | Predict = {}): RecordedPage {
  const page = parseHtml(html)
  const { $ } = page.tree
  const [body] = $('body')
  if (body === undefined) throw new Error('the page has no body')
  const nodes = new PageNodes(page.tree.root)
  const { invisible, disclosed } = findVisibility(body, nodes)
  const siteName = $('meta[property="og:site_name"]').attr('content')
  const metadata = { title: $('title').text(), ...(siteName !== undefined && { 'og:site_name': siteName }) }
  const verdicts = new Verdicts()
  const content = selectContent(
    { page, nodes, metadata, body, cleared: invisible, panels: disclosed, verdicts },
    typeof odds === 'function' ? odds : predictBy(odds),
  )
  const reasonOf = (selector: string): string | undefined => {
    const [element] = $(selector)
    if (element === undefined) throw new Error(`the page has no ${selector}`)
    return content.dropped.has(element) ? content.whyDropped(element) : undefined
  }
  return { ...content, blocks: content.read?.blocks ?? [], verdicts, reasonOf }
}
