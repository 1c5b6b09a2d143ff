/**
 * Writes a text fragment, with `#`.
 *
 * @param prefix text right before the one that is meant. @default none is needed
 * @see https://wicg.github.io/scroll-to-text-fragment/#syntax
 */
export const linkToText = (text: string, prefix?: string): string =>
  `#:~:text=${prefix === undefined ? '' : `${encode(prefix)}-,`}${encode(text)}`

/** The dash has a meaning of its own, as the comma and the ampersand. */
const encode = (text: string): string =>
  encodeURIComponent(text.toWellFormed().replace(/\s+/g, ' ')).replaceAll('-', '%2D')

/** Appends a fragment, with `#`, to the URL of a page. A route of the page's own in the fragment stays. */
export function withFragment(url: string, fragment: string | undefined): string {
  if (fragment === undefined) return url
  const at = url.indexOf('#')
  if (at === -1) return `${url}${fragment}`
  const isRoute = /^#!?\//.test(url.slice(at))
  if (!isRoute) return `${url.slice(0, at)}${fragment}`
  return fragment.startsWith('#:~:') ? `${url}${fragment.slice(1)}` : url
}
