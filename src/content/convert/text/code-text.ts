import { type ChildNode, type Element, findElement, isElement, isText, textOf, walk } from '../../html/tree.js'

const LINES = new Set(
  (
    'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header li main nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)

/**
 * Returns the text of a code block in a language. Each block element or `br` in it ends a line.
 *
 * @param label the element with the name of the language, which is no part of the code
 */
export function codeText(element: Element, language = '', label?: Element): string {
  const numbers = lineNumbers(element)
  if (numbers.size > 1) {
    const code = read(element, numbers, language)
    const lines = code.split('\n')
    // The space between the numbers and the code belongs to neither.
    if (lines.length === numbers.size)
      return lines.every((line) => line === '' || line.startsWith(' '))
        ? lines.map((line) => line.slice(1)).join('\n')
        : code
  }
  return read(element, label === undefined ? NOTHING : new Set([label]), language)
}

const NOTHING: ReadonlySet<Element> = new Set()

function read(element: Element, leftOut: ReadonlySet<Element>, language: string): string {
  const reader = new CodeReader(element, leftOut, language)
  walk(element, enterNode, leaveElement, reader)
  const text = reader.text.replace(/\r\n?|[\u2028\u2029]/g, '\n').trimEnd()
  // The parser has taken the first line break of a `pre`; a browser shows the others, which a converter wrote. Before them, and in
  // other elements, blank lines are formatting of the source.
  return isWritten(element) ? text.replace(/^\n+$/, '') : text.replace(/^(?:[ \t]*\n)+/, '')
}

/** True for code that begins right after the tag of its `pre`, with an empty line. */
function isWritten({ name, children: [first] }: Element): boolean {
  if (name !== 'pre' || first === undefined) return false
  const text = isElement(first) && first.name === 'code' ? first.children[0] : first
  return text !== undefined && isText(text) && text.data.startsWith('\n')
}

const enterNode = (node: ChildNode, reader: CodeReader): boolean => reader.enter(node)
const leaveElement = (element: Element, reader: CodeReader): void => reader.leave(element)

class CodeReader {
  text = ''
  // Kept separately, because reading the end of a string that has just grown copies it.
  #last = '\n'
  /** Start of each open line, because an element without contents is a line as well. */
  readonly #begun: number[] = []
  readonly #element: Element
  readonly #leftOut: ReadonlySet<Element>
  readonly #signOf: (line: Element) => string

  constructor(element: Element, leftOut: ReadonlySet<Element>, language: string) {
    this.#element = element
    this.#leftOut = leftOut
    this.#signOf = language === 'diff' && hasNoSigns(element) ? signOf : () => ''
  }

  enter(node: ChildNode): boolean {
    // Between the lines of a listing without `pre`, white space is formatting of the source.
    if (isText(node) && (node.parent !== this.#element || this.#element.name !== 'div')) this.#add(node.data)
    if (!isElement(node)) return false
    if (node.name === 'br') this.#add('\n')
    if (this.#isSkipped(node)) return false
    if (isBlock(node)) this.#endLine()
    if (isLine(node)) {
      this.text += this.#signOf(node)
      this.#begun.push(this.text.length)
    }
    return true
  }

  leave(inner: Element): void {
    if (this.#isSkipped(inner)) return
    if (isLine(inner) && this.#begun.pop() === this.text.length) this.#add('\n')
    else if (isBlock(inner)) this.#endLine()
  }

  #isSkipped(inner: Element): boolean {
    return NO_CODE.has(inner.name) || this.#leftOut.has(inner) || isGutter(inner) || isTooltip(inner)
  }

  #add(more: string): void {
    this.text += more
    this.#last = more.slice(-1) || this.#last
  }

  /** Starts a new line unless one has just started. */
  #endLine(): void {
    if (this.#last !== '\n') this.#add('\n')
  }
}

/**
 * Returns the lines of code outside of a `pre`, which `br` elements separate, and in which white space collapses. If
 * the source has more lines than that, a style sheet may preserve them.
 */
export function brokenLines(element: Element): string[] {
  const lines = ['']
  walk(element, (node) => {
    if (isText(node)) lines.push((lines.pop() ?? '') + node.data)
    else if (isElement(node) && node.name === 'br') lines.push('')
  })
  if (lines.slice(1).every((line) => line.trim() === '')) return []
  const inSource = lines.reduce((sum, line) => sum + line.trim().split('\n').length, 0)
  if (inSource > lines.length * 2) return codeText(element).split('\n')
  // Non-breaking spaces indent the lines.
  return lines.map((line) =>
    line
      .replace(/[ \t\r\n\f]+/g, ' ')
      .replace(/^ | $/g, '')
      .replaceAll('\u00A0', ' ')
      .trimEnd(),
  )
}

/** True for an element that starts a line of its own. */
const isBlock = ({ name, attribs }: Element): boolean =>
  LINES.has(name) || /(?:^|;)\s*display\s*:\s*(?:block|flex|grid)/i.test(attribs['style'] ?? '')

/** True for a block that contains one line of code. */
const isLine = (element: Element): boolean =>
  element.name === 'li' || (isBlock(element) && LINE.test(element.attribs['class'] ?? ''))

const LINE = /(?:^|[\s_-])line(?:$|\s)/i

/**
 * Finds elements that contain 1, 2, 3 and so on, each with nothing but such numbers before it in its line. They are
 * line numbers if there are as many lines. In `[1, 2, 3]`, a highlighter makes the same elements.
 */
function lineNumbers(element: Element): Set<Element> {
  const found = new Set<Element>()
  let isLineBegun = false
  walk(
    element,
    (node) => {
      if (isText(node)) {
        const end = node.data.slice(node.data.lastIndexOf('\n') + 1)
        isLineBegun = end.trim() !== '' || (isLineBegun && end.length === node.data.length)
      }
      if (!isElement(node)) return false
      if (isBlock(node) || node.name === 'br') isLineBegun = false
      const [only, second] = node.children
      if (isLineBegun || only === undefined || second !== undefined || !isText(only)) return true
      if (only.data.trim() !== String(found.size + 1)) return true
      found.add(node)
      return false
    },
    (inner) => {
      if (isBlock(inner)) isLineBegun = false
    },
  )
  return found
}

/** Class names of the lines that Expressive Code and Shiki mark as added and removed. */
const ADDED = /(?:^|\s)(?:ins|add)(?:$|\s)/
const REMOVED = /(?:^|\s)(?:del|remove)(?:$|\s)/

/** Returns the sign of a line in a diff, by its class name. */
const signOf = ({ attribs: { class: names = '' } }: Element): string =>
  ADDED.test(names) ? '+' : REMOVED.test(names) ? '-' : ' '

/** True for a diff whose signs a highlighter took out of the text, and a style sheet shows. */
function hasNoSigns(element: Element): boolean {
  const isMarked = (line: Element): boolean => isLine(line) && signOf(line) !== ' '
  const marked = findElement(element, isMarked)
  return marked !== undefined && !/^\s*[+-]/.test(textOf(marked))
}

const NO_CODE = new Set(['button', 'svg', 'script', 'style', 'select', 'input'])

const GUTTER =
  /(?:^|[\s_-])(?:line-?num(?:ber)?s?(?:-rows)?|linenos?|linenodiv|lineno|gutter|blob-num|ln-num|crayon-nums|hljs-ln-n(?:umbers)?|rouge-gutter|copy-?(?:btn|button))(?:$|[\s_-])/i

/** True for an element with line numbers, or a button, beside the code. */
export function isGutter(element: Element): boolean {
  const classes = element.attribs['class']
  // `<pre class="line-numbers">` asks a highlighter for numbers, and does not contain them.
  if (classes === undefined || !GUTTER.test(classes) || element.name === 'pre' || element.name === 'code') return false
  return /btn|button/i.test(classes) || /^[\s\d.:|]*$/.test(textOf(element))
}

/** True for a tooltip that Doxygen puts after the lines of a listing. */
const isTooltip = ({ attribs }: Element): boolean => attribs['class'] === 'ttc'
