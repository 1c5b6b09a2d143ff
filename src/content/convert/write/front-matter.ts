import type { ExtractedPage } from '../../extract/extracted-page.js'
import { TOKEN, weigh } from '../split/estimate-tokens.js'
import { frontMatterEnd } from '../markdown-blocks/markdown-blocks.js'

/** Fields of the front matter, in order, under their names in the document's metadata. */
const NAMES = ['title', 'url', 'description', 'author', 'publishedTime', 'modifiedTime', 'language'] as const

/** Markdown in two parts: its front matter, including the closing line, and the rest. */
interface MarkdownParts {
  readonly front: string
  readonly body: string
}

/**
 * Writes YAML front matter for a page's Markdown. If the file has front matter already, it stays, and only missing
 * fields are added before it.
 *
 * @param maxTokens maximum tokens of the front matter; fields that do not fit are left out, the last ones first
 */
export function writeFrontMatter(
  markdown: string,
  { page, metadata }: ExtractedPage,
  maxTokens = Infinity,
): MarkdownParts {
  const own = readOwnFrontMatter(markdown)
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

interface OwnFrontMatter {
  readonly lines: readonly string[]
  readonly names: ReadonlySet<string>
  readonly body: string
}

/** Reads a file's own front matter, if it is a flat list of names and values. */
function readOwnFrontMatter(markdown: string): OwnFrontMatter {
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

// Characters that JSON allows in a string and YAML does not, or reads as line breaks.
const NOT_PRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

/** Writes a value as JSON, which YAML can read. @see https://yaml.org/spec/1.2.2/#12-yaml-history */
const quote = (value: string | readonly string[]): string =>
  JSON.stringify(value).replace(
    NOT_PRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
