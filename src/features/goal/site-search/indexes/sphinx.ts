import { isObject } from '../../../../base/collections/is-object.js'
import { readLiteral } from '../reading/read-literal.js'
import { listOf, membersOf } from '../reading/values.js'
import { indexLimits, type IndexSink, type SiteIndexFormat } from '../site-index.js'

/** Scripts of the theme `basic`, which all others load, below the root of the site. */
const SCRIPT = /^(.*\/)_static\/(?:doctools|documentation_options|searchtools)\.js$/s

/**
 * `searchindex.js` of Sphinx, from 1.0 on: titles, keywords, names and stems, each with the numbers of their pages.
 *
 * @see https://github.com/sphinx-doc/sphinx/blob/master/sphinx/search/__init__.py
 */
export const sphinx: SiteIndexFormat = {
  find({ scripts, searchPages }) {
    for (const script of scripts) {
      const root = SCRIPT.exec(script)?.[1]
      if (root === undefined) continue
      // The builder `dirhtml` names a page by its folder.
      const isFolder = searchPages.some((url) => url === `${root}search/` || url === `${root}genindex/`)
      return { root, files: [`${root}searchindex.js`], suffix: isFolder ? '/' : '.html' }
    }
    return undefined
  },
  read([file], { suffix = '.html' }, sink) {
    const index = readLiteral(file?.text ?? '')
    if (!isObject(index)) return
    const names = listOf(index['docnames']).length > 0 ? listOf(index['docnames']) : listOf(index['filenames'])
    const pages = names.map((name) => sink.page(pathOf(name, suffix)))
    const titles = listOf(index['titles'])
    for (const [at, page] of pages.entries()) sink.add(page, 'title', titles[at])
    const pageOf = (at: unknown): number | undefined => (typeof at === 'number' ? pages[at] : undefined)
    for (const member of ['alltitles', 'indexentries']) readSections(index[member], pageOf, sink)
    readObjects(index['objects'], pageOf, sink)
    readStems(index['terms'], 'text', pageOf, sink)
    readStems(index['titleterms'], 'section', pageOf, sink)
  },
}

type PageOf = (at: unknown) => number | undefined

function pathOf(name: unknown, suffix: string): string | undefined {
  if (typeof name !== 'string') return undefined
  if (suffix !== '/') return `./${name}${suffix}`
  return name === 'index' ? './' : `./${name.replace(/(?<=\/)index$/, '').replace(/(?<!\/)$/, '/')}`
}

/** Reads titles of sections and entries of the list of keywords: each has pairs of a page and an anchor. */
function readSections(value: unknown, pageOf: PageOf, sink: IndexSink): void {
  for (const [title, places] of membersOf(value)) {
    for (const place of listOf(places)) sink.add(pageOf(listOf(place)[0]), 'section', title)
  }
}

/** Reads names of functions and classes: `{ module: { name: [page, …] } }`, since Sphinx 4.3 `{ module: [[page, …, name]] }`. */
function readObjects(value: unknown, pageOf: PageOf, sink: IndexSink): void {
  for (const [prefix, names] of membersOf(value)) {
    const module = prefix.slice(0, indexLimits.name)
    const add = (at: unknown, name: unknown): void => {
      if (typeof name === 'string') sink.add(pageOf(at), 'section', `${module} ${name}`)
    }
    for (const [name, facts] of membersOf(names)) add(listOf(facts)[0], name)
    for (const facts of listOf(names)) add(listOf(facts)[0], listOf(facts)[4])
  }
}

/** Reads stems: each has a page, or a list of pages. */
function readStems(value: unknown, field: 'section' | 'text', pageOf: PageOf, sink: IndexSink): void {
  for (const [stem, pages] of membersOf(value)) {
    sink.addStem(stem, field, () => (Array.isArray(pages) ? listOf(pages) : [pages]).map(pageOf))
  }
}
