import { type CheerioAPI, load } from 'cheerio'
import { type ChildNode, type Element, isTag, isText } from 'domhandler'
import type { DocumentationSite } from './documentation-sites.js'
import { readWords, textOf } from './documentation-text.js'

/** What a documentation page consists of, by its site's own mark-up. */
export interface DocumentationPage {
  /** Every word of the main part, as often as it is there. */
  readonly words: readonly string[]
  /** Texts of the menus, each once, which the main part does not have. */
  readonly menuPhrases: readonly string[]
  readonly code: readonly CodeBlock[]
  /** Where the main part's links lead, each once. Those on code cannot be in Markdown, and are not here. */
  readonly links: readonly string[]
  /** The same for links to places on the page itself, but for those that headings have on themselves. */
  readonly ownLinks: readonly string[]
}

export interface CodeBlock {
  readonly text: string
  /** GFM has no code blocks in tables: there, the text is all that can be kept. */
  readonly isInTable: boolean
}

/** Never shown, whatever the site. */
const UNSEEN =
  'script, style, template, noscript, svg, button, input, select, textarea, iframe, [hidden], [style*="display:none"], [style*="display: none"]'

/** Reads a page as its site's mark-up has it. @returns undefined when there is no main part in it */
export function readDocumentationPage(
  html: string,
  url: string,
  { main, apart, menus, code = 'pre' }: DocumentationSite,
): DocumentationPage | undefined {
  const $ = load(html)
  $(UNSEEN).remove()
  const menuTexts = $(menus)
    .toArray()
    .flatMap((menu) => readPhrases(menu))
  if (apart !== undefined) $(apart).remove()
  const parts = outermost($, main)
  const text = parts.map((part) => textOf(part)).join('\n')
  const words = readWords(text)
  if (words.length === 0) return undefined
  const spoken = ` ${words.join(' ')} `
  const links = parts.flatMap((part) => readLinks($, part, url, code))
  const isOwn = (link: string): boolean => link.split('#')[0] === url.split('#')[0]
  return {
    words,
    menuPhrases: [...new Set(menuTexts)].filter((phrase) => !spoken.includes(` ${phrase} `)),
    code: parts.flatMap((part) => readCode($, part, code)),
    links: [...new Set(links)].filter((link) => !isOwn(link)),
    ownLinks: [...new Set(links)].filter(isOwn),
  }
}

/** Elements that match and have no ancestor that does. */
const outermost = ($: CheerioAPI, selector: string): Element[] =>
  $(selector)
    .toArray()
    .filter(isTag)
    .filter((element) => $(element).parents(selector).length === 0)

/** The texts of an element, cut where a block or a link begins or ends. */
function readPhrases(menu: ChildNode): string[] {
  return textOf(menu, ({ name }) => name === 'a')
    .split('\n')
    .map((line) => readWords(line).join(' '))
    .filter((phrase) => phrase !== '')
}

function readLinks($: CheerioAPI, part: Element, url: string, code: string): string[] {
  return $(part)
    .find('a[href]')
    .toArray()
    .filter((link) => readWords(textOf(link)).length > 0 && $(link).closest(code).length === 0)
    .flatMap((link) => {
      const href = link.attribs['href']?.trim() ?? ''
      if (!URL.canParse(href, url)) return []
      const target = new URL(href, url)
      // `#` alone is the page, or a script's.
      if (href === '#') return []
      const isPermalink = target.hash !== '' && $(link).closest('h1, h2, h3, h4, h5, h6').length > 0
      return isPermalink || !target.protocol.startsWith('http') ? [] : [target.href]
    })
}

function readCode($: CheerioAPI, part: Element, selector: string): CodeBlock[] {
  return $(part)
    .find(selector)
    .toArray()
    .filter((block) => $(block).parents(selector).length === 0)
    .map((block) => ({
      text: block.name === 'code' ? linesOf(block) : codeOf(block),
      isInTable: $(block).closest('table').length > 0,
    }))
    .filter(({ text }) => text.trim() !== '')
}

/** A listing outside of `pre`: white space is one space, and lines are where the mark-up breaks them. */
const linesOf = (node: ChildNode): string =>
  lineTextOf(node)
    .split('\n')
    .map((line) => line.replace(/^ +| +$/g, ''))
    .join('\n')

function lineTextOf(node: ChildNode): string {
  if (isText(node)) return node.data.replace(/[ \t\r\n\f]+/g, ' ')
  if (!isTag(node)) return ''
  return node.name === 'br' ? '\n' : node.children.map(lineTextOf).join('').replace(/ {2,}/g, ' ')
}

const LINE = new Set(['div', 'p', 'li'])

/** Text as it stands, with lines where the mark-up has them: some generators put each line into an element of its own. */
function codeOf(node: ChildNode): string {
  if (isText(node)) return node.data
  if (!isTag(node)) return ''
  if (node.name === 'br') return '\n'
  const isOfLines = node.name !== 'pre' && node.children.some((child) => isTag(child) && LINE.has(child.name))
  let text = ''
  for (const child of node.children) {
    if (isTag(child) && LINE.has(child.name)) {
      const begin = text === '' || text.endsWith('\n') ? '' : '\n'
      text += `${begin}${codeOf(child)}`.replace(/\n*$/, '\n')
    } else if (!isOfLines || isTag(child) || !/^\s*$/.test(codeOf(child))) text += codeOf(child)
  }
  return text
}
