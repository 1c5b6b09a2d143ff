import { isObject } from '../../../../base/collections/is-object.js'
import { readLiteral } from '../reading/read-literal.js'
import { listOf, membersOf, textOf } from '../reading/values.js'
import type { SiteIndexFormat } from '../site-index.js'

/** Scripts of every page of a book, at its root. Versions from 0.5 on have a hash in their names. */
const SCRIPT = /^(.*\/)(?:book|searcher|elasticlunr)(?:-[\da-f]{4,64})?(?:\.min)?\.js$/s
/** Name of the index in a version that has a hash in it. */
const NAMED = /path_to_searchindex_js\s*=\s*["']([\w./-]{1,200})["']/
/** Relative path of the root, which every page of a book has. */
const ROOT = /\bpath_to_root\s*=\s*["']((?:\.\.?\/){0,40})["']/

/**
 * `searchindex.js` of mdBook: a dump of elasticlunr with the titles and texts of all sections.
 *
 * @see https://github.com/rust-lang/mdBook/blob/master/crates/mdbook-html/src/html_handlebars/search.rs
 */
export const mdbook: SiteIndexFormat = {
  find({ scripts, inline, resolve }) {
    const path = inline.map((text) => ROOT.exec(text)?.[1]).find((found) => found !== undefined)
    if (path === undefined) return undefined
    const root = resolve(path === '' ? './' : path)
    if (root === undefined || !scripts.some((url) => SCRIPT.exec(url)?.[1] === root)) return undefined
    const named = inline.map((text) => NAMED.exec(text)?.[1]).find((found) => found !== undefined)
    return { root, files: [`${root}${named ?? 'searchindex.js'}`] }
  },
  read([file], _index, sink) {
    const index = readLiteral(file?.text ?? '')
    if (!isObject(index)) return
    const urls = listOf(index['doc_urls'])
    const store = isObject(index['index']) ? index['index']['documentStore'] : undefined
    const titled = new Set<number>()
    for (const [id, section] of membersOf(isObject(store) ? store['docs'] : undefined)) {
      const page = sink.page(urls[Number(id)])
      if (page === undefined || !isObject(section)) continue
      const title = textOf(section['title'])
      // The sections of a page are in order, and the first one has its title.
      sink.add(page, titled.has(page) ? 'section' : 'title', title)
      sink.add(page, 'text', `${title}\n${textOf(section['body'])}`)
      titled.add(page)
    }
  },
}
