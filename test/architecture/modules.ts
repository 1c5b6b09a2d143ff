import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative, sep } from 'node:path'
import { parseAst } from 'vitest/node'

/** How one module asks for another: for its types only, when it is loaded, or on first use. */
export type ImportKind = 'type' | 'value' | 'lazy'

/** One import, re-export or `import(…)`. */
export interface Import {
  /** As it is written. */
  readonly specifier: string
  readonly kind: ImportKind
  readonly line: number
  /** The module meant, as a path below the root (`kernel/fetch/fetcher.ts`), when it is one of ours. */
  readonly target?: string
}

/** A node of the syntax tree, as far as the laws need to know it. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** One source file, read and parsed. */
export interface Module {
  /** Path below the root, with `/`. */
  readonly path: string
  readonly text: string
  readonly tree: SyntaxNode
  readonly imports: readonly Import[]
}

/** Every file below `root` with one of these endings, parsed; paths sorted. */
export function readModules(root: string, endings: readonly string[] = ['.ts']): Module[] {
  return (
    readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
      .map((entry) => join(entry.parentPath, entry.name))
      // Other tests, which run beside these, write modules into hidden folders.
      .filter(
        (file) =>
          !relative(root, file)
            .split(sep)
            .some((name) => name.startsWith('.')),
      )
      .map((file) => parseModule(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  )
}

/** A module from its text: what {@link readModules} does for a file, and what a test does for a snippet. */
export function parseModule(path: string, text: string): Module {
  const tree = parseAst(text, { lang: 'ts' }, path) as unknown as SyntaxNode
  const imports = walk(tree).flatMap((node) => toImport(node, path, text) ?? [])
  return { path, text, tree, imports }
}

const programs = new WeakMap<SyntaxNode, readonly SyntaxNode[]>()

/** A node and every node below it, in source order. Those of a file are kept: each of the laws asks for them. */
export function walk(node: SyntaxNode): readonly SyntaxNode[] {
  if (node.type !== 'Program') return collect(node, [])
  const known = programs.get(node) ?? collect(node, [])
  programs.set(node, known)
  return known
}

/** A generator that calls itself would take ten times as long. */
function collect(node: SyntaxNode, into: SyntaxNode[]): readonly SyntaxNode[] {
  into.push(node)
  for (const value of Object.values(node)) {
    if (!Array.isArray(value)) {
      if (isNode(value)) collect(value, into)
    } else for (const child of value) if (isNode(child)) collect(child, into)
  }
  return into
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The line that an offset lies on, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function toImport(node: SyntaxNode, path: string, text: string): Import | undefined {
  const kind = importKind(node)
  if (!kind || !isNode(node['source'])) return undefined
  const { value } = node['source']
  // A computed name cannot be followed; the laws refuse it under this spelling.
  const specifier = typeof value === 'string' ? value : '(computed)'
  const line = lineAt(text, node.start)
  if (!specifier.startsWith('.')) return { specifier, kind, line }
  const target = posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
  return { specifier, kind, line, target }
}

function importKind(node: SyntaxNode): ImportKind | undefined {
  switch (node.type) {
    // `import { type A }` counts as a value: under `verbatimModuleSyntax` it still loads the module.
    case 'ImportDeclaration':
      return node['importKind'] === 'type' ? 'type' : 'value'
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node['exportKind'] === 'type' ? 'type' : 'value'
    case 'ImportExpression':
      return 'lazy'
    case 'TSImportType':
      return 'type'
    default:
      return undefined
  }
}
