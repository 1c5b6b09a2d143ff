import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseAst } from 'vitest/node'

/** Node of the syntax tree: the members that are used here. */
interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** A doc comment: its prose, and the tags that the reference shows. */
export interface DocComment {
  readonly text: string
  /** The text of `@default`. */
  readonly fallback?: string
  /** The text of `@deprecated`. */
  readonly deprecated?: string
}

/** A property of an interface. */
export interface Member {
  readonly name: string
  /** Source of the type, without `undefined` and on one line. */
  readonly type: string
  readonly isOptional: boolean
  readonly doc: DocComment
  /** Declaration that contains it. */
  readonly owner: Declaration
}

/** An interface, a type or a constant of the source. */
export interface Declaration {
  readonly name: string
  /** The file, below `src/`. */
  readonly path: string
  readonly doc: DocComment
  /** Properties of an interface, without inherited ones. */
  readonly members: readonly Member[]
  /**
   * Types in its `extends` clause, including those in `Pick<…>` and `Omit<…>`, with the properties that these exclude.
   */
  readonly extended: readonly { readonly name: string; readonly omitted: readonly string[] }[]
  /** The type of an alias, or the type annotation of a constant. */
  readonly type: string
  /** Members of a union type that are string literals, each with its comment. */
  readonly literals: ReadonlyMap<string, DocComment>
}

/** All declarations of the source by name. */
export interface Declarations {
  /**
   * Finds the declaration that a name refers to.
   *
   * @param user declaration that uses the name; without it the name is an export of `index.ts`
   */
  find(name: string, user?: Declaration): Declaration | undefined
  /** Lists the declarations of a name in all files. */
  findAll(name: string): readonly Declaration[]
  /** Finds the declaration of a name in a file. */
  findIn(path: string, name: string): Declaration | undefined
  /** Lists the properties of an interface, with inherited ones that it does not redefine. */
  membersOf(declaration: Declaration): ReadonlyMap<string, Member>
}

/** Reads every interface, type and exported constant below a folder. */
export function readDeclarations(root: string): Declarations {
  const byName = new Map<string, Declaration[]>()
  const importsOf = new Map<string, Imports>()
  const additions = new Map<string, Declaration[]>()
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
    const file = join(entry.parentPath, entry.name)
    const path = relative(root, file).split(sep).join('/')
    const text = readFileSync(file, 'utf8')
    const { body } = parseAst(text, { lang: 'ts' }, path) as unknown as { body: SyntaxNode[] }
    importsOf.set(path, readImports(body, path))
    for (const { target, name, added } of readAdditions(body, path, text)) {
      const key = `${target} ${name}`
      additions.set(key, [...(additions.get(key) ?? []), added])
    }
    for (const declaration of readFile(body, path, text)) {
      byName.set(declaration.name, [...(byName.get(declaration.name) ?? []), declaration])
    }
  }
  const findIn = (path: string, name: string): Declaration | undefined =>
    byName.get(name)?.find((declaration) => declaration.path === path)
  // A parameter of a type is no declaration, though another file may declare its name.
  const guess = (path: string, name: string): Declaration | undefined => {
    const all = byName.get(name) ?? []
    const near = all.filter((declaration) => declaration.path.split('/')[0] === path.split('/')[0])
    return near[0] ?? (all.length === 1 || path === 'index.ts' ? all[0] : undefined)
  }
  const find = (name: string, { path }: Pick<Declaration, 'path'> = { path: 'index.ts' }): Declaration | undefined =>
    findIn(path, name) ?? findIn(importsOf.get(path)?.get(name) ?? '', name) ?? guess(path, name)
  const membersOf = (declaration: Declaration): Map<string, Member> =>
    new Map([
      ...declaration.extended.flatMap(({ name, omitted }) => {
        const parent = find(name, declaration)
        return parent && parent !== declaration
          ? [...membersOf(parent)].filter(([member]) => !omitted.includes(member))
          : []
      }),
      ...declaration.members.map((member) => [member.name, member] as const),
      ...(additions.get(`${declaration.path} ${declaration.name}`) ?? []).flatMap((added) => [...membersOf(added)]),
    ])
  return { find, findAll: (name) => byName.get(name) ?? [], findIn, membersOf }
}

/** Imported names of a file: the file that declares each, and its name there. */
type Imports = ReadonlyMap<string, string>

const readImports = (body: readonly SyntaxNode[], path: string): Imports =>
  new Map(
    body.flatMap(({ source, specifiers }) => {
      const file = isNode(source) ? String(source['value']) : ''
      const target = posix.join(posix.dirname(path), file).replace(/\.js$/, '.ts')
      return listOf(specifiers).map(({ imported, local }) => [nameOf(imported ?? local), target] as const)
    }),
  )

/** Reads what a file adds to interfaces of other files: `declare module './x.js' { interface X extends Y {} }`. */
function readAdditions(
  body: readonly SyntaxNode[],
  path: string,
  text: string,
): { readonly target: string; readonly name: string; readonly added: Declaration }[] {
  return body.flatMap(({ type, id, body: block }) => {
    const file = isNode(id) && typeof id['value'] === 'string' ? id['value'] : ''
    if (type !== 'TSModuleDeclaration' || !file.startsWith('.') || !isNode(block)) return []
    const target = posix.join(posix.dirname(path), file).replace(/\.js$/, '.ts')
    return listOf(block['body']).flatMap((node) =>
      node.type === 'TSInterfaceDeclaration'
        ? [{ target, name: nameOf(node['id']), added: readInterface(node, path, text, docBefore(text, node.start)) }]
        : [],
    )
  })
}

function readFile(body: readonly SyntaxNode[], path: string, text: string): Declaration[] {
  return body.flatMap((statement) => {
    const node = isNode(statement['declaration']) ? statement['declaration'] : statement
    const doc = docBefore(text, statement.start)
    const source = (part: unknown): string => (isNode(part) ? text.slice(part.start, part.end) : '')
    if (node.type === 'TSInterfaceDeclaration') return [readInterface(node, path, text, doc)]
    if (node.type === 'TSTypeAliasDeclaration') {
      const type = node['typeAnnotation']
      return [
        { ...empty(nameOf(node['id']), path, doc), type: clean(source(type)), literals: readLiterals(type, text) },
      ]
    }
    if (node.type !== 'VariableDeclaration') return []
    return listOf(node['declarations']).flatMap(({ id }) => {
      const annotation = isNode(id) ? id['typeAnnotation'] : undefined
      return isNode(id) ? [{ ...empty(nameOf(id), path, doc), type: clean(source(annotation).replace(/^:/, '')) }] : []
    })
  })
}

const empty = (name: string, path: string, doc: DocComment): Declaration => ({
  name,
  path,
  doc,
  members: [],
  extended: [],
  type: '',
  literals: new Map(),
})

function readInterface(node: SyntaxNode, path: string, text: string, doc: DocComment): Declaration {
  const members: Member[] = []
  const extended = listOf(node['extends']).flatMap((parent) => {
    const written = text.slice(parent.start, parent.end)
    const omitted = [...(/^Omit<[^,]*,(.*)>$/s.exec(written)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
      ([, name = '']) => name,
    )
    return [...written.matchAll(/\b(?!Pick\b|Omit\b|Partial\b)[A-Z]\w+/g)].map(([name]) => ({ name, omitted }))
  })
  const declaration = { ...empty(nameOf(node['id']), path, doc), members, extended }
  const { body } = node
  for (const member of isNode(body) ? listOf(body['body']) : []) {
    const { typeAnnotation } = member
    if (member.type !== 'TSPropertySignature' || !isNode(typeAnnotation)) continue
    members.push({
      name: nameOf(member['key']),
      type: clean(text.slice(typeAnnotation.start, typeAnnotation.end).replace(/^:/, '')),
      isOptional: member['optional'] === true,
      doc: docBefore(text, member.start),
      owner: declaration,
    })
  }
  return declaration
}

function readLiterals(type: unknown, text: string): Map<string, DocComment> {
  const parts = isNode(type) ? listOf(type['types']) : []
  return new Map(
    parts.flatMap((part) => {
      const { literal } = part
      const value = isNode(literal) ? literal['value'] : undefined
      return typeof value === 'string' ? [[value, docBefore(text, part.start)] as const] : []
    }),
  )
}

/** Normalises the source of a type: one line, without `undefined` and `readonly`. */
const clean = (type: string): string =>
  type
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/([^{;,|<\s])\s*\n\s*(?=\w+\??:)/g, '$1; ')
    .replace(/\s+/g, ' ')
    .replace(/\s*\| undefined\b/g, '')
    .replace(/\breadonly /g, '')
    .replace(/\bReadonly<(Record<(?:[^<>]|<[^<>]*>)*>)>/g, '$1')
    .replace(/(^|[<(])\s*\| /g, '$1')
    .replace(/< | (?=>)/g, (sign) => sign.trim())
    .trim()

/** Returns the doc comment that ends directly before a position. */
function docBefore(text: string, place: number): DocComment {
  // The comment of a union's member precedes its `|`.
  const before = text
    .slice(Math.max(0, place - 10_000), place)
    .trimEnd()
    .replace(/\|$/, '')
    .trimEnd()
  const comment = before.endsWith('*/')
    ? (/^\*([\s\S]*)/.exec(before.slice(before.lastIndexOf('/*') + 2, -2))?.[1] ?? '')
    : ''
  const lines = comment.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trimEnd())
  const [prose = '', ...tags] = lines
    .join('\n')
    .split(/(?:^|\s)(?=@(?:default|deprecated|see|throws|example|internal|param|typeParam|returns)\b)/)
  const tag = (name: string): string | undefined =>
    tags
      .find((one) => one.startsWith(`@${name}`))
      ?.slice(name.length + 1)
      .replace(/\s+/g, ' ')
      .trim()
  const [fallback, deprecated] = [tag('default'), tag('deprecated')]
  return {
    text: prose.replace(/\{@link ([^}|]+)\}/g, '`$1`').trim(),
    ...(fallback !== undefined && { fallback }),
    ...(deprecated !== undefined && { deprecated }),
  }
}

const nameOf = (id: unknown): string => (isNode(id) ? String(id['name'] ?? id['value']) : '')

const listOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : [])

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value
