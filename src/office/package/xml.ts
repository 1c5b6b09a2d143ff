import { decodeXml, scanXml } from './scan-xml.js'

/** An element of XML. Names have the prefixes of `namespaces.ts`. */
export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: XmlNode[]
}

/** What stands in XML: an element, or text. */
export type XmlNode = XmlElement | string

/** How a tree of XML is made. */
export interface TreePlan {
  /** Elements that only stand around others: what is inside takes their place. */
  readonly unwrapped?: ReadonlySet<string>
  /** Whether an element is left out, with all that is in it. */
  readonly isLeftOut?: (name: string, parent: string) => boolean
  /** Elements and texts. @default 1,500,000 */
  readonly maxNodes?: number
}

/** A tree of XML. */
export interface XmlTree {
  /** The document's element; one without a name where there is none. */
  readonly root: XmlElement
  /** Whether there was more than may be read: the rest is missing. */
  readonly isCut: boolean
  /** Whether it ends before its first element does. */
  readonly isCutOff: boolean
  /** Elements and texts in it. */
  readonly nodes: number
}

/** Elements and texts of one part. */
export const MAX_NODES = 1_500_000

/** XML as a tree. Of alternatives the one that is understood is taken. @see ECMA-376 part 3 */
export function readXml(bytes: Uint8Array, { unwrapped, isLeftOut, maxNodes = MAX_NODES }: TreePlan = {}): XmlTree {
  const top: XmlElement = { name: '', attributes: {}, children: [] }
  const open = [top]
  // What is left out, or too much, is counted only, so that its end is known.
  let away = 0
  let nodes = 0
  const isCutOff = scanXml(decodeXml(bytes), {
    open(name, attributes) {
      const parent = open.at(-1) ?? top
      nodes += 1
      if (away > 0 || nodes > maxNodes || isLeftOut?.(name, parent.name) === true) {
        away += 1
        return
      }
      // Not moved up afterwards: with many around each other, that would be done as many times.
      if (unwrapped?.has(name) === true) {
        open.push(parent)
        return
      }
      const element: XmlElement = { name, attributes, children: [] }
      parent.children.push(element)
      open.push(element)
    },
    close() {
      if (away > 0) {
        away -= 1
        return
      }
      const element = open.pop()
      const parent = open.at(-1)
      if (element?.name !== 'mc:AlternateContent' || parent === undefined || parent === element) return
      parent.children.pop()
      for (const node of chooseAlternative(element)) parent.children.push(node)
    },
    text(data) {
      if (away > 0 || nodes > maxNodes) return
      const { children } = open.at(-1) ?? top
      const last = children.length - 1
      // An entity ends a text: its parts are one again.
      if (typeof children[last] === 'string') children[last] += data
      else {
        nodes += 1
        children.push(data)
      }
    },
  })
  return { root: elements(top)[0] ?? top, isCut: nodes > maxNodes, isCutOff, nodes: Math.min(nodes, maxNodes) }
}

/** What a reader here has to understand to take the first choice; a chart that it does not know has a picture instead. */
const UNDERSTOOD = /^(?:wp[scg]|wp14|w1[0-9]\w*|a14|p14|x14\w*|v|sle15|am3d)?$/

function chooseAlternative(alternatives: XmlElement): readonly XmlNode[] {
  const choices = elements(alternatives).filter(({ name }) => name === 'mc:Choice')
  const choice = choices.find(({ attributes }) =>
    (attributes['Requires'] ?? '').split(/\s+/).every((name) => UNDERSTOOD.test(name)),
  )
  return (choice ?? child(alternatives, 'mc:Fallback') ?? choices[0])?.children ?? []
}

/** The elements in an element. */
export const elements = (parent: XmlElement): XmlElement[] =>
  parent.children.filter((node): node is XmlElement => typeof node !== 'string')

/** The first element of this name in an element. */
export const child = (parent: XmlElement | undefined, name: string): XmlElement | undefined => {
  for (const node of parent?.children ?? []) if (typeof node !== 'string' && node.name === name) return node
  return undefined
}

/** The elements of this name in an element. */
export const childrenNamed = (parent: XmlElement | undefined, name: string): XmlElement[] =>
  parent === undefined ? [] : elements(parent).filter((element) => element.name === name)

/** The element at the end of a path of names. */
export const at = (from: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((element, name) => child(element, name), from)

/** All elements of this name below an element, in order; inside of one that is found no other is looked for. */
export function descendants(root: XmlElement | undefined, ...names: readonly string[]): XmlElement[] {
  const found: XmlElement[] = []
  const visit = (element: XmlElement): void => {
    for (const node of element.children) {
      if (typeof node === 'string') continue
      if (names.includes(node.name)) found.push(node)
      else visit(node)
    }
  }
  // Reading has bounded the depth.
  if (root !== undefined) visit(root)
  return found
}

/** All text in an element. */
export const xmlText = (element: XmlElement | undefined): string =>
  element === undefined
    ? ''
    : element.children.map((node) => (typeof node === 'string' ? node : xmlText(node))).join('')
