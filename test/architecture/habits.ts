import { isNode, lineAt, walk } from './modules.js'
import type { Module, SyntaxNode } from './modules.js'

/** A habit of writing looks at one file and says what is wrong with it: nothing when all is well. */
export type Habit = (module: Module) => string[]

const MAX_CODE_LINES = 400

export const filesAreShort: Habit = (module) => {
  const lines = countCodeLines(module)
  return lines <= MAX_CODE_LINES
    ? []
    : [`${module.path} has ${lines} lines of code, and ${MAX_CODE_LINES} is the most: cut it where its subject changes`]
}

const counts = new WeakMap<SyntaxNode, number>()

/** Counts the lines that are neither blank nor comments, so that a docstring never competes with code. Two laws ask, and it is kept. */
export function countCodeLines(module: Module): number {
  const known = counts.get(module.tree) ?? countAnew(module)
  counts.set(module.tree, known)
  return known
}

function countAnew(module: Module): number {
  let code = module.text
  for (const { index, 0: comment } of withoutStrings(module).matchAll(/\/\*[^]*?\*\/|\/\/.*/g)) {
    code = code.slice(0, index) + comment.replace(/[^\n]/g, ' ') + code.slice(index + comment.length)
  }
  return code.split('\n').filter((line) => line.trim() !== '').length
}

export const filesAreKebabCase: Habit = ({ path }) =>
  path.split('/').every((name) => /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9-]+)*$/.test(name))
    ? []
    : [`${path}: names are kebab-case`]

/** What is put off, silenced or thrown away. Strings are not looked at: a test may well speak of these. */
export const nothingIsPutOff: Habit = (module) => {
  const code = withoutStrings(module)
  return [
    ...matches(module.path, code, /\b(?:TODO|FIXME|XXX|HACK)\b/g, 'do it, or write an issue'),
    ...matches(
      module.path,
      code,
      /@ts-(?:ignore|nocheck)|oxlint-disable(?!-next-line \S+ -- \S)/g,
      'mend it, or say why',
    ),
    ...nodes(module, 'TSAnyKeyword', 'is `any`: name the type, or take `unknown` and check'),
    ...nodes(module, 'TSNonNullExpression', 'asserts with `!`: check instead'),
    ...walk(module.tree)
      .filter(({ type, body }) => type === 'CatchClause' && isNode(body) && isEmpty(body, module.text))
      .map(
        (node) =>
          `${module.path}:${lineAt(module.text, node.start)} catches and says nothing: handle it, or let it through`,
      ),
  ]
}

/** `URL.canParse` of Node 20 refuses URLs with umlauts once V8 has compiled the call. */
export const urlsAreParsedOnce: Habit = ({ path, text, tree }) =>
  walk(tree)
    .filter(({ type, property }) => type === 'MemberExpression' && isNode(property) && property['name'] === 'canParse')
    .map(({ start }) => `${path}:${lineAt(text, start)} uses \`canParse\`: use \`parseUrl\` of url.ts`)

/** Words that name no subject. */
const EMPTY_WORDS = /(?:Manager|Helper|Helpers|Util|Utils|Service|Info|Base)$/

export const namesSaySomething: Habit = (module) =>
  walk(module.tree)
    .filter(({ type }) =>
      /^(?:ClassDeclaration|FunctionDeclaration|TSInterfaceDeclaration|TSTypeAliasDeclaration|TSEnumDeclaration|VariableDeclarator)$/.test(
        type,
      ),
    )
    .flatMap(({ id }) => (isNode(id) && EMPTY_WORDS.test(String(id['name'])) ? id : []))
    .map((id) => `${module.path}:${lineAt(module.text, id.start)} is called ${String(id['name'])}: say what it is for`)

/** A comment that says why there is nothing to do is something. */
const isEmpty = ({ start, end }: SyntaxNode, text: string): boolean => /^\{\s*\}$/.test(text.slice(start, end))

const nodes = ({ path, text, tree }: Module, type: string, advice: string): string[] =>
  walk(tree)
    .filter((node) => node.type === type)
    .map((node) => `${path}:${lineAt(text, node.start)} ${advice}`)

const matches = (path: string, code: string, pattern: RegExp, advice: string): string[] =>
  [...code.matchAll(pattern)].map((match) => `${path}:${lineAt(code, match.index)} says ${match[0]}: ${advice}`)

/** The text with the contents of every string, template and regular expression blanked, so that lines stay in place. */
export function withoutStrings({ text, tree }: Module): string {
  let code = text
  for (const { type, start, end, value } of walk(tree)) {
    const quoted =
      type === 'TemplateElement' || (type === 'Literal' && (typeof value === 'string' || value instanceof RegExp))
    if (quoted) code = code.slice(0, start) + code.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end)
  }
  return code
}
