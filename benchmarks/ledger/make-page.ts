/** Number of pages that a page links to. */
const LINKS_PER_PAGE = 10
/** Number of words of a page. */
const WORDS = 400

/** Generates a page with a unique text, and links to its ten children. @param pages number of pages of the site */
export function makePage(page: number, pages: number): string {
  let state = page + 1
  const words = Array.from({ length: WORDS }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return (state % 46_656).toString(36).padStart(3, 'a')
  })
  const paragraphs = Array.from({ length: 8 }, (_, nth) => `<p>${words.slice(nth * 50, nth * 50 + 50).join(' ')}.</p>`)
  const below = Array.from({ length: LINKS_PER_PAGE }, (_, nth) => page * LINKS_PER_PAGE + nth + 1).filter(
    (child) => child < pages,
  )
  const links = below.map((child) => `<li><a href="/p/${child}">page ${child}</a></li>`).join('')
  return `<!doctype html><title>Page ${page}</title><main><h1>Page ${page}</h1>${paragraphs.join('\n')}<ul>${links}</ul></main>`
}
