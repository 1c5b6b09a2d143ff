/** Said of a file that was not read to its end. */
export const CUT_WARNING = 'The file is longer than can be read: its end is missing.'

/** Said of a file that ends before it should: a download that broke off. */
export const CUT_OFF_WARNING = 'The file is cut off: content after its last byte may be missing.'

const MOST_NAMED = 10

/** Said of parts that a reader of the file does not see. */
export function hiddenWarning(kind: string, names: readonly string[]): string {
  const quoted = names.slice(0, MOST_NAMED).map((name) => `“${name}”`)
  const more = names.length - quoted.length
  const list = more > 0 ? `${quoted.join(', ')} and ${more} more` : quoted.join(', ')
  return `Hidden ${kind}${names.length === 1 ? ' is' : 's are'} left out: ${list}.`
}
