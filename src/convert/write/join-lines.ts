/**
 * Several lines as one; the white space around each is dropped, and so are blank ones. A regular expression that looks for
 * white space around line breaks would take quadratic time on white space without any.
 */
export const joinLines = (text: string, separator: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(separator)
