import { parsers } from 'prettier/plugins/yaml'

/** A node of the tree that Prettier makes of YAML. */
interface YamlNode {
  readonly type: string
  readonly value?: unknown
  readonly children?: readonly (YamlNode | null)[]
}

/** Reads a YAML file of mappings, lists and texts. @throws Error for another kind of node */
export async function readYaml(text: string): Promise<unknown> {
  const root = (await parsers.yaml.parse(text, { originalText: text } as never)) as YamlNode
  const [content] = find(root, 'documentBody')?.children ?? []
  return toValue(content ?? null)
}

function find(node: YamlNode, type: string): YamlNode | undefined {
  if (node.type === type) return node
  for (const child of node.children ?? []) {
    const found = child && find(child, type)
    if (found) return found
  }
  return undefined
}

function toValue(node: YamlNode | null): unknown {
  if (!node) return undefined
  const { children = [] } = node
  switch (node.type) {
    case 'null':
      return undefined
    case 'mapping':
    case 'flowMapping':
      return Object.fromEntries(
        children
          .map((item) => item?.children ?? [])
          .map(([key, value]) => [String(toValue(key ?? null)), toValue(value ?? null)]),
      )
    case 'sequence':
    case 'flowSequence':
      return children.map(toValue)
    case 'mappingKey':
    case 'mappingValue':
    case 'sequenceItem':
    case 'flowSequenceItem':
      return toValue(children[0] ?? null)
    case 'plain':
    case 'quoteDouble':
    case 'quoteSingle':
      return node.value
    default:
      throw new Error(`the file has a node of type ${node.type}`)
  }
}
