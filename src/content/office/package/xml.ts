import { decodeXml, scanXml } from './scan-xml.js'

/** XML element. Names have the prefixes of `scan-xml.ts`. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
}

/** XML node: an element, or text. */
export type XmlNode = XmlElement | string

/** Options of {@link readXml}. */
export interface TreePlan {
  /** Elements that are replaced by their children. */
  readonly unwrapped?: ReadonlySet<string>
  /** Tests if an element is left out with its contents. */
  readonly isLeftOut?: (name: string, parent: string) => boolean
  /** Maximum number of elements and texts. @default 1,500,000 */
  readonly maxNodes?: number
}

/** Parsed XML. */
export interface XmlTree {
  /** Root element; its name is empty if there is none. */
  readonly root: XmlElement
  /** True if the limit was reached: the rest is missing. */
  readonly isCut: boolean
  /** True if the text ends before the root element does. */
  readonly isCutOff: boolean
  /** True if elements are missing because they are nested too deeply. */
  readonly isTooDeep: boolean
  /** Number of elements and texts. */
  readonly nodes: number
}

/** Maximum number of elements and texts of one part. */
export const MAX_NODES = 1_500_000

/** Parses XML to a tree. Of alternative contents, the supported one is kept. @see ECMA-376 part 3 */
export function readXml(bytes: Uint8Array, { unwrapped, isLeftOut, maxNodes = MAX_NODES }: TreePlan = {}): XmlTree {
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [top]
  // Depth inside an element that is left out or exceeds the limit; it ends where this returns to 0.
  let skippedDepth = 0
  let nodes = 0
  let isTooDeep = false
  const isCutOff = scanXml(decodeXml(bytes), {
    open(name, attributes) {
      const parent = open.at(-1) ?? top
      nodes += 1
      if (skippedDepth > 0 || nodes > maxNodes || isLeftOut?.(name, parent.name) === true) {
        skippedDepth += 1
        return
      }
      // Children are attached to the right parent at once: moving them up afterwards would cost one pass for each
      // nested wrapper.
      if (unwrapped?.has(name) === true) {
        open.push(parent)
        return
      }
      const element: XmlElement = { name, attributes, children: [] }
      parent.children.push(element)
      open.push(element)
    },
    close() {
      if (skippedDepth > 0) {
        skippedDepth -= 1
        return
      }
      const element = open.pop()
      const parent = open.at(-1)
      if (element?.name !== 'mc:AlternateContent' || parent === undefined || parent === element) return
      parent.children.pop()
      for (const node of chooseAlternative(element)) parent.children.push(node)
    },
    text(data) {
      if (skippedDepth > 0 || nodes > maxNodes) return
      const { children } = open.at(-1) ?? top
      const last = children.length - 1
      // The tokenizer splits text at entities: its parts are joined.
      if (typeof children[last] === 'string') children[last] += data
      else {
        nodes += 1
        children.push(data)
      }
    },
    leaveOut() {
      isTooDeep = true
    },
  })
  const root = elements(top)[0] ?? top
  return { root, isCut: nodes > maxNodes, isCutOff, isTooDeep, nodes: Math.min(nodes, maxNodes) }
}

/**
 * Namespaces that this reader supports, for choosing among alternatives; unsupported charts have an image as their
 * fallback.
 */
const UNDERSTOOD = /^(?:wp[scg]|wp14|w1[0-9]\w*|a14|p14|x14\w*|v|sle15|am3d)?$/

function chooseAlternative(alternatives: XmlElement): readonly XmlNode[] {
  const choices = elements(alternatives).filter(({ name }) => name === 'mc:Choice')
  const choice = choices.find(({ attributes }) =>
    (attributes['Requires'] ?? '').split(/\s+/).every((name) => UNDERSTOOD.test(name)),
  )
  return (choice ?? child(alternatives, 'mc:Fallback') ?? choices[0])?.children ?? []
}

/** Lists the child elements. */
export const elements = (parent: XmlElement): XmlElement[] =>
  parent.children.filter((node): node is XmlElement => typeof node !== 'string')

/** Returns the first child element of a name. */
export const child = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  for (const node of parent?.children ?? []) if (typeof node !== 'string' && node.name === name) return node
  return undefined
}

/** Lists the child elements of a name. */
export const childrenNamed = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent === undefined ? [] : elements(parent).filter((element) => element.name === name)

/** Returns the element at a path of names. */
export const at = (from: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((element, name) => child(element, name), from)

/** Lists the descendants of the given names in document order, without searching inside a found one. */
export function descendants(root: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (element: XmlElement): void => {
    for (const node of element.children) {
      if (typeof node === 'string') continue
      if (names.includes(node.name)) found.push(node)
      else visit(node)
    }
  }
  // The depth is bounded by the reader.
  if (root !== undefined) visit(root)
  return found
}

/** Returns the text content. */
export const xmlText = (element: XmlElement | undefined): string =>
  element === undefined
    ? ''
    : element.children.map((node) => (typeof node === 'string' ? node : xmlText(node))).join('')
