/** Ends a warning with a full stop, and begins it with a capital letter if its first word is a plain one: warnings are joined to a text. */
export function toSentence(warning: string): string {
  const begun = /^[a-z]+ /.test(warning) ? warning.charAt(0).toUpperCase() + warning.slice(1) : warning
  return /[.!?…]["'”’)\]]*$/.test(warning) ? begun : `${begun}.`
}
