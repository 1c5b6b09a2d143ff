import { isObject, type JsonObject } from '../../../../base/collections/is-object.js'
import { readLiteral } from '../reading/read-literal.js'
import { listOf, membersOf, textOf } from '../reading/values.js'
import { VlqReader } from '../reading/vlq-reader.js'
import { indexLimits, type IndexSink, type SiteIndexFormat } from '../site-index.js'

const ROOT = /^(?:\.\.?\/){1,40}$/
/** Version of the documentation, in the names of its files. */
const VERSION = /^[\w.+-]{0,100}$/

/** Kinds of items by their numbers, as in names of files and anchors. */
const KINDS = (
  'mod externcrate import struct enum fn type static trait impl tymethod method structfield variant macro primitive associatedtype ' +
  'constant associatedconstant union foreigntype keyword existential attr derive traitalias generic'
).split(' ')
/** Kinds of items by their numbers, since Rust 1.76. */
const NEWER_KINDS = ['keyword', 'primitive', ...KINDS.filter((kind) => kind !== 'keyword' && kind !== 'primitive')]
/** Numbers of `primitive`, `struct` and `trait` since Rust 1.76. Before, no parent of an item had them. */
const NEWER_PARENTS: ReadonlySet<unknown> = new Set([1, 5, 10])
/** Kinds of items that are sections of the page of their parent, and have no page of their own. */
const SECTIONS: ReadonlySet<string> = new Set(
  'impl tymethod method structfield variant associatedtype associatedconstant generic'.split(' '),
)
const CODE_A = 65

/** An item, or the parent of items: a type with methods, a variant with fields. */
interface Item {
  readonly kind: string
  readonly name: string
}

/** A crate of an index, its columns by one letter each. */
interface Crate {
  readonly name: string
  readonly columns: JsonObject
}

/**
 * `search-index.js` of rustdoc, from Rust 1.52 to 1.90: names, paths and kinds of all items. Up to 1.78, it has the first lines of
 * their descriptions as well. Newer ones have an index of binary trees in thousands of files, which is not read.
 *
 * @see https://rustc-dev-guide.rust-lang.org/rustdoc-internals/search.html
 */
export const rustdoc: SiteIndexFormat = {
  find({ settings, resolve }) {
    const {
      'data-root-path': path = '',
      'data-resource-suffix': version = '',
      'data-search-index-js': named,
      'data-stringdex-js': newer,
    } = settings.get('rustdoc-vars') ?? {}
    if (newer !== undefined || !ROOT.test(path) || !VERSION.test(version)) return undefined
    const root = resolve(path)
    const file = named === undefined ? root && `${root}search-index${version}.js` : resolve(named)
    return root === undefined || file === undefined ? undefined : { root, files: [file] }
  },
  read([file], _index, sink) {
    const value = readLiteral(file?.text ?? '')
    // A list of pairs is the argument of `new Map()`.
    const pairs = Array.isArray(value) ? listOf(value).map(listOf) : membersOf(value)
    const crates = pairs.flatMap(([name, columns]) => (isObject(columns) ? [{ name: textOf(name), columns }] : []))
    const isNewer = Array.isArray(value) || crates.some(hasNewerParents)
    for (const crate of crates) readCrate(crate, isNewer ? NEWER_KINDS : KINDS, sink)
  },
}

const hasNewerParents = ({ columns }: Crate): boolean =>
  listOf(columns['p']).some((parent) => NEWER_PARENTS.has(listOf(parent)[0]))

function readCrate({ name: crate, columns }: Crate, kinds: readonly string[], sink: IndexSink): void {
  // Books and other crates may be below the same root.
  sink.addFolder(`./${crate}/`)
  addPage(`${crate}/index.html`, crate, columns['doc'], sink)
  const names = listOf(columns['n'])
  const texts = listOf(columns['d'])
  const kindAt = readKinds(columns['t'], kinds)
  const parentAt = readParents(columns, kinds)
  const pathAt = readPaths(columns['q'])
  let name = ''
  for (const [at, given] of names.entries()) {
    // An empty name is that of the item before.
    name = textOf(given) || name
    const [kind, parent, path] = [kindAt(at), parentAt(at), pathAt(at)]
    if (kind === undefined || path.length > indexLimits.name || name.length > indexLimits.name) continue
    addItem({ kind, name }, { path, parent, text: textOf(texts[at]) }, sink)
  }
}

function addItem(
  { kind, name }: Item,
  { path, parent, text }: { path: string; parent: Item | undefined; text: string },
  sink: IndexSink,
): void {
  const folder = path.replaceAll('::', '/')
  const hasPage = kind === 'primitive' || kind === 'keyword' || !parent
  if (!parent && SECTIONS.has(kind)) return
  if (kind === 'mod') addPage(`${folder}/${name}/index.html`, `${path}::${name}`, text, sink)
  else if (kind === 'externcrate') addPage(`${name}/index.html`, name, text, sink)
  else if (kind === 'import') addSection(`${folder}/index.html`, name, text, sink)
  else if (hasPage) addPage(`${folder}/${kind}.${name}.html`, `${path}::${name}`, text, sink)
  else if (parent.kind !== 'variant') addSection(`${folder}/${parent.kind}.${parent.name}.html`, name, text, sink)
  else {
    // The path of a field of a variant ends with the name of the enum.
    const end = folder.lastIndexOf('/')
    addSection(`${folder.slice(0, Math.max(0, end))}/enum.${folder.slice(end + 1)}.html`, name, text, sink)
  }
}

function addPage(path: string, title: string, text: unknown, sink: IndexSink): void {
  const page = sink.page(`./${path}`)
  sink.add(page, 'title', title)
  sink.add(page, 'text', text)
}

/** Adds an item that is described in the page of another one. */
function addSection(path: string, name: string, text: string, sink: IndexSink): void {
  const page = sink.page(`./${path}`)
  sink.add(page, 'section', name)
  if (text !== '') sink.add(page, 'text', `${name}\n${text}`)
}

/** Reads the kinds of items: a list of numbers, or a text with one letter each, from `A` on. */
function readKinds(column: unknown, kinds: readonly string[]): (at: number) => string | undefined {
  if (typeof column === 'string') return (at) => kinds[column.charCodeAt(at) - CODE_A]
  const numbers = listOf(column)
  return (at) => kindOf(numbers[at], kinds)
}

const kindOf = (number: unknown, kinds: readonly string[]): string | undefined =>
  typeof number === 'number' ? kinds[number] : undefined

/**
 * Reads the parents of items: for each item, the number of its parent in the list `p` from 1 on, or 0.
 *
 * @returns a function to be called for one item after the other
 */
function readParents({ p, i }: JsonObject, kinds: readonly string[]): (at: number) => Item | undefined {
  const parents = listOf(p).map((parent) => {
    const [number, name] = listOf(parent)
    const kind = kindOf(number, kinds)
    return kind === undefined ? undefined : { kind, name: textOf(name) }
  })
  if (typeof i === 'string') {
    const reader = new VlqReader(i)
    return () => parents[reader.next() - 1]
  }
  const numbers = listOf(i)
  return (at) => parents[Number(numbers[at]) - 1]
}

/**
 * Reads the paths of the modules of items, each for the items up to the next one: a text for each item, empty for that of the item
 * before, or pairs of the number of an item and its path.
 *
 * @returns a function to be called for one item after the other
 */
function readPaths(column: unknown): (at: number) => string {
  const paths = listOf(column)
  const isSparse = Array.isArray(paths[0])
  const byItem = new Map(isSparse ? paths.map((pair) => [listOf(pair)[0], listOf(pair)[1]] as const) : paths.entries())
  let path = ''
  return (at) => (path = textOf(byItem.get(at)) || path)
}
