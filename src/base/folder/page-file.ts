/** Page whose text is written to a file. */
export interface MarkdownPage {
  readonly markdown?: string
  readonly metadata: {
    readonly url: string
    readonly title?: string
    readonly description?: string
    readonly language?: string
  }
}

/** Metadata in the front matter of a page, in order. None of it tells when the page was read. */
const FIELDS = ['title', 'description', 'language'] as const

/**
 * Writes a page as Markdown with front matter: the same text for the same page, whenever it is read. JSON strings are valid YAML, whatever
 * they contain. Markdown that has front matter of its page already, by `frontMatter: true`, gets no further one.
 */
export function writePageFile(page: MarkdownPage): string {
  const { markdown = '', metadata } = page
  if (hasFrontMatter(markdown, metadata.url)) return `${markdown.trimEnd()}\n`
  const fields = FIELDS.flatMap((name) => {
    const value: unknown = metadata[name]
    return typeof value === 'string' && value !== '' ? [`${name}: ${JSON.stringify(value)}`] : []
  })
  return ['---', `url: ${JSON.stringify(metadata.url)}`, ...fields, '---', '', `${markdown.trimEnd()}\n`].join('\n')
}

function hasFrontMatter(markdown: string, url: string): boolean {
  const end = markdown.startsWith('---\n') ? markdown.indexOf('\n---\n') : -1
  const lines = end === -1 ? [] : markdown.slice(0, end).split('\n')
  // Between two lines that a page has drawn itself stand empty ones.
  return lines.includes(`url: ${JSON.stringify(url)}`) && !lines.includes('')
}

/** Reads the Markdown of a file that {@link writePageFile} has written. */
export function readMarkdown(text: string): string {
  const end = text.indexOf('\n---\n')
  return end === -1 ? text : text.slice(end + 5).trim()
}
