/** Resolves a link without its fragment. @returns one URL, or none if it leads to no page */
export function resolveLink(href: string, base: string): string[] {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined
  if (url === undefined || !url.protocol.startsWith('http')) return []
  url.hash = ''
  return [url.href]
}
