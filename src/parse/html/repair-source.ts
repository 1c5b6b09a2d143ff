/**
 * Rewrites what the tokenizer reads otherwise than the standard, so that it does not swallow the rest of a page:
 * `--!>` ends a comment, and `</script/` ends a script.
 *
 * @see WHATWG HTML 13.2.5.52 and 13.2.5.14
 */
export function repairSource(source: string): string {
  const commented = source.includes('--!>') ? endComments(source) : source
  return RAW_TEXT_END.test(commented) ? commented.replace(new RegExp(RAW_TEXT_END, 'gi'), '</$1 ') : commented
}

/** Matches end tags of raw text elements; the tokenizer accepts only white space and `>` after their names. */
const RAW_TEXT_END = /<\/(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript)\//i

/** Ends comments at `--!>` as at `-->`. Each end is looked for once, so that it is linear. */
function endComments(source: string): string {
  const pieces: string[] = []
  let at = 0
  let usual = -2
  let odd = -2
  for (;;) {
    const open = source.indexOf('<!--', at)
    if (open === -1) break
    // The dashes that open a comment can also end it.
    const from = open + 2
    if (usual !== -1 && usual < from) usual = source.indexOf('-->', from)
    const fromOdd = open + 4
    if (odd !== -1 && odd < fromOdd) odd = source.indexOf('--!>', fromOdd)
    if (odd === -1) break
    if (usual !== -1 && usual < odd) {
      pieces.push(source.slice(at, usual + 3))
      at = usual + 3
    } else {
      pieces.push(source.slice(at, odd), '-->')
      at = odd + 4
    }
  }
  return pieces.join('') + source.slice(at)
}
