import { type ChildNode, Element, isText, Text, append, walk } from '../../html/tree.js'
import { type DroppedText, NOTHING_DROPPED } from '../../../base/text/dropped-lines.js'

/** Creates an element. */
export function createElement(
  name: string,
  attributes: Record<string, string> = {},
  content: readonly (ChildNode | string)[] = [],
): Element {
  const element = new Element(name, attributes)
  for (const node of content) append(element, typeof node === 'string' ? new Text(node) : node)
  return element
}

/** Removes and returns the children of an element. */
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

/** Joins the texts of a part that is left out, with a space between two. */
export function textOfParts(parts: readonly Element[]): string {
  const texts: string[] = []
  for (const part of parts) walk(part, (node) => void (isText(node) && texts.push(node.data)))
  return texts.join(' ')
}

/** Metadata of a file. Dates are kept as written. */
export interface OfficeMetadata {
  readonly title?: string
  readonly author?: string
  readonly description?: string
  readonly keywords?: string
  readonly language?: string
  readonly publishedTime?: string
  readonly modifiedTime?: string
}

/** Content of an office file as HTML nodes. */
export interface OfficeContent {
  readonly content: readonly ChildNode[]
  readonly metadata: OfficeMetadata
  /** Warnings for the user, as sentences. */
  readonly warnings: readonly string[]
  /** Hidden parts, which are not in the content; absent if more is missing, so that it cannot be counted. */
  readonly dropped?: DroppedText
  /** Size of the unpacked parts that were read. Bytes. @default the size of the file */
  readonly sourceBytes?: number
}

/** Content of a file without hidden parts: nothing of it is dropped, unless a warning says what. */
export const wholeContent = (root: Element, facts: Omit<OfficeContent, 'content'>): OfficeContent => ({
  content: [root],
  ...facts,
  dropped: facts.warnings.length === 0 ? (facts.dropped ?? NOTHING_DROPPED) : undefined,
})

/** Returns the address of an image inside the file, as a fragment that no fragment of a link equals. */
export const innerAddress = (path: string): string => `#${path.replace(/^\.?\//, '')}`

/** Parses a number and clamps it; returns `otherwise` if there is none. */
export function boundedNumber(
  value: string | undefined,
  { least, most, otherwise }: { least: number; most: number; otherwise: number },
): number {
  const number = Number.parseInt(value ?? '', 10)
  return Number.isNaN(number) ? otherwise : Math.min(most, Math.max(least, number))
}

/** Maximum number of columns or rows that a cell spans; HTML has the same bound for columns. */
const MAX_SPANNED = 1000

export const readSpan = (value: string | undefined): number =>
  boundedNumber(value, { least: 1, most: MAX_SPANNED, otherwise: 1 })

/** Returns the attributes `colspan` and `rowspan` of a cell. */
export const spanAttributes = (columns: number, rows: number): Record<string, string> => ({
  ...(columns > 1 && { colspan: String(columns) }),
  ...(rows > 1 && { rowspan: String(rows) }),
})
