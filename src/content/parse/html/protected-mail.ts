import {
  type Document,
  type Element,
  isElement,
  parentElement,
  setChildren,
  Text,
  textOf,
  walk,
} from '../../html/tree.js'
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

/**
 * Writes the right way round what a page has backwards, with a style that shows it from right to left. Most of it are mail addresses.
 *
 * @see https://www.w3.org/TR/css-writing-modes-3/#unicode-bidi
 */
export const reversedText: TreeRepair = { mark: /(?:bidi|isolate)-override/, apply: turnTexts }

const OVERRIDE = /unicode-bidi\s{0,9}:\s{0,9}(?:isolate-override|bidi-override)/i
const FROM_RIGHT = /direction\s{0,9}:\s{0,9}rtl/i
/** The class or id at the end of a selector. */
const NAME = /[.#][\w-]{1,100}$/
/** Maximum length of a text that is turned. Characters. */
const MAX_REVERSED = 500
/** Letters that run from right to left by themselves. */
const RTL_LETTER = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function turnTexts(document: Document): void {
  const names = new Set<string>()
  walk(document, (node) => {
    if (!isElement(node) || node.name !== 'style') return
    for (const rule of textOf(node).split('}')) {
      const [declarations = '', selector = ''] = rule.split('{').reverse()
      const name = isTurned(declarations) ? NAME.exec(selector.trim().slice(-MAX_REVERSED))?.[0] : undefined
      if (name !== undefined) names.add(name)
    }
  })
  walk(document, (node) => {
    if (!isElement(node)) return
    const { style = '', class: classes = '', id } = node.attribs
    const isNamed =
      names.size > 0 && (names.has(`#${id}`) || classes.split(/\s+/).some((name) => names.has(`.${name}`)))
    if (!isNamed && !isTurned(style)) return
    const text = textOf(node)
    if (node.children.some(isElement) || text.length > MAX_REVERSED || RTL_LETTER.test(text)) return
    delete node.attribs['style']
    setChildren(node, [new Text(Array.from(text).reverse().join(''))])
  })
}

const isTurned = (declarations: string): boolean => OVERRIDE.test(declarations) && FROM_RIGHT.test(declarations)
