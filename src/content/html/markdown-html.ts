import { escapeHtml } from './decode-entities.js'

/**
 * Converts the unambiguous part of Markdown to HTML: headings, lists, quotes, fenced code, paragraphs; links, code and
 * emphasis in them. The rest stays text. A plain text becomes paragraphs.
 */
export function markdownToHtml(markdown: string): string {
  const lines = markdown.replace(/\r\n?/g, '\n').split('\n')
  const html: string[] = []
  let paragraph: string[] = []
  let list: { tag: string; items: string[] } | undefined
  const endParagraph = (): void => {
    if (paragraph.length > 0) html.push(`<p>${inline(paragraph.join(' '))}</p>`)
    paragraph = []
  }
  const endList = (): void => {
    if (list) html.push(`<${list.tag}>${list.items.map((item) => `<li>${inline(item)}</li>`).join('')}</${list.tag}>`)
    list = undefined
  }
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const fence = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined) {
      endParagraph()
      endList()
      const code: string[] = []
      while (++at < lines.length && lines[at]?.trim().startsWith(fence) !== true) code.push(lines[at] ?? '')
      html.push(`<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`)
      continue
    }
    const heading = /^ {0,3}(#{1,6}) (.+)/.exec(line)
    const item = /^\s{0,8}(?:([-*+•])|\d{1,3}[.)]) +(\S.*)/.exec(line)
    const quote = /^ {0,3}> ?(.*)/.exec(line)
    if (line.trim() === '' || heading || item || quote) endParagraph()
    if (!item && (line.trim() === '' || heading || quote)) endList()
    if (heading) {
      const tag = `h${heading[1]?.length ?? 1}`
      html.push(`<${tag}>${inline((heading[2] ?? '').trim())}</${tag}>`)
    } else if (quote) html.push(`<blockquote><p>${inline(quote[1] ?? '')}</p></blockquote>`)
    else if (item) {
      const tag = item[1] === undefined ? 'ol' : 'ul'
      if (list?.tag !== tag) endList()
      list ??= { tag, items: [] }
      list.items.push(item[2] ?? '')
    } else if (list && line.trim() !== '') list.items.push(`${list.items.pop() ?? ''} ${line.trim()}`)
    else if (line.trim() !== '' && !/^ {0,3}(?:[-*_] ?){3,}$/.test(line)) paragraph.push(line.trim())
  }
  endParagraph()
  endList()
  return html.join('\n')
}

/**
 * Maximum length of a line with inline Markdown, because the search for closing marks takes quadratic time. A longer
 * line stays plain text. Characters.
 */
const MAX_INLINE = 20_000

function inline(text: string): string {
  if (text.length > MAX_INLINE) return escapeHtml(text)
  return escapeHtml(text)
    .replace(/`([^`]{1,300})`/g, '<code>$1</code>')
    .replace(/!\[([^[\]]{0,300})\]\((https?:\/\/[^\s()]{1,1000})\)/g, '<img alt="$1" src="$2">')
    .replace(/(?<!!)\[([^[\]]{1,300})\]\(((?:https?:\/\/|\/|#)[^\s()]{0,1000})\)/g, '<a href="$2">$1</a>')
    .replace(/\*\*(?=\S)([^*]{1,500}?)(?<=\S)\*\*/g, '<strong>$1</strong>')
    .replace(/(?<![*\w])\*(?=[^\s*])([^*]{1,500}?)(?<=[^\s*])\*(?![*\w])/g, '<em>$1</em>')
}
