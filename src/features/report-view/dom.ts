import { parseUrl } from '../../base/url.js'

/** Child of an element; texts become text nodes, so that no text is read as HTML. */
export type Child = Node | string | number | undefined | false

/** Attributes of an element, and listeners of its events. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>

/** Creates an element of HTML. */
export function html<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return fill(document.createElement(name), attributes, children)
}

/** Creates an element of SVG. */
export function svg<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)
}

function fill<Made extends Element>(element: Made, attributes: Attributes, children: readonly Child[]): Made {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, '')
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value))
  }
  append(element, children)
  return element
}

/** Appends children, without absent ones. */
function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue
    parent.appendChild(typeof child === 'object' ? child : document.createTextNode(String(child)))
  }
}

/** Finds an element of the page by its id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (!found) throw new Error(`the report has no element ${id}`)
  return found
}

/** Creates a link to a page of the Web; plain text for another address, such as `javascript:`. */
export function webLink(url: string, text = url, className = ''): HTMLElement {
  const isWeb = /^https?:\/\//i.test(url) && parseUrl(url) !== undefined
  if (!isWeb) return html('span', { class: className, title: url }, text)
  return html('a', { class: className, href: url, rel: 'noreferrer noopener', target: '_blank' }, text)
}
