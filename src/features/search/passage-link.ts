/** Words of the passage in a link. A browser looks for them within one block of the page. */
const MAX_WORDS = 8

/** Characters of a line that are read. */
const MAX_LINE_LENGTH = 500

/** Lines that show no text of their own: fences, rules, heads of tables, definitions of links. */
const SILENT = /^(?:`{3,}.*|~{3,}.*|[-*_=|: ]+|\[[^\]]+\]: .*)$/

/** Characters of Markdown before the text of a block: quotes, lists, headings, cells. */
const PREFIX = /^(?:[>|\s]|#{1,6} |[-*+] |\d{1,9}[.)] |\[[ xX]\] )+/

/**
 * Creates the URL that shows a chunk in a browser: with the first words of its text as a text fragment.
 *
 * @see https://wicg.github.io/scroll-to-text-fragment/
 */
export function linkToPassage(url: string, markdown: string): string {
  const lines = markdown
    .split('\n')
    .map((line) => line.trimStart().slice(0, MAX_LINE_LENGTH).trimEnd())
    .filter((line) => line !== '' && !SILENT.test(line))
  // A heading is also in the table of contents, so that the text below it is the better mark.
  const line = lines.find((one) => !/^#{1,6} /.test(one)) ?? lines[0]
  const words = line === undefined ? [] : firstWords(line)
  if (words.length === 0) return url
  const fragment = encodeURIComponent(words.join(' ')).replaceAll('-', '%2D')
  return `${url}${url.includes('#') ? '' : '#'}:~:text=${fragment}`
}

/** The first words of a line as a reader sees them, up to the end of its cell. */
function firstWords(line: string): string[] {
  const [text = ''] = line.replace(PREFIX, '').split(/(?<!\\)\|/, 1)
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\[([^\]]*)\]\[[^\]]*\]/g, '$1')
    .replace(/(?<!\\)[[\]]/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/(?<!\\)[*`~]+|(?<![\p{L}\p{N}\\])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS)
}
