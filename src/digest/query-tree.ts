import { type RuleResult, applyRule } from '../extractor/apply-rule.js'
import { outlineDom } from '../extractor/outline-dom.js'
import { findMenu, type FoundMenu } from '../extract/menu/find-menu.js'
import type { ParsedPage } from '../parse/parser.js'

/** Queries of a page's tree. */
export interface TreeQuery {
  /** Maximum length of an outline of the mark-up. Characters. */
  readonly outline?: number
  /** Rule that extracts data: see `readRule`. */
  readonly rule?: unknown
  /** True where the menu that the page shows is wanted. */
  readonly menu?: boolean
}

/** Results of the queries. */
export interface TreeFindings {
  readonly outline?: string
  readonly applied?: RuleResult
  /** Absent when the page shows none. */
  readonly menu?: FoundMenu
}

/** Queries the whole tree of a page, whatever part is its content. @internal */
export function queryTree({ $, baseUrl, url }: ParsedPage, { outline, rule, menu }: TreeQuery): TreeFindings {
  const [root] = $.root()
  if (!root) return {}
  const shown = menu ? findMenu(root, url) : undefined
  return {
    ...(shown && { menu: shown }),
    ...(outline !== undefined && { outline: outlineDom(root, outline) }),
    ...(rule !== undefined && { applied: applyRule(root, baseUrl, rule) }),
  }
}
