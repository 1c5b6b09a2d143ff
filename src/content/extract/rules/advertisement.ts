import type { Element } from '../../html/tree.js'

/** Hosts and programs that deliver advertisements, and addresses with a place for the reader's number that nothing has filled. */
const DELIVERY =
  /\/\/(?:[\w-]+\.)*(?:ads?\d?|adserver|adclick|adsrv|banners?)\.[\w-]+\.|doubleclick\.net|googlesyndication\.com|adnxs\.com|amazon-adsystem\.com|\/www\/delivery\/(?:ck|lg|avw|ai|cl)\.php|\{\{\s*\w+\s*\}\}|%%\w+%%|\[timestamp\]/i

/** Sizes of advertisements. @see https://www.iab.com/guidelines/ */
const SIZES =
  /(?:^|\D)(?:728x90|300x250|336x280|160x600|300x600|970x250|970x90|468x60|320x50|320x100|120x600|250x250)(?:\D|$)/

/** Tells if a link, picture or frame without text is an advertisement, by its address. A paid link needs the size of one as well. */
export function isAdvertisement({ name, attribs, children }: Element): boolean {
  if (DELIVERY.test(attribs['href'] ?? attribs['src'] ?? '')) return true
  if (name !== 'a' || !/(?:^|\s)sponsored(?:\s|$)/.test(attribs['rel'] ?? '')) return false
  return children.some(
    (child) =>
      'attribs' in child &&
      SIZES.test(`${child.attribs['src'] ?? ''} ${child.attribs['width'] ?? ''}x${child.attribs['height'] ?? ''}`),
  )
}

/** Words that stand above an advertisement, alone. */
export const AD_LABEL =
  /^\W*(?:advertisements?|advertising|paid content|anzeige|werbung|publicité|publicidad|publicidade|pubblicità|advertentie|reklama?|annons|annonse|mainos|реклама|広告|广告|廣告|광고)\W*$/i
