import { type RuleResult, applyRule } from '../../features/json/extractor/apply-rule.js'
import { outlineDom } from '../../features/json/extractor/outline-dom.js'
import { findMenu, type FoundMenu } from '../../features/offers/find-menu.js'
import type { ParsedPage } from '../parse/parser.js'

/** Queries of a page's tree. */
export interface TreeQuery {
  /** Maximum length of an outline of the markup, in characters. Set to return the outline. */
  readonly outline?: number
  /** Rule that extracts data: see `readRule`. */
  readonly rule?: unknown
  /** Returns the restaurant menu that the page shows. */
  readonly menu?: boolean
}

/** Results of the queries. */
export interface TreeFindings {
  readonly outline?: string
  readonly applied?: RuleResult
  /** Absent if the page shows none. */
  readonly menu?: FoundMenu
}

/** Queries the whole tree of a page, not only its main content. @internal */
export function queryTree({ tree, baseUrl, url }: ParsedPage, { outline, rule, menu }: TreeQuery): TreeFindings {
  const { root } = tree
  const shown = menu ? findMenu(root, url) : undefined
  return {
    ...(shown && { menu: shown }),
    ...(outline !== undefined && { outline: outlineDom(root, outline) }),
    ...(rule !== undefined && { applied: applyRule(root, baseUrl, rule) }),
  }
}
