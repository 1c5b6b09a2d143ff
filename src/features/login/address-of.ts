import { isInHeaderScope } from '../../base/http/header-scope.js'
import { relate } from '../../kernel/frontier/scope/site-relation.js'
import type { FetchPlan } from '../../kernel/fetch/fetcher.js'

/** Returns the address of a page without its query. */
export const addressOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** Tests whether a URL is one of plain http, which anybody on the way can read, where the login is one of https. */
export const isExposed = (url: string, login: { readonly url: string }): boolean =>
  url.startsWith('http:') && new URL(login.url).protocol === 'https:'

/** Tests whether a URL is of the site of a page of the login, of that of the login itself, or of a host that the caller names. */
export const isForSite = (
  url: string,
  from: string,
  { login, headerScope }: Pick<FetchPlan, 'headerScope'> & { readonly login: { readonly url: string } },
): boolean =>
  [from, login.url].some((site) => relate(new URL(url), new URL(site)) !== 'elsewhere') ||
  isInHeaderScope(new URL(url), { namedUrl: login.url, hosts: headerScope?.hosts })
