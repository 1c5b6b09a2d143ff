import { isNode, readModules, walk } from '../../architecture/modules.js'

const root = new URL('../../../src', import.meta.url).pathname
const modules = readModules(root)

/**
 * Collects the names of properties that the source reads: `options.name`, `{ name } = options` and `'name' in options`.
 *
 * @param within only files below this folder. @default all but `options/` and `plan/`, which pass options on
 */
export function namesRead(within?: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const { path, tree } of modules) {
    if (within === undefined ? /^(?:options|plan)\//.test(path) : !path.startsWith(within)) continue
    for (const { type, property, computed, properties } of walk(tree)) {
      if (type === 'MemberExpression' && computed !== true && isNode(property)) names.add(String(property['name']))
      if (type !== 'ObjectPattern' || !Array.isArray(properties)) continue
      for (const { key } of properties.filter(isNode)) if (isNode(key)) names.add(String(key['name'] ?? key['value']))
    }
  }
  return names
}
