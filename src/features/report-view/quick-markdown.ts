/**
 * Delimiters in one paragraph, such as `*` and `[`, above which Markdown is shown as source. The library takes the square of their
 * number: 0.7 s for 5,000, and more than a minute for a page of 200,000 characters.
 */
const MAX_DELIMITERS = 5000
/** Delimiters that one level of quotes counts for: the library calls itself for each level. */
const QUOTE_WEIGHT = 10

/** Tests whether Markdown is rendered in about a second. */
export function isQuickToRender(markdown: string): boolean {
  let delimiters = 0
  let isTable = false
  for (const line of markdown.split('\n')) {
    const isBlank = line.trim() === ''
    isTable = !isBlank && (isTable || /^\| ?---/.test(line))
    // A list item and a row of a table end what is before them as well.
    if (isBlank || isTable || /^ {0,3}[-*+] /.test(line)) delimiters = 0
    const [quotes = ''] = /^[ >]*/.exec(line) ?? []
    delimiters += (line.match(/[*_~[\]]+/g)?.length ?? 0) + QUOTE_WEIGHT * (quotes.split('>').length - 1)
    if (delimiters > MAX_DELIMITERS) return false
  }
  return true
}
