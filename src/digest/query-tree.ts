import { type RuleResult, applyRule } from '../extractor/apply-rule.js'
import { outlineDom } from '../extractor/outline-dom.js'
import { findMenu, type FoundMenu } from '../extract/menu/find-menu.js'
import type { ParsedPage } from '../parse/parser.js'

/** What is wanted of a page's own tree. */
export interface ProbePlan {
  /** Its mark-up in short, in at most so many characters. */
  readonly outline?: number
  /** The data that a rule finds: see `readRule`. */
  readonly rule?: unknown
  /** The menu that it shows. */
  readonly menu?: boolean
}

/** What was found. */
export interface Probed {
  readonly outline?: string
  readonly applied?: RuleResult
  /** Absent when it shows none. */
  readonly menu?: FoundMenu
}

/** Looks something up in a page's own tree: all of it, whatever part is the content. @internal */
export function queryTree({ $, baseUrl, url }: ParsedPage, { outline, rule, menu }: ProbePlan): Probed {
  const [root] = $.root()
  if (!root) return {}
  const shown = menu ? findMenu(root, url) : undefined
  return {
    ...(shown && { menu: shown }),
    ...(outline !== undefined && { outline: outlineDom(root, outline) }),
    ...(rule !== undefined && { applied: applyRule(root, baseUrl, rule) }),
  }
}
