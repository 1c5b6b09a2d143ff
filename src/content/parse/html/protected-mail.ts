import { type Document, type Element, isElement, parentElement, setChildren, Text, walk } from '../../html/tree.js'
import type { TreeRepair } from './tree-repair.js'

const LINK_MARK = '/cdn-cgi/l/email-protection'
const ATTRIBUTE = 'data-cfemail'

/**
 * Writes the mail addresses of a page that Cloudflare has encoded, as its script does: the first byte is the key of the others.
 *
 * @see https://developers.cloudflare.com/waf/tools/scrape-shield/email-address-obfuscation/
 */
export const protectedMail: TreeRepair = { mark: /data-cfemail|\/cdn-cgi\/l\/email-protection/, apply: decodeMail }

function decodeMail(document: Document): void {
  walk(document, (node) => {
    if (!isElement(node)) return
    const address = decode(node.attribs[ATTRIBUTE])
    if (address !== undefined) {
      delete node.attribs[ATTRIBUTE]
      setChildren(node, [new Text(address)])
      for (const element of [node, parentElement(node)])
        if (isProtectedLink(element)) element.attribs['href'] = `mailto:${address}`
    }
    const linked = isProtectedLink(node) ? decode(node.attribs['href']?.split('#')[1]) : undefined
    if (linked !== undefined) node.attribs['href'] = `mailto:${linked}`
  })
}

const isProtectedLink = (element: Element | undefined): element is Element =>
  element?.name === 'a' && element.attribs['href']?.includes(LINK_MARK) === true

/** @returns undefined for a text that is no address */
function decode(hexadecimal = ''): string | undefined {
  if (!/^(?:[\da-f]{2}){4,500}$/i.test(hexadecimal)) return undefined
  const [key = 0, ...bytes] = Buffer.from(hexadecimal, 'hex')
  const text = Buffer.from(bytes.map((byte) => byte ^ key)).toString()
  return /^[^\s@<>"]{1,200}@[^\s@<>"]{1,600}$/.test(text) ? text : undefined
}
