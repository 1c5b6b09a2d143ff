import type { CharacterBudget } from '../../html/document-limits.js'
import type { ConvertSettings } from '../format.js'
import type { ViewNode } from '../markdown-view.js'
import type { WrittenParts } from '../written-parts.js'

/** Converts a node of the view, whose contents are Markdown already, to Markdown. */
export type Writer = (content: string, node: ViewNode, settings: WriterSettings) => string

export interface WriterSettings extends ConvertSettings, WrittenParts {
  /** Characters that may still be added to the texts of the page. */
  readonly budget: CharacterBudget
}
