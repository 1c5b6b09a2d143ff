import type { ConvertSettings } from '../format.js'
import type { ViewNode } from '../markdown-view.js'

/** Turns a node of the view, with what is inside of it as Markdown, into Markdown. */
export type Writer = (content: string, node: ViewNode, settings: ConvertSettings) => string
