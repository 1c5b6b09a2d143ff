import type { ExtractedPage } from '../../extract/extracted-page.js'
import { TOKEN, weigh } from '../split/estimate-tokens.js'
import { frontMatterEnd } from '../markdown-blocks/markdown-blocks.js'

/** What a page says about itself, under the names that the document's metadata has, in this order. */
const NAMES = ['title', 'url', 'description', 'author', 'publishedTime', 'modifiedTime', 'language'] as const

/** Markdown in two parts, the front matter with its closing line. */
export interface Fronted {
  readonly front: string
  readonly body: string
}

/**
 * YAML front matter of a page, and the Markdown under it. A file that has front matter of its own keeps it: what it does not
 * say is put before it.
 *
 * @param maxTokens the values that fit are there, title and address first
 */
export function writeFrontMatter(markdown: string, { page, metadata }: ExtractedPage, maxTokens = Infinity): Fronted {
  const own = readOwn(markdown)
  const values = { ...metadata, url: page.url }
  let left = maxTokens * TOKEN - weigh(`---\n${own.lines.join('\n')}\n---\n\n`)
  const lines = NAMES.flatMap((name) => {
    const value = values[name]
    if (value === undefined || own.names.has(name)) return []
    const line = `${name}: ${quote(value)}`
    const weight = weigh(`${line}\n`)
    if (weight > left) return []
    left -= weight
    return [line]
  })
  return { front: ['---', ...lines, ...own.lines, '---'].join('\n'), body: own.body }
}

interface Own {
  readonly lines: readonly string[]
  readonly names: ReadonlySet<string>
  readonly body: string
}

/** The front matter that a file came with, where it is a list of names and values as ours is. */
function readOwn(markdown: string): Own {
  const none = { lines: [], names: new Set<string>(), body: markdown }
  if (!markdown.startsWith('---')) return none
  const all = markdown.replace(/\r\n?/g, '\n').split('\n')
  const end = frontMatterEnd(all)
  const lines = all.slice(1, Math.max(1, end - 1))
  const names = lines.filter((line) => /^[^\s#-]/.test(line)).map((line) => /^([\w-]+):(?:\s|$)/.exec(line)?.[1])
  const known = names.filter((name) => name !== undefined)
  if (known.length === 0 || known.length < names.length) return none
  return { lines, names: new Set(known), body: all.slice(end).join('\n').replace(/^\n+/, '') }
}

// What YAML does not let stand in a string, or reads as the end of a line, though JSON does not mind.
const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** A value as YAML reads it back: a string of JSON is one of YAML too, and so is a list. @see YAML 1.2, 5.1 and 7.3.1 */
const quote = (value: string | readonly string[]): string =>
  JSON.stringify(value).replace(
    NOT_PRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
