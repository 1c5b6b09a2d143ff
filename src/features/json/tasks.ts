import type { ParsedPage } from '../../content/parse/parser.js'
import { applyRule as apply, type RuleResult } from './extractor/apply-rule.js'
import { outlineDom } from './extractor/outline-dom.js'

/** Applies a rule to a page, see `readRule`. Deterministic. */
export const applyRule = ({ tree, baseUrl }: ParsedPage, rule: unknown): RuleResult => apply(tree.root, baseUrl, rule)

/** Outlines the markup of a page in at most `maxCharacters` characters. */
export const outline = ({ tree }: ParsedPage, maxCharacters: unknown): string =>
  outlineDom(tree.root, Number(maxCharacters))
