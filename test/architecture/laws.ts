import { builtins, optionReaders, processMembers, tidiers, vendors } from './doors.js'
import type { Door } from './doors.js'
import { calls, floors, groups, pluginFolders, stations } from './house.js'
import { isNode, lineAt, walk } from './modules.js'
import type { Import, Module, SyntaxNode } from './modules.js'

/** A law takes every module of `src/` and says where it is broken, and what to do about it: nothing when it holds. */
export type Law = (modules: readonly Module[]) => string[]

/** The part of the house that a path belongs to, such as `kernel/fetch`: a folder of a group, or a file beside them. */
export const partOf = (path: string): string => {
  const [group = '', part] = path.replace(/\.ts$/, '').split('/')
  return group === 'cli' || part === undefined ? group : `${group}/${part}`
}

const groupOf = (path: string): number => groups.indexOf(path.replace(/\.ts$/, '').split('/')[0] ?? path)

const at = (module: Module, line: number): string => `src/${module.path}:${line}`

const lies = (path: string, place: string): boolean =>
  path === place || (/^$|\/$/.test(place) && path.startsWith(place))

/** Every pair of a module and one of its imports. */
const edges = (modules: readonly Module[]): { module: Module; edge: Import }[] =>
  modules.flatMap((module) => module.imports.map((edge) => ({ module, edge })))

/** Law 1: every part has a floor, and imports go left only. What leads to another group is of {@link importsGoDown}. */
export const importsGoLeft: Law = (modules) => [
  ...new Set(
    modules
      .filter(({ path }) => !floors.includes(partOf(path)))
      .map(({ path }) => `src/${path} has no floor: give \`${partOf(path)}\` its place in test/architecture/house.ts`),
  ),
  ...edges(modules).flatMap(({ module, edge }) => {
    if (edge.target === undefined || groupOf(edge.target) > groupOf(module.path)) return []
    const [from, to] = [partOf(module.path), partOf(edge.target)]
    if (from === to || !floors.includes(from) || !floors.includes(to) || floors.indexOf(to) < floors.indexOf(from))
      return []
    return `${at(module, edge.line)} imports ${edge.target}, and ${to} stands to the right of ${from}: move what is needed to the left, or take it as an argument`
  }),
]

/** Law 1 as well: imports go down from group to group. */
export const importsGoDown: Law = (modules) =>
  edges(modules).flatMap(({ module, edge }) =>
    edge.target === undefined || groupOf(edge.target) <= groupOf(module.path)
      ? []
      : `${at(module, edge.line)} imports ${edge.target}, which stands above it: take it as an argument, or let the feature hook in`,
  )

/** The features of every engine, and the tools for agents, whose options have flags. */
const FLAGGED: readonly string[] = ['features/create-engine.ts', 'features/toolkit/toolkit-options.ts']

/** What the command line knows: the public surface, the options, the sentences about wrong ones, and folders of pages, which `writePages()` writes too. */
const KNOWN_TO_CLI: readonly string[] = ['index', 'kernel/options', 'base/issues', 'base/folder']

/** Functions of texts that the command line shares with features: written twice, they would come apart. */
const SHARED: readonly string[] = ['base/text/read-duration.ts', 'base/text/page-warnings.ts']

/** Law 2: a station knows the types of an earlier station, and calls none; the command line knows the public surface and the options. */
export const stationsMeetInThePipeline: Law = (modules) =>
  edges(modules).flatMap(({ module, edge }) => {
    if (edge.target === undefined) return []
    const [from, to] = [partOf(module.path), partOf(edge.target)]
    if (from === to) return []
    if (from === 'cli' && !KNOWN_TO_CLI.includes(to) && ![...FLAGGED, ...SHARED].includes(edge.target)) {
      return `${at(module, edge.line)} imports ${edge.target}: the command line is a user of src/index.ts, and knows the options beside it`
    }
    const between = stations.includes(from) && stations.includes(to)
    if (!between || edge.kind === 'type' || calls[from]?.includes(to)) return []
    return `${at(module, edge.line)} imports a value from ${edge.target}: write \`import type { … }\`, or let page/ hand it over`
  })

/** Law 3: each library has one door, heavy ones are loaded on first use. */
export const vendorsHaveOneDoor: Law = (modules) =>
  edges(modules).flatMap(({ module, edge }) => {
    if (edge.target !== undefined) return []
    const where = at(module, edge.line)
    if (edge.specifier === '(computed)')
      return `${where} imports a computed name: write the name, so that it can be checked`
    const [name, door] = doorOf(edge.specifier)
    if (!door) return `${where} imports ${name}, which has no door: give it one in test/architecture/doors.ts`
    if (edge.kind === 'type' && door.types?.some((place) => lies(module.path, place))) return []
    if (!door.values.some((place) => lies(module.path, place))) {
      return `${where} imports ${name}, whose door is ${door.values.join(', ') || 'nowhere'}: call what stands there instead`
    }
    if (door.lazy && edge.kind === 'value')
      return `${where} loads ${name} at once: \`await import('${name}')\` on first use`
    return []
  })

function doorOf(specifier: string): [name: string, door: Door | undefined] {
  if (specifier.startsWith('node:')) return [specifier, builtins[specifier]]
  const [first = '', second = ''] = specifier.split('/')
  const name = specifier.startsWith('@') ? `${first}/${second}` : first
  return [name, vendors[name]]
}

/** Law 4: a plug-in folder's files are exactly the names of its registry, which holds nothing else. */
export const pluginsAreRegistered: Law = (modules) => {
  const folders = new Set(
    modules.map(({ path }) => path.split('/').slice(0, -1).join('/')).filter((path) => path.includes('/')),
  )
  return [...folders].flatMap((folder) => {
    if (!pluginFolders.includes(folder)) return []
    const inside = modules.filter(({ path }) => path.startsWith(`${folder}/`))
    const registry = inside.find(({ path }) => path === `${folder}/index.ts`)
    if (!registry)
      return `src/${folder}/ has no registry: write its index.ts, with one \`export\` line for each plug-in`
    const files = inside.filter((module) => module !== registry).map(({ path }) => path)
    return [
      ...strayLines(registry),
      ...namesOf(registry, folder),
      ...unordered(registry),
      ...unregistered(registry, files),
    ]
  })
}

const strayLines = (registry: Module): string[] =>
  statements(registry)
    .filter((node) => node.type !== 'ExportNamedDeclaration' || !isNode(node['source']))
    .map(
      (node) =>
        `${at(registry, lineAt(registry.text, node.start))} is no \`export … from\` line: a registry holds nothing else`,
    )

function namesOf(registry: Module, folder: string): string[] {
  const noun = capital(folder.split('/').at(-1)?.replace(/s$/, '') ?? '')
  return statements(registry).flatMap((node) => {
    const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : []
    const source = isNode(node['source']) ? String(node['source']['value']) : ''
    const file = camel(source.replace(/^\.\//, '').replace(/\.js$/, ''))
    const names = specifiers.map(({ exported }) => (isNode(exported) ? String(exported['name']) : ''))
    if (names.length === 1 && (names[0] === file || names[0] === `${file}${noun}`)) return []
    const wanted = `\`export { ${file} } from '${source}'\` or \`${file}${noun}\``
    return source === ''
      ? []
      : `${at(registry, lineAt(registry.text, node.start))} exports ${names.join(', ') || 'everything'}: write ${wanted}`
  })
}

/** The names of a namespace are in the order of the alphabet, whatever that of its lines is: what lists them says the same. */
function unordered(registry: Module): string[] {
  const names = statements(registry).flatMap((node) =>
    Array.isArray(node['specifiers'])
      ? node['specifiers'].filter(isNode).map(({ exported }) => (isNode(exported) ? String(exported['name']) : ''))
      : [],
  )
  const wrong = names.find((name, index) => name < (names[index - 1] ?? ''))
  return wrong === undefined
    ? []
    : [`src/${registry.path} has \`${wrong}\` out of order: sort the lines by the exported names`]
}

const unregistered = (registry: Module, files: readonly string[]): string[] => [
  ...files
    .filter((file) => !registry.imports.some(({ target }) => target === file))
    .map((file) => `src/${file} is not registered: add its \`export\` line to src/${registry.path}`),
  ...registry.imports
    .filter(({ target }) => target === undefined || !files.includes(target))
    .map(({ specifier, line }) => `${at(registry, line)} names ${specifier}, which is no file of its folder`),
]

/** Law 5: no import leads back to where it came from, types included. */
export const noCycles: Law = (modules) => {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const finished = new Set<string>()
  const walked: string[] = []
  const found: string[] = []
  const visit = (path: string): void => {
    if (walked.includes(path)) {
      const circle = [...walked.slice(walked.indexOf(path)), path].join(' -> ')
      found.push(`${circle}: move what both ends need to a file of its own`)
      return
    }
    if (finished.has(path)) return
    walked.push(path)
    const targets = byPath.get(path)?.imports.flatMap(({ target }) => target ?? []) ?? []
    for (const target of new Set(targets)) visit(target)
    walked.pop()
    finished.add(path)
  }
  for (const { path } of modules) visit(path)
  return found
}

/** Law 6: options are read in `kernel/plan/`; the process, its environment and the console belong to the host. */
export const theHostIsLeftAlone: Law = (modules) => [
  ...edges(modules).flatMap(({ module, edge }) => {
    if (edge.target === undefined || partOf(edge.target) !== 'kernel/options') return []
    if (optionReaders.some((place) => lies(module.path, place))) return []
    return `${at(module, edge.line)} imports ${edge.target}: only plan/ reads options; add what is needed to a slice of the plan`
  }),
  ...modules.filter(({ path }) => !path.startsWith('cli/')).flatMap(touchesOfTheHost),
]

function touchesOfTheHost(module: Module): string[] {
  const harmless = new Set<SyntaxNode>()
  const found: string[] = []
  for (const node of walk(module.tree)) {
    const { object, property } = node
    if (node.type === 'MemberExpression' && isNode(object) && isNode(property) && node['computed'] !== true) {
      harmless.add(property)
      if (object['name'] === 'process' && processMembers.includes(String(property['name']))) harmless.add(object)
    }
    if (node.type === 'Property' && isNode(node['key']) && node['shorthand'] !== true) harmless.add(node['key'])
    if (node.type !== 'Identifier' || harmless.has(node)) continue
    const where = at(module, lineAt(module.text, node.start))
    if (node['name'] === 'process')
      found.push(`${where} reaches for \`process\`: only cli/ may; take what is needed as an argument`)
    if (node['name'] === 'console')
      found.push(`${where} writes to the console: give it back as a warning, an event or an error`)
    if (node['name'] === 'globalThis' && !tidiers.includes(module.path))
      found.push(`${where} reaches for \`globalThis\`: keep it in what createEngine gathers`)
  }
  return found
}

const statements = ({ tree }: Module): SyntaxNode[] => (Array.isArray(tree['body']) ? tree['body'].filter(isNode) : [])

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

const camel = (kebab: string): string =>
  kebab
    .split('-')
    .map((word, index) => (index === 0 ? word : capital(word)))
    .join('')
