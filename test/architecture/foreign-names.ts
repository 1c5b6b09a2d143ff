import type { Law } from './laws.js'
import { isNode, lineAt, type Module, type SyntaxNode, walk } from './modules.js'

/** Modules that may call `JSON.parse`, beside the command line, which reads its user's own: the one door, and functions that run in a page. */
const PARSERS: ReadonlySet<string> = new Set(['base/text/parse-json.ts', 'features/branding/injected/sample-brand.ts'])

/**
 * Names that come from outside meet no prototype: foreign JSON is parsed by `parseJson`, which leaves `__proto__` out, and a table
 * (a constant object with the type `Record<string, …>`) is read by `ownValue`, for which `constructor` is no entry.
 */
export const foreignNamesMeetNoPrototype: Law = (house) => {
  const shared = house.flatMap(tablesOf).filter((name) => /^[A-Z_]+$/.test(name))
  return house.flatMap((module) => {
    const tables = new Set([...shared, ...tablesOf(module)])
    const mayParse = PARSERS.has(module.path) || module.path.startsWith('cli/')
    return walk(module.tree).flatMap((node) => {
      const fault = isParse(node) && !mayParse ? 'calls JSON.parse: take `parseJson`' : undefined
      const table = tableReadBy(node)
      const isRead = table !== undefined && tables.has(table)
      const read = isRead ? `reads ${table}[…]: take \`ownValue\`` : undefined
      return [fault, read].flatMap((what) =>
        what === undefined ? [] : [`${module.path}:${lineAt(module.text, node.start)} ${what}`],
      )
    })
  })
}

/** The declarations of a module that are in no function. */
function* declarationsIn(tree: SyntaxNode): Generator<SyntaxNode> {
  for (const statement of walk(tree)) {
    if (statement.type !== 'Program' || !Array.isArray(statement['body'])) continue
    for (const one of statement['body'].filter(isNode)) {
      const declaration = one.type === 'ExportNamedDeclaration' ? one['declaration'] : one
      if (isNode(declaration) && Array.isArray(declaration['declarations']))
        yield* declaration['declarations'].filter(isNode)
    }
  }
}

/** Constants that are an object of any names, and have the prototype of all objects. */
const tablesOf = ({ tree, text }: Module): string[] =>
  [...declarationsIn(tree)].flatMap(({ type, id, init }) => {
    if (type !== 'VariableDeclarator' || !isNode(id) || !isNode(init) || init.type !== 'ObjectExpression') return []
    const written = isNode(id['typeAnnotation']) ? text.slice(id['typeAnnotation'].start, id['typeAnnotation'].end) : ''
    return /^:\s*(?:Readonly<)?(?:Partial<)?Record<string,/.test(written) ? [String(id['name'])] : []
  })

const isParse = ({ type, callee }: SyntaxNode): boolean =>
  type === 'CallExpression' && isNode(callee) && isMember(callee, 'JSON', 'parse')

const isMember = ({ type, object, property }: SyntaxNode, of: string, name: string): boolean =>
  type === 'MemberExpression' &&
  isNode(object) &&
  object['name'] === of &&
  isNode(property) &&
  property['name'] === name

/** The name of what is read by a name that is not written in the code. */
function tableReadBy({ type, computed, object, property }: SyntaxNode): string | undefined {
  if (type !== 'MemberExpression' || computed !== true || !isNode(object) || object.type !== 'Identifier')
    return undefined
  return isNode(property) && property.type === 'Literal' ? undefined : String(object['name'])
}
