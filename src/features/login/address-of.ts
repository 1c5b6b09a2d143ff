/** Returns the address of a page without its query. */
export const addressOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
