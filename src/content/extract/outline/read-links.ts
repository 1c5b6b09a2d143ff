import { type Element, isElement, isText, type NodeSet, walk } from '../../html/tree.js'
import { CharacterBudget, type DocumentLimits, limitWarning } from '../../html/document-limits.js'
import type { LinkResolver } from '../../html/link-resolver.js'
import { isUnsafeLink } from '../content/clean-element.js'
import { nameInContent, noteReplaced, type TextSink } from './visible-content.js'

/** A choice of content: see `ContentChoice`. */
interface Choice {
  readonly roots: readonly Element[]
  readonly dropped: NodeSet
}

/**
 * Reads the addresses of the links in the content as they are written, each once, and its text.
 *
 * @param text receives the elements and texts that `moveContent` moves, but for those without text
 */
export function readLinks({ roots, dropped }: Choice, text?: TextSink): Set<string> {
  const hrefs = new Set<string>()
  const enter = (element: Element): void => {
    text?.open(nameInContent(element))
    const { href } = element.attribs
    if (element.name === 'a' && href !== undefined) hrefs.add(href)
  }
  const leave = (element: Element): void => text?.close(nameInContent(element))
  for (const root of roots) {
    // Keeps the words of separate parts apart.
    text?.addText('\n')
    // The body element itself is not content.
    if (root.name !== 'body') enter(root)
    let left: Element | undefined
    walk(
      root,
      (node) => {
        if (isText(node) && !dropped.has(node)) text?.addText(node.data)
        if (!isElement(node)) return false
        if (dropped.has(node)) {
          left = node
          noteReplaced(node, text)
        } else enter(node)
        return left === undefined
      },
      (element) => {
        if (left === undefined) leave(element)
        else left = undefined
      },
    )
    if (root.name !== 'body') leave(root)
  }
  return hrefs
}

/** Addresses of the content's links. */
interface ContentLinks {
  readonly addresses: Set<string>
  /** Number of links that were left out, because the addresses would become too long. */
  readonly leftOut: number
}

/** Resolves the addresses of links, without those that the content leaves out. */
export function resolveLinks(hrefs: Iterable<string>, resolver: LinkResolver, { part }: DocumentLimits): ContentLinks {
  const addresses = new Set<string>()
  const budget = new CharacterBudget(part)
  let refused = 0
  for (const href of hrefs) {
    const address = resolver.resolve(href)
    if (address === undefined && resolver.isRefused(href)) refused += 1
    if (address === undefined || isUnsafeLink(address)) continue
    if (budget.take(address.length)) addresses.add(address)
  }
  return { addresses, leftOut: refused + budget.leftOut }
}

/** Returns the warning about links of the content that were left out. */
export const warnOfContentLinks = (leftOut: number, { part }: DocumentLimits): string[] =>
  leftOut === 0 ? [] : [limitWarning(leftOut, 'links of the content are missing in `links`', part)]
