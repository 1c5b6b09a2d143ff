import { isObject } from '../../../../base/collections/is-object.js'
import { readLiteral } from '../reading/read-literal.js'
import { listOf, textOf } from '../reading/values.js'
import { indexLimits, type IndexFile, type SiteIndexFormat } from '../site-index.js'

/** Relative path of the root, which every page has beside the call that loads the index. */
const ROOT = /\bpathtoroot\s*=\s*["']((?:\.\.?\/){0,40})["']/
const KINDS = ['package', 'type', 'member', 'tag'] as const
/** Name of the package of classes without one. */
const UNNAMED = '<Unnamed>'

/**
 * `type-search-index.js` and others of javadoc, from Java 9 on: names of packages, classes, members and tags.
 *
 * @see https://docs.oracle.com/en/java/javase/21/docs/specs/javadoc/javadoc-search-spec.html
 */
export const javadoc: SiteIndexFormat = {
  find({ inline, resolve }) {
    const script = inline.find((text) => text.includes('loadScripts(') && ROOT.test(text))
    const path = script === undefined ? undefined : ROOT.exec(script)?.[1]
    const root = path === undefined ? undefined : resolve(path === '' ? './' : path)
    if (root === undefined) return undefined
    return { root, files: KINDS.map((kind) => `${root}${kind}-search-index.js`) }
  },
  read(files, _index, sink) {
    const read = (kind: (typeof KINDS)[number]) => readEntries(files, kind)
    const modules = new Map(read('package').map(({ l, m }) => [textOf(l), textOf(m)]))
    const pageOf = (from: unknown, className: unknown, path: unknown): number | undefined => {
      const [name, file] = [textOf(from), textOf(className)]
      if (name.length > indexLimits.name) return undefined
      if (path !== undefined) return sink.page(path)
      const module = modules.get(name)
      const folder = name === UNNAMED || name === '' ? '' : `${name.replaceAll('.', '/')}/`
      return sink.page(`./${module === undefined || module === '' ? '' : `${module}/`}${folder}${file}.html`)
    }
    for (const { l, u } of read('package')) sink.add(pageOf(l, 'package-summary', u), 'title', l)
    for (const { p, l, u } of read('type')) sink.add(pageOf(p, l, u), 'title', `${textOf(p)} ${textOf(l)}`)
    for (const { p, c, l } of read('member')) sink.add(pageOf(p, c, undefined), 'section', l)
    for (const { l, u } of read('tag')) sink.add(sink.page(u), 'section', l)
  },
}

/** Reads the entries of a file; none where the file is missing, because the others say enough. @throws SyntaxError for a broken one */
function readEntries(files: readonly IndexFile[], kind: string): Readonly<Record<string, unknown>>[] {
  const file = files.find(({ url }) => url.endsWith(`${kind}-search-index.js`))
  if (!file) return []
  // `memberSearchIndex = […]`
  return listOf(readLiteral(file.text)).filter(isObject)
}
