/**
 * Joins several lines to one, without the white space around them and without blank lines. A regular expression for
 * white space around line breaks would take quadratic time on white space without any.
 */
export function joinLines(text: string, separator: string): string {
  if (!text.includes('\n')) return text.trim()
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(separator)
}
