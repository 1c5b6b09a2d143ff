import type { Document } from '../../../kernel/page/document.js'

/** Metadata in the front matter of a page, in order. None of it tells when the page was read. */
const FIELDS = ['title', 'description', 'language'] as const

/**
 * Writes a page as Markdown with front matter: the same text for the same page, whenever it is read. JSON strings are valid YAML, whatever
 * they contain.
 */
export function writePageFile(page: Document): string {
  const { markdown = '', metadata } = page
  const fields = FIELDS.flatMap((name) => {
    const value: unknown = metadata[name]
    return typeof value === 'string' && value !== '' ? [`${name}: ${JSON.stringify(value)}`] : []
  })
  return ['---', `url: ${JSON.stringify(metadata.url)}`, ...fields, '---', '', `${markdown.trimEnd()}\n`].join('\n')
}

/** Reads the Markdown of a file that {@link writePageFile} has written. */
export function readMarkdown(text: string): string {
  const end = text.indexOf('\n---\n')
  return end === -1 ? text : text.slice(end + 5).trim()
}
