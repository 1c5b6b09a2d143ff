import type { ConvertSettings } from '../format.js'
import type { ViewNode } from '../markdown-view.js'

/** Converts a node of the view, whose contents are Markdown already, to Markdown. */
export type Writer = (content: string, node: ViewNode, settings: ConvertSettings) => string
