import { type Applied, applyRule } from '../extractor/apply-rule.js'
import { sketchPage } from '../extractor/sketch-page.js'
import { findMenu, type FoundMenu } from '../extract/menu/find-menu.js'
import type { ParsedPage } from '../parse/parser.js'

/** What is wanted of a page's own tree. */
export interface ProbePlan {
  /** Its mark-up in short, in at most so many characters. */
  readonly sketch?: number
  /** The data that a rule finds: see `readRule`. */
  readonly rule?: unknown
  /** The menu that it shows. */
  readonly menu?: boolean
}

/** What was found. */
export interface Probed {
  readonly sketch?: string
  readonly applied?: Applied
  /** Absent when it shows none. */
  readonly menu?: FoundMenu
}

/** Looks something up in a page's own tree: all of it, whatever part is the content. @internal */
export function queryTree({ $, baseUrl, url }: ParsedPage, { sketch, rule, menu }: ProbePlan): Probed {
  const [root] = $.root()
  if (!root) return {}
  const shown = menu ? findMenu(root, url) : undefined
  return {
    ...(shown && { menu: shown }),
    ...(sketch !== undefined && { sketch: sketchPage(root, sketch) }),
    ...(rule !== undefined && { applied: applyRule(root, baseUrl, rule) }),
  }
}
