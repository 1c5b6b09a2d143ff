/** Returns the address of a page without its query. */
export const addressOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Tests whether a URL is one of plain http, which anybody on the way can read, where the login is one of https. */
export const isExposed = (url: string, login: { readonly url: string }): boolean =>
  url.startsWith('http:') && new URL(login.url).protocol === 'https:'
