import { type Habit, withoutStrings } from './habits.js'
import { isNode, lineAt, walk } from './modules.js'
import type { Module, SyntaxNode } from './modules.js'

/**
 * Metaphors that stood for a part of trawl once, and that nobody types into a search box. CONTRIBUTING.md says what such
 * parts are called instead.
 */
const METAPHORS: ReadonlySet<string> = new Set(
  [
    'allowance besides book clerk course desk keeper lesson making pile pupil seat shelf stage wish',
    'bring foresee hear mend teach tell',
    // The interface says video, audio and image.
    'film sound picture',
  ].flatMap((words) => words.split(' ')),
)

/** Splits `keepWaitingPages`, `WAITING_PAGES` and `waiting-pages` alike. */
const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])/g, '$1$3 $2$4')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

/** Public names, which stay as they are. */
const PUBLIC_NAMES = ['PagePicture']

const findMetaphor = (name: string): string | undefined =>
  wordsOf(name).find((word) => METAPHORS.has(word) || METAPHORS.has(word.replace(/s$/, '')))

const exportedNames = function* ({ tree }: Module): Generator<SyntaxNode> {
  for (const node of walk(tree)) {
    const { declaration } = node
    if (node.type !== 'ExportNamedDeclaration' || !isNode(declaration)) continue
    const { declarations } = declaration
    for (const { id } of Array.isArray(declarations) ? declarations.filter(isNode) : [declaration]) {
      if (isNode(id) && id.type === 'Identifier') yield id
    }
  }
}

/** Exported names and file names are words that a stranger would search for. */
export const namesAreSearchable: Habit = (module) => {
  const file = module.path.split('/').at(-1)?.replace(/\.ts$/, '') ?? ''
  const metaphor = findMetaphor(file)
  return [
    ...(metaphor === undefined ? [] : [`${module.path} is called after a ${metaphor}: take the field's word`]),
    ...[...exportedNames(module)].flatMap((id) => {
      const name = String(id['name'])
      const found = PUBLIC_NAMES.includes(name) ? undefined : findMetaphor(name)
      const where = `${module.path}:${lineAt(module.text, id.start)}`
      return found === undefined ? [] : [`${where} ${name} is called after a ${found}: take the field's word`]
    }),
  ]
}

/** Bounds are called as the options call them. */
export const boundsAreMaxAndMin: Habit = ({ path, text }) =>
  [...text.matchAll(/\b(?:MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|SMALLEST)_[A-Z0-9_]+\b/g)].map(
    ({ 0: name, index }) => `${path}:${lineAt(text, index)} ${name}: call it MAX_ or MIN_`,
  )

/** Members are hidden by the language, not by its types. */
export const privateMembersAreHashed: Habit = ({ path, text, tree }) =>
  walk(tree)
    .filter(({ accessibility }) => accessibility === 'private')
    .map(({ start }) => `${path}:${lineAt(text, start)} is \`private\`: write \`#\``)

/** Docstrings name their subject first: a clause that begins with a question word has none. */
export const docstringsNameTheirSubject: Habit = ({ path, text }) =>
  [...text.matchAll(/\/\*\*[\s*]*((?:What|Who|Whom|Whose|Whether|How|Where|When|Which|Why|Of|By)\b[^\n*]{0,60})/g)].map(
    ({ 1: words = '', index }) =>
      `${path}:${lineAt(text, index)} begins with a question, "${words.trim()}": begin with a noun or a verb`,
  )

const MAX_FUNCTION_LINES = 80
const MAX_PARAMETERS = 4

/** Functions can be read at one look, and called without counting. */
export const functionsAreShort: Habit = ({ path, text, tree }) =>
  walk(tree).flatMap((node) => {
    if (!/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) return []
    const first = lineAt(text, node.start)
    const lines = lineAt(text, node.end) - first + 1
    const parameters = Array.isArray(node['params']) ? node['params'].length : 0
    return [
      ...(lines > MAX_FUNCTION_LINES
        ? [
            `${path}:${first} is a function of ${lines} lines, and ${MAX_FUNCTION_LINES} is the most: cut it where its subject changes`,
          ]
        : []),
      ...(parameters > MAX_PARAMETERS
        ? [`${path}:${first} takes ${parameters} parameters, and ${MAX_PARAMETERS} is the most: take an object`]
        : []),
    ]
  })

const MAX_LINE_LENGTH = 160

/** Lines can be read without scrolling. Regular expressions and texts are not counted: they cannot be broken. */
export const linesAreShort: Habit = (module) =>
  withoutStrings(module)
    .split('\n')
    .flatMap((line, index) => {
      const length = line.replaceAll(/ {20,}/g, '').length
      return length > MAX_LINE_LENGTH
        ? [`${module.path}:${index + 1} has ${length} characters, and ${MAX_LINE_LENGTH} is the most`]
        : []
    })

/** One exported type name has one meaning over the whole of `src/`. */
export const typeNamesAreUnique = (modules: readonly Module[]): string[] => {
  const places = new Map<string, string[]>()
  for (const module of modules) {
    for (const { declaration } of walk(module.tree)) {
      if (
        !isNode(declaration) ||
        !/^(?:TSInterfaceDeclaration|TSTypeAliasDeclaration|ClassDeclaration)$/.test(declaration.type)
      )
        continue
      const name = isNode(declaration['id']) ? String(declaration['id']['name']) : ''
      places.set(name, [...(places.get(name) ?? []), `src/${module.path}`])
    }
  }
  return [...places]
    .filter(([, at]) => at.length > 1)
    .map(([name, at]) => `${name} is exported by ${at.join(' and ')}: give each its own name`)
}
