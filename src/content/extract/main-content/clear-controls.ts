import { HAS_CLASS, HAS_ID, TEXT, type PageNodes } from '../../html/page-nodes.js'
import { type Element, isElement } from '../../html/tree.js'
import type { Verdicts } from '../selection/content-rule.js'
import { LAST_STEPS } from '../selection/page-rules.js'

/** Flags of nodes of a page that may have such elements. */
export const MAY_BE_CONTROL = HAS_ID | HAS_CLASS

const MEDIAWIKI = /(?:^|\s)mediawiki(?:\s|$)/

/**
 * Matches what MediaWiki puts among its articles for readers who edit or navigate: links that edit a section, boxes of links to
 * other articles, categories, and the address for the printed page.
 */
const WIKI_CONTROL = /(?:^|\s)(?:mw-editsection|mw-jump-link|navbox|catlinks|printfooter)(?:\s|$)/

/** Ids that programs for consent give to their dialogs, some of which list hundreds of cookies with what each is for. */
const CONSENT_DIALOG =
  /^(?:CybotCookiebotDialog|onetrust-|usercentrics-root|uc-banner|didomi-|klaro|qc-cmp|truste-|iubenda-cs|sp_message_|cmpbox|cmplz-|Borlabs|osano-)/i

/** Minimum text of a page beside the dialog for this to be none of its content. Characters. */
const MIN_OTHER_TEXT = 60
/**
 * Minimum text of dialogs for each character beside them. A shorter one is told from the text by the rules for notices. The two shops of the
 * quality collection whose dialog was taken for the content have more than .6; from .5 on, a front page of news lost its headlines.
 */
const MIN_DIALOG_SHARE = 0.6

/**
 * Adds elements to those that are no content, before any text is judged: what looks like a part of the text beside it, and what is
 * so long that it would be taken for the text.
 *
 * @param verdicts get the rule by which an element is no content. @default nothing is recorded
 */
export function clearControls(
  { attribs: { class: names = '' } }: Element,
  list: PageNodes,
  cleared: ReadonlySet<Element>,
  verdicts?: Verdicts,
): ReadonlySet<Element> {
  const isWiki = MEDIAWIKI.test(names)
  const { nodes, kinds } = list
  const controls: Element[] = []
  const dialogs: Element[] = []
  for (let at = 0; at < nodes.length; at += 1) {
    const kind = kinds[at] ?? 0
    const node = nodes[at]
    if ((kind & MAY_BE_CONTROL) === 0 || node === undefined || !isElement(node)) continue
    if ((kind & HAS_ID) !== 0 && CONSENT_DIALOG.test(node.attribs['id'] ?? '')) dialogs.push(node)
    else if (isWiki && WIKI_CONTROL.test(node.attribs['class'] ?? '')) controls.push(node)
  }
  if (dialogs.length > 0 && !areMostOfText(dialogs, list)) dialogs.length = 0
  if (controls.length + dialogs.length === 0) return cleared
  for (const element of controls) verdicts?.recordElement(element, LAST_STEPS.wikiControl)
  for (const element of dialogs) verdicts?.recordElement(element, LAST_STEPS.consentDialog)
  return new Set([...cleared, ...controls, ...dialogs])
}

/** True if the dialogs of a page, which are in document order, have so much text that they would be taken for its content. */
function areMostOfText(dialogs: readonly Element[], list: PageNodes): boolean {
  const { kinds, trimmedLengths } = list
  let text = 0
  let inDialogs = 0
  let at = 0
  for (const [from, to] of [
    ...dialogs.map((one) => [list.indexOf(one), list.endOf(one)] as const),
    [kinds.length, 0],
  ]) {
    for (; at < (from ?? 0); at += 1) if (((kinds[at] ?? 0) & TEXT) !== 0) text += trimmedLengths[at] ?? 0
    for (; at < (to ?? 0); at += 1) if (((kinds[at] ?? 0) & TEXT) !== 0) inDialogs += trimmedLengths[at] ?? 0
  }
  return text >= MIN_OTHER_TEXT && inDialogs >= MIN_DIALOG_SHARE * text
}
