import { isObject, type JsonObject } from '../../../../base/collections/is-object.js'
import { readLiteral } from '../reading/read-literal.js'
import { listOf, membersOf, textOf } from '../reading/values.js'
import type { IndexMarkup, IndexSink, IndexFiles, SiteIndexFormat } from '../site-index.js'

/** Scripts that load an index from a known place: the part of their URLs before it is the folder of the site. */
const SCRIPTS: readonly (readonly [script: RegExp, file: string])[] = [
  // MkDocs, also with the theme Read the Docs.
  [/^(.*\/)(?:search\/main|mkdocs\/js\/search)\.js$/s, 'search/search_index.json'],
  // The theme Just the Docs of Jekyll.
  [/^(.*\/)assets\/js\/just-the-docs\.js$/s, 'assets/js/search-data.json'],
]
/** The settings of Material for MkDocs. */
const MATERIAL = /^\s*\{"base":\s*"([\w./-]{1,200})"/
/** A JSON file in a script of the page: `fetch("/index.json")`, `searchIndex: '/search/en.json'`. */
const NAMED = /["'`]([\w./:-]{1,200})\.json["'`]/g
/** Names of files that are indexes. */
const INDEX_NAME = /search|lunr|fuse|(?:^|\/)index$/i

const LISTS = ['docs', 'documents', 'pages', 'posts', 'entries', 'items', 'data', 'index', 'store']
const URLS = ['url', 'relUrl', 'permalink', 'relpermalink', 'location', 'href', 'path', 'uri', 'link', 'ref', 'u']
const TITLES = ['title', 'name', 'heading', 't', 'doc', 'pageTitle', 'section']
const TEXTS = [
  'content',
  'contents',
  'text',
  'body',
  'description',
  'summary',
  'excerpt',
  'keywords',
  'tags',
  'categories',
]

/** Lists of pages in JSON, with a URL, a title and a text each: MkDocs, and many themes of Hugo, Jekyll and Hexo. */
export const json: SiteIndexFormat = {
  find: (markup) => findKnown(markup) ?? findNamed(markup),
  read([file], _index, sink) {
    const titled = new Set<number>()
    for (const entry of findEntries(readLiteral(file?.text ?? ''))) addEntry(entry, titled, sink)
  },
}

function findKnown({ scripts, inline, resolve }: IndexMarkup): IndexFiles | undefined {
  for (const [pattern, file] of SCRIPTS) {
    const root = scripts.map((url) => pattern.exec(url)?.[1]).find((found) => found !== undefined)
    if (root !== undefined) return { root, files: [`${root}${file}`] }
  }
  const base = inline.map((text) => MATERIAL.exec(text)?.[1]).find((found) => found !== undefined)
  const root = base === undefined ? undefined : resolve(base.replace(/\/?$/, '/'))
  return root === undefined ? undefined : { root, files: [`${root}search/search_index.json`] }
}

/** Finds an index that a script of the page names. Its paths are relative to its folder, or to the root of the host. */
function findNamed({ inline, resolve }: IndexMarkup): IndexFiles | undefined {
  const names = inline.flatMap((text) => Array.from(text.matchAll(NAMED), ([, name = '']) => name))
  const name = names.find((one) => INDEX_NAME.test(one))
  const file = name === undefined ? undefined : resolve(`${name}.json`)
  return file === undefined ? undefined : { root: file.slice(0, file.lastIndexOf('/') + 1), files: [file] }
}

/** Finds the list of pages: the value itself, a member of it, or the members of either. */
function findEntries(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return listOf(value)
  if (!isObject(value)) return []
  const list = LISTS.map((name) => value[name]).find((found) => Array.isArray(found) || isObject(found))
  if (Array.isArray(list)) return listOf(list)
  return membersOf(list ?? value).map(([url, entry]) =>
    // An object of pages may have their URLs, or numbers, as names.
    isObject(entry) && find(entry, URLS) === undefined ? { ...entry, url } : entry,
  )
}

function addEntry(entry: unknown, titled: Set<number>, sink: IndexSink): void {
  if (!isObject(entry)) return
  const url = textOf(find(entry, URLS))
  const page = url === '' ? undefined : sink.page(url)
  if (page === undefined) return
  const title = textOf(find(entry, TITLES))
  sink.add(page, url.includes('#') && titled.has(page) ? 'section' : 'title', title)
  titled.add(page)
  const texts = TEXTS.flatMap((name) => {
    const text = entry[name]
    return Array.isArray(text) ? listOf(text).slice(0, 100).map(textOf) : [textOf(text)]
  })
  sink.add(page, 'text', [title, ...texts].join('\n'))
}

/** The first member with one of these names, in any case, that is a text. */
function find(entry: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = entry[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
