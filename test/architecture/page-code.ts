import { isNode, lineAt, type Module, type SyntaxNode, walk } from './modules.js'

/** Calls that run a function, or an expression, inside a page. */
const PAGE_CALLS: ReadonlySet<string> = new Set([
  'addInitScript',
  'call',
  'evaluate',
  'evaluateAll',
  'evaluateHandle',
  'pageFunction',
  'waitForFunction',
])

/**
 * Code that runs inside a page is TypeScript of `features/browser/injected/` or of that folder of a feature, typed and linted: no function stands in a text, and no call
 * that runs code in a page is given a text.
 */
export const pageCodeIsCode = ({ path, text, tree }: Module): string[] =>
  walk(tree).flatMap((node) => {
    const isText = holdsFunction(node) || argumentsOf(node).some((value) => value.type === 'TemplateLiteral')
    return isText
      ? [
          `${path}:${lineAt(text, node.start)} holds code for a page as text: move it to src/features/browser/injected/, or to that folder of its feature`,
        ]
      : []
  })

/** Properties that lists of a page's tree are read by, and that a field of a form may have as its name. */
const TREE_NAMES: ReadonlySet<unknown> = new Set(['attributes', 'childNodes', 'children', 'classList'])

/**
 * Code that runs inside a page reads the document as `pageDocument`, and the tree by `builtInsOf`: names of elements hide
 * the properties of forms and of the document.
 */
export const builtInsAreRead = ({ path, text, tree }: Module): string[] => {
  if (!path.includes('/injected/') || path === 'features/browser/injected/built-ins-of.ts') return []
  return walk(tree).flatMap((node) => {
    const { type, object, property, id, init } = node
    const isPattern = type === 'VariableDeclarator' && isNode(id) && id.type === 'ObjectPattern'
    const [source, name] = isPattern ? [init] : [object, isNode(property) ? property['name'] : undefined]
    if (!isNode(source)) return []
    const where = `${path}:${lineAt(text, node.start)}`
    if (source.type === 'Identifier' && source['name'] === 'document')
      return [`${where} reads document: take pageDocument`]
    const isRead = source['name'] === 'shadowRoot' || source.type === 'CallExpression'
    return TREE_NAMES.has(name) && !isRead ? [`${where} reads ${String(name)}: take builtInsOf(…)`] : []
  })
}

/** A template that begins with the head of a function, or of an expression that is one. */
function holdsFunction({ type, quasis }: SyntaxNode): boolean {
  if (type !== 'TemplateLiteral' || !Array.isArray(quasis)) return false
  const [first] = quasis.filter(isNode) as { readonly value?: { readonly raw?: string } }[]
  return /^\s*\(*(?:async\s*)?(?:function\b|\w+\s*=>|\([^()]*\)\s*=>)/.test(first?.value?.raw ?? '')
}

function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  const { type, callee, arguments: values } = node
  if (type !== 'CallExpression' || !isNode(callee) || !Array.isArray(values)) return []
  const name = isNode(callee['property']) ? callee['property']['name'] : callee['name']
  return typeof name === 'string' && PAGE_CALLS.has(name) ? values.filter(isNode) : []
}
