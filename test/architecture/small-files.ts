import { posix } from 'node:path'
import { countCodeLines } from './habits.js'
import { pluginFolders } from './house.js'
import type { Module, SyntaxNode } from './modules.js'
import { isNode } from './modules.js'
import { aloneBySubject } from './small-file-exceptions.js'

/** Lines of code up to which a file is small. */
const MAX_SMALL = 50
/** Lines of code up to which a file with a small one in it is still easy to read. */
const MAX_MERGED = 250

/**
 * Law 9 as well: a small file whose only importer stands beside it belongs into that importer, unless it is a plug-in or a contract, has a test of
 * its own, would make the importer long, or is a subject of its own.
 *
 * @param tests modules of the tests, with paths below `test/`
 */
export function smallFilesAreMerged(modules: readonly Module[], tests: readonly Module[]): string[] {
  const alone = findAlone(modules, tests)
  return [
    ...[...alone]
      .filter(([path]) => aloneBySubject[path] === undefined)
      .map(
        ([path, importer]) =>
          `src/${path} is small, and only ${importer} imports it: make it a part of that file, or say in test/architecture/small-file-exceptions.ts why it reads better alone`,
      ),
    ...Object.keys(aloneBySubject)
      .filter((path) => !alone.has(path))
      .map((path) => `src/${path} needs no exception any more: take it off test/architecture/small-file-exceptions.ts`),
  ]
}

/** Finds the files that the law is about, with their importers. */
function findAlone(modules: readonly Module[], tests: readonly Module[]): ReadonlyMap<string, string> {
  const lines = new Map(modules.map((module) => [module.path, countCodeLines(module)]))
  const importers = new Map<string, Set<string>>()
  for (const { path, imports } of modules)
    for (const { target = '' } of imports) importers.set(target, (importers.get(target) ?? new Set()).add(path))
  const tested = new Set(
    tests.flatMap(({ imports }) => imports.map(({ target = '' }) => target.replace(/^\.\.\/src\//, ''))),
  )
  return new Map(
    modules.flatMap((module) => {
      const { path } = module
      const [importer, ...others] = importers.get(path) ?? []
      if (importer === undefined || others.length > 0 || folderOf(importer) !== folderOf(path)) return []
      const [own = 0, more = 0] = [lines.get(path), lines.get(importer)]
      if (own > MAX_SMALL || own + more > MAX_MERGED || tested.has(path)) return []
      return isPlugin(module, importer) || isContract(module) ? [] : [[path, importer] as const]
    }),
  )
}

const folderOf = (path: string): string => posix.dirname(path)

/** One of a registry's folder, a format that a feature lists, and a text that the build fills in. */
const isPlugin = ({ path, text }: Module, importer: string): boolean =>
  (posix.basename(importer) === 'index.ts' &&
    (pluginFolders.includes(folderOf(path)) || /: EnrichFormat</.test(text))) ||
  posix.basename(path).startsWith('packed-')

/** Types alone, for those who implement or call what they describe. */
const isContract = ({ tree }: Module): boolean =>
  Array.isArray(tree['body']) &&
  tree['body'].filter(isNode).every((statement: SyntaxNode) => {
    if (statement.type === 'ImportDeclaration') return true
    const declared = isNode(statement['declaration']) ? statement['declaration'] : statement
    return declared.type === 'TSInterfaceDeclaration' || declared.type === 'TSTypeAliasDeclaration'
  })
