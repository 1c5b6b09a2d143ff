import { posix } from 'node:path'
import { isNode, lineAt, walk } from './modules.js'
import type { Module, SyntaxNode } from './modules.js'

/** Entries of the package: users import their types. */
const ENTRIES = new Set(['index.ts', 'features/opentelemetry/start-telemetry.ts'])

/**
 * A type that no other file imports is no part of what its file offers.
 *
 * @param modules those of `src/`
 * @param others further modules that import them, with paths as seen from `src/`
 */
export function exportedTypesAreImported(modules: readonly Module[], others: readonly Module[]): string[] {
  const used = new Set([...modules, ...others].flatMap((module) => [...namesTaken(module)]))
  return modules.flatMap(({ path, text, tree }) =>
    ENTRIES.has(path) || used.has(`${path}#*`)
      ? []
      : exportedTypes(tree)
          .filter(({ name }) => !used.has(`${path}#${name}`))
          .map(
            ({ name, start }) =>
              `src/${path}:${lineAt(text, start)} exports the type ${name}, which nobody imports: take off \`export\``,
          ),
  )
}

function exportedTypes(tree: SyntaxNode): { name: string; start: number }[] {
  return bodyOf(tree).flatMap(({ type, declaration, start }) => {
    if (type !== 'ExportNamedDeclaration' || !isNode(declaration) || !isNode(declaration['id'])) return []
    const isType = declaration.type === 'TSInterfaceDeclaration' || declaration.type === 'TSTypeAliasDeclaration'
    return isType ? [{ name: String(declaration['id']['name']), start }] : []
  })
}

/** Lists what a module takes of others, and the types that it adds to by merging declarations. */
function* namesTaken({ path, tree }: Module): Generator<string> {
  const fileOf = (specifier: unknown): string =>
    posix
      .join(posix.dirname(path), String(specifier))
      .replace(/^\.\.\/src\//, '')
      .replace(/\.js$/, '.ts')
  for (const node of walk(tree)) {
    const { type, source, specifiers, id } = node
    if (type === 'TSModuleDeclaration' && isNode(id)) {
      const merged = fileOf(id['value'])
      for (const inner of isNode(node['body']) ? bodyOf(node['body']) : []) {
        const declared = isNode(inner['declaration']) ? inner['declaration'] : inner
        if (isNode(declared['id'])) yield `${merged}#${String(declared['id']['name'])}`
      }
    }
    if (!isNode(source)) continue
    const file = fileOf(source['value'])
    if (type === 'TSImportType') yield `${file}#${nameOf(node['qualifier'])}`
    else if (type === 'ExportAllDeclaration') yield `${file}#*`
    for (const one of Array.isArray(specifiers) ? specifiers.filter(isNode) : [])
      yield `${file}#${one.type === 'ImportNamespaceSpecifier' ? '*' : nameOf(one[type === 'ImportDeclaration' ? 'imported' : 'local'])}`
  }
}

const bodyOf = ({ body }: SyntaxNode): SyntaxNode[] => (Array.isArray(body) ? body.filter(isNode) : [])

function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  const { name, left } = node
  return typeof name === 'string' ? name : nameOf(left)
}

/** Finds fields that are spread under a condition: `...(given && { given })`. */
export function conditionalSpreads({ path, text, tree }: Module): string[] {
  const isEmpty = (node: unknown): boolean =>
    isNode(node) &&
    node.type === 'ObjectExpression' &&
    Array.isArray(node['properties']) &&
    node['properties'].length === 0
  const isConditional = ({ type, operator, consequent, alternate }: SyntaxNode): boolean =>
    (type === 'LogicalExpression' && operator === '&&') ||
    (type === 'ConditionalExpression' && (isEmpty(consequent) || isEmpty(alternate)))
  return walk(tree)
    .filter(({ type }) => type === 'ObjectExpression')
    .flatMap(({ properties }) => (Array.isArray(properties) ? properties.filter(isNode) : []))
    .filter(({ type, argument }) => type === 'SpreadElement' && isNode(argument) && isConditional(unwrap(argument)))
    .map(({ start }) => `${path}:${lineAt(text, start)}`)
}

const unwrap = (node: SyntaxNode): SyntaxNode =>
  node.type === 'ParenthesizedExpression' && isNode(node['expression']) ? unwrap(node['expression']) : node
