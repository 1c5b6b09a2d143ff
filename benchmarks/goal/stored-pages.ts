import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { digest, type DigestPlan } from '../../src/content/digest/digest.js'
import type { FoundLink } from '../../src/content/extract/extracted-page.js'
import { findGoalWords, type GoalFindings } from '../../src/features/goal/goal-reader.js'
import { targetOf } from '../../src/content/extract/links.js'
import { LinkResolver } from '../../src/content/html/link-resolver.js'
import {
  BLOCK_ELEMENTS,
  type ChildNode,
  Document,
  Element,
  isElement,
  isHeading,
  isText,
  setChildren,
  Text,
} from '../../src/content/html/tree.js'
import { parse } from '../../src/content/parse/parse.js'
import type { ParsedPage, ParserInput } from '../../src/content/parse/parser.js'
import type { GoalTerms } from '../../src/features/goal/relevance/goal-words.js'
import { settingsName } from '../../src/features/goal/site-search/reading/markup-reader.js'
import type { LinkWords } from '../../src/features/goal/relevance/goal-matcher.js'
import type { Site } from './questions.js'

/** A text, or an element with its attributes and children. */
type StoredNode = string | readonly [name: string, attribs: Readonly<Record<string, string>>, children: StoredNode[]]

interface StoredPage {
  readonly baseUrl: string
  readonly tree: readonly StoredNode[]
}

/** Words of a goal on a page, and its links with theirs. */
export interface ReadPage {
  readonly page: GoalFindings
  readonly links: readonly FoundLink[]
}

/** Words of a goal on a page; those of each link in the order of the links. */
interface StoredWords {
  readonly page: GoalFindings
  readonly links: readonly LinkWords[]
}

/** Files of which the words of a goal on a page depend. */
const READERS = [
  'goal/relevance/goal-matcher',
  'goal/relevance/split-words',
  'goal/relevance/word-forms',
  'goal/goal-reader',
  'goal/site-search/find-site-index',
  'goal/site-search/indexes/index',
  'goal/site-search/reading/markup-reader',
]

/** Words that were found on pages, by their paths. */
type WordsByPage = Record<string, StoredWords>

/**
 * Reads the pages of a site from files, as a crawl reads them over HTTP. What does not depend on a goal is computed once for
 * each page and stored in a folder: its links, and the part of its tree that the reader of goals looks at.
 */
export class StoredPages {
  readonly origin = 'http://127.0.0.1:8080/'
  readonly #site: Site
  readonly #folder: string
  readonly #plan: DigestPlan
  readonly #version = createHash('sha256')

  constructor(site: Site, cache: string, plan: DigestPlan) {
    this.#site = site
    this.#plan = plan
    this.#folder = join(cache, site.name)
    mkdirSync(this.#folder, { recursive: true })
    for (const name of READERS)
      this.#version.update(readFileSync(new URL(`../../src/features/${name}.js`, import.meta.url)))
  }

  /** URL of the folder of the site. */
  get root(): string {
    return `${this.origin}${this.#site.name}/`
  }

  /** Path of a URL below the folder of the site. */
  pathOf(url: string): string {
    return decodeURI(url.slice(this.root.length))
  }

  /** Links of a page; undefined if there is no such file. */
  linksOf(url: string): readonly FoundLink[] | undefined {
    const input = this.#read(url)
    return input && this.#load(url, 'links', () => digest(input(), this.#plan).links)
  }

  /** Reads any file of the site. */
  fileOf(url: string): Uint8Array | undefined {
    const file = join(this.#site.folder, this.pathOf(url))
    return url.startsWith(this.root) && existsSync(file) ? readFileSync(file) : undefined
  }

  /** Words of goals on pages, as far as they were stored. @returns a reader, and a function that stores all words that were found */
  openGoal(terms: GoalTerms): { find: (url: string) => ReadPage | undefined; save: () => void } {
    const key = this.#version.copy().update(JSON.stringify(terms)).digest('hex').slice(0, 20)
    const file = join(this.#folder, `goal-${key}.json`)
    const known: WordsByPage = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as WordsByPage) : {}
    let hasNew = false
    const find = (url: string): ReadPage | undefined => {
      const links = this.linksOf(url)
      if (!links) return undefined
      hasNew ||= !known[url]
      const words = (known[url] ??= this.#findWords(url, links, terms))
      return { page: words.page, links: joinWords(links, words.links) }
    }
    return { find, save: () => hasNew && writeFileSync(file, JSON.stringify(known)) }
  }

  #findWords(url: string, links: readonly FoundLink[], terms: GoalTerms): StoredWords {
    const { baseUrl, tree } = this.#load(url, 'markup', () => this.#parse(url))
    const root = new Document([])
    setChildren(root, tree.map(toNode))
    const page = { url, baseUrl, tree: { root } } as unknown as ParsedPage
    return findGoalWords(page, { argument: terms, links, resolver: new LinkResolver(baseUrl) })
  }

  #parse(url: string): StoredPage {
    const input = this.#read(url)
    if (!input) throw new Error(`${url} is no file`)
    const { baseUrl, tree } = parse(input(), this.#plan.parse)
    return { baseUrl, tree: tree.root.children.flatMap(toStored) }
  }

  /** Finds the file of a URL. @returns undefined if there is none, otherwise a function that reads it */
  #read(url: string): (() => ParserInput) | undefined {
    const path = this.pathOf(url.replace(/[?#].*$/, ''))
    if (!url.startsWith(this.root) || !/\.(html|txt)$/.test(path)) return undefined
    const file = join(this.#site.folder, path)
    if (!existsSync(file)) return undefined
    const contentType = path.endsWith('.txt') ? 'text/plain' : 'text/html'
    return () => ({ url, body: readFileSync(file), contentType })
  }

  #load<Value>(url: string, kind: string, create: () => Value): Value {
    const name = createHash('sha256').update(url).digest('hex').slice(0, 20)
    const file = join(this.#folder, `${name}-${kind}.json`)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Value
    const value = create()
    writeFileSync(file, JSON.stringify(value))
    return value
  }
}

const NO_WORDS: LinkWords = { anchor: 0, path: 0, heading: 0, near: 0 }

const joinWords = (links: readonly FoundLink[], words: readonly LinkWords[]): FoundLink[] =>
  links.map((link, at) => ({ ...link, found: words[at] ?? NO_WORDS }))

/** Attributes that the targets of links, and the names of search indexes, are read from. */
const KEPT_ATTRIBUTES = ['href', 'src', 'rel', 'http-equiv', 'content', 'hreflang', 'action']
/** Elements that may name a search index. */
const INDEX_ELEMENTS = new Set(['script', 'link', 'form'])
/** Beginning of a script that is kept. Characters. */
const MAX_SCRIPT = 4000

/** Keeps what the reader of goals looks at: texts, blocks, titles, headings, links and scripts. */
function toStored(node: ChildNode): StoredNode[] {
  if (isText(node)) return [node.data]
  if (!isElement(node) || node.name === 'style') return []
  const isScript = node.name === 'script'
  const children = node.children
    .flatMap(toStored)
    .map((child) => (isScript ? child.slice(0, MAX_SCRIPT) : child) as StoredNode)
  if (settingsName(node) !== undefined) return [[node.name, { ...node.attribs }, children]]
  const isLink = targetOf(node) !== undefined || INDEX_ELEMENTS.has(node.name)
  if (!isLink && node.name !== 'title' && !isHeading(node) && !BLOCK_ELEMENTS.has(node.name)) return children
  const attribs = isLink ? KEPT_ATTRIBUTES.filter((name) => name in node.attribs) : []
  return [[node.name, Object.fromEntries(attribs.map((name) => [name, node.attribs[name] ?? ''])), children]]
}

function toNode(stored: StoredNode): ChildNode {
  if (typeof stored === 'string') return new Text(stored)
  const [name, attribs, children] = stored
  const element = new Element(name, { ...attribs })
  setChildren(element, children.map(toNode))
  return element
}
