import type { Element, Text } from '../../html/tree.js'
import { CharacterBudget, type DocumentLimits } from '../../html/document-limits.js'
import { LinkResolver } from '../../html/link-resolver.js'
import { isWebUrl, withoutSection } from '../../../base/url.js'
import type { NodeReader } from '../../parse/html/stream-nodes.js'
import type { FoundLink, PageStatements } from '../extracted-page.js'
import { isNofollow, nameLink, targetOf, warnOfLinks } from '../links.js'
import { hasMetadataText, licensesOf, MetadataSources, writeMetadata } from '../structured-data/metadata.js'
import { resolveLinks, warnOfContentLinks } from './read-links.js'
import type { VisibleContent } from './visible-content.js'

/** Metadata and links of a page, read without its tree. */
export interface PageOutline extends PageStatements {
  /** The address of every link in the content; empty if the content is not read. */
  readonly contentLinks: ReadonlySet<string>
  readonly warnings: readonly string[]
}

/** A target of links on a page. */
interface LinkTarget {
  /** Name of the first of these links. */
  text: string
  /** True if all of them are `nofollow`. */
  nofollow: boolean
}

/**
 * Reads metadata and links, and the visible content if it is wanted, from nodes that come in document order. The result
 * is that of `readMetadata`, `findLinks` and `moveContent` of the whole page.
 */
export class OutlineReader implements NodeReader {
  readonly #metadata = new MetadataSources()
  /** Targets as written, without sections. They are resolved at the end, because a `base` element may follow. */
  readonly #targets = new Map<string, LinkTarget>()
  readonly #content: VisibleContent | undefined
  /** Open elements whose contents are read when the outermost of them ends, in document order. */
  #waiting: WaitingElement[] = []
  /** Outermost open `svg`, which has no metadata. */
  #svg: Element | undefined

  constructor(content: VisibleContent | undefined) {
    this.#content = content
  }

  get isWithin(): boolean {
    return this.#svg !== undefined || this.#content?.isWithin === true
  }

  enter(element: Element): boolean {
    this.#content?.enter(element)
    if (element.name === 'svg') this.#svg ??= element
    const target = this.#addTarget(element)
    const inMetadata = this.#svg === undefined
    const hasText = inMetadata && hasMetadataText(element)
    if (inMetadata && !hasText) this.#metadata.add(element)
    if (target === undefined && !hasText) return false
    this.#waiting.push({ element, target, hasText })
    return true
  }

  leave(element: Element): void {
    this.#content?.leave(element)
    if (element === this.#svg) this.#svg = undefined
    if (element === this.#waiting[0]?.element) this.#readWaiting()
  }

  addText(text: Text): void {
    this.#content?.addText(text)
  }

  /**
   * Returns what was read; undefined if only the whole tree shows what is visible.
   *
   * @param html the root element, with the attributes of all its tags
   */
  finish(html: Element, baseUrl: string, limits: DocumentLimits): PageOutline | undefined {
    this.#content?.end()
    if (this.#content?.isCertain === false) return undefined
    const warnings: string[] = []
    this.#metadata.add(html)
    const stated = this.#metadata.resolve(baseUrl)
    const licenses = licensesOf(stated)
    const metadata = writeMetadata(stated, (warning) => void warnings.push(warning))
    const resolver = new LinkResolver(baseUrl, limits.part)
    const { links, leftOut } = this.#resolveTargets(resolver, limits)
    if (leftOut > 0) warnings.push(warnOfLinks(leftOut, limits))
    const inContent = resolveLinks(this.#content?.hrefs ?? [], resolver, limits)
    warnings.push(...warnOfContentLinks(inContent.leftOut, limits))
    return { metadata, links, licenses, contentLinks: inContent.addresses, warnings }
  }

  /** Adds the target of a link. @returns the target if the link names it */
  #addTarget(element: Element): LinkTarget | undefined {
    const address = targetOf(element)
    if (address === undefined) return undefined
    const named = withoutSection(address)
    const known = this.#targets.get(named)
    if (known === undefined) {
      const target = { text: '', nofollow: isNofollow(element) }
      this.#targets.set(named, target)
      return target
    }
    if (known.nofollow && !isNofollow(element)) known.nofollow = false
    return undefined
  }

  #readWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const { element, target, hasText } of waiting) {
      if (target !== undefined) target.text = nameLink(element)
      if (hasText) this.#metadata.add(element)
    }
  }

  #resolveTargets(
    resolver: LinkResolver,
    { part }: DocumentLimits,
  ): { readonly links: FoundLink[]; readonly leftOut: number } {
    const found = new Map<string, FoundLink>()
    const budget = new CharacterBudget(part)
    let refused = 0
    for (const [named, { text, nofollow }] of this.#targets) {
      const resolved = resolver.resolvePage(named)
      if (resolved === undefined && resolver.isRefused(named)) refused += 1
      if (resolved === undefined || !isWebUrl(resolved)) continue
      const url = resolved.href
      const known = found.get(url)
      if (known === undefined && !budget.take(url.length + text.length)) continue
      if (known === undefined) found.set(url, nofollow ? { url, text, nofollow: true } : { url, text })
      else if (known.nofollow && !nofollow) found.set(url, { url, text: known.text })
    }
    return { links: [...found.values()], leftOut: refused + budget.leftOut }
  }
}

/** An element whose contents are read when it ends. */
interface WaitingElement {
  readonly element: Element
  /** The target that the element names; undefined if another link names it, or if it is no link. */
  readonly target: LinkTarget | undefined
  /** True if the text is metadata. */
  readonly hasText: boolean
}
