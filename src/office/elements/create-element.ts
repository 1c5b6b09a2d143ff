import { type ChildNode, Element, Text, append } from '../../html/tree.js'

/** An element with this content. */
export function createElement(
  name: string,
  attributes: Record<string, string> = {},
  content: readonly (ChildNode | string)[] = [],
): Element {
  const element = new Element(name, attributes)
  for (const node of content) append(element, typeof node === 'string' ? new Text(node) : node)
  return element
}

/** The nodes in an element, which has them no more. */
export function takeChildren(from: Element): ChildNode[] {
  const nodes: ChildNode[] = [...from.children]
  from.children = []
  for (const node of nodes) {
    node.parent = null
    node.prev = null
    node.next = null
  }
  return nodes
}

/** What a file says of itself. Dates as they are written. */
export interface OfficeMetadata {
  readonly title?: string | undefined
  readonly author?: string | undefined
  readonly description?: string | undefined
  readonly keywords?: string | undefined
  readonly language?: string | undefined
  readonly publishedTime?: string | undefined
  readonly modifiedTime?: string | undefined
}

/** What a file of an office program comes to: nodes of HTML that say what they are. */
export interface OfficeContent {
  readonly content: readonly ChildNode[]
  readonly metadata: OfficeMetadata
  /** Sentences. */
  readonly warnings: readonly string[]
}

/** A picture in the file, by its place in it: nothing else can lead there. */
export const innerAddress = (path: string): string => `#${path.replace(/^\.?\//, '')}`

/** A number that a file gives, between bounds; `otherwise` where it gives none. */
export function boundedNumber(
  value: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const number = Number.parseInt(value ?? '', 10)
  return Number.isNaN(number) ? otherwise : Math.min(most, Math.max(least, number))
}

/** How many columns or rows a cell may span. The standard of HTML has the same bound for columns. */
const MAX_SPANNED = 1000

export const readSpan = (value: string | undefined): number =>
  boundedNumber(value, { least: 1, most: MAX_SPANNED, otherwise: 1 })

/** Attributes for a cell that spans. */
export const spanAttributes = (columns: number, rows: number): Record<string, string> => ({
  ...(columns > 1 && { colspan: String(columns) }),
  ...(rows > 1 && { rowspan: String(rows) }),
})
