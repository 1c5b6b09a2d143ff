/**
 * Rewrites two ends that the standard accepts and the tokenizer does not, so that the rest of the page is not lost:
 * `--!>` at the end of a comment, and `</script/` at the end of a script.
 *
 * @see https://html.spec.whatwg.org/multipage/parsing.html#comment-end-bang-state
 * @see https://html.spec.whatwg.org/multipage/parsing.html#script-data-end-tag-name-state
 */
export function repairSource(source: string): string {
  const commented = source.includes('--!>') ? endComments(source) : source
  return RAW_TEXT_END.test(commented) ? commented.replace(new RegExp(RAW_TEXT_END, 'gi'), '</$1 ') : commented
}

/** Matches end tags of raw text elements; the tokenizer accepts only white space and `>` after their names. */
const RAW_TEXT_END = /<\/(script|style|title|textarea|xmp|iframe|noembed|noframes|noscript)\//i

/** Rewrites `--!>` at the end of comments to `-->`. Each end is searched once, so that it takes linear time. */
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
