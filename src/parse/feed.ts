import { Parser } from 'htmlparser2'
import { type ChildNode, Element, Text, append, collapse, isElement, textOf } from '../tree.js'
import { loadTree, makeElement, wrapInPage } from './load-tree.js'
import type { ParseInput, ParsedPage, ParsePlan } from './parser.js'
import { buildTree } from './build-tree.js'
import { TooManyNodes } from './tree-builder.js'

// Feeds are a few levels deep. What is deeper is no feed, and htmlparser2 is quadratic in depth.
const DEEPEST = 64

/** A feed as a page: its title, and for each entry a linked heading, its date and its text. Undefined when it is broken. */
export function readFeed(input: ParseInput, text: string, plan: ParsePlan): ParsedPage | undefined {
  const root = readXml(text, plan.maxNodes)
  if (root === undefined) return undefined
  const channel = child(root, 'channel') ?? root
  const entries = [...children(channel), ...children(root)].filter(
    ({ name }) => isNamed(name, 'item') || isNamed(name, 'entry'),
  )
  const title = collapse(childText(channel, 'title'))
  const content: ChildNode[] = [makeElement('h1', {}, [new Text(title)])]
  try {
    for (const entry of new Set(entries)) content.push(readEntry(entry, plan))
  } catch (error) {
    if (error instanceof TooManyNodes) return undefined
    throw error
  }
  const $ = loadTree(wrapInPage(content, makeElement('title', {}, [new Text(title)])))
  return { url: input.url, baseUrl: input.url, $, text, warnings: [] }
}

function readEntry(entry: Element, plan: ParsePlan): Element {
  const link = children(entry).find(({ name, attribs }) => isNamed(name, 'link') && attribs['rel'] !== 'self')
  const href = (link?.attribs['href'] ?? (link === undefined ? '' : textOf(link))).trim()
  const title = new Text(collapse(childText(entry, 'title')) || href)
  const heading = makeElement('h2', {}, [href === '' ? title : makeElement('a', { href }, [title])])
  const date = collapse(
    childText(entry, 'pubDate') ||
      childText(entry, 'published') ||
      childText(entry, 'updated') ||
      childText(entry, 'date'),
  )
  const article = makeElement('article', {}, [heading])
  if (date !== '') append(article, makeElement('p', {}, [makeElement('time', {}, [new Text(date)])]))
  const body =
    childText(entry, 'encoded') ||
    childText(entry, 'content') ||
    childText(entry, 'description') ||
    childText(entry, 'summary')
  const { body: read } = buildTree(body, { maxDepth: plan.maxDepth, maxNodes: plan.maxNodes, isXml: false })
  read.name = 'div'
  append(article, Object.assign(read, { parent: null, prev: null, next: null }))
  return article
}

const isNamed = (name: string, local: string): boolean => name === local || name.endsWith(`:${local}`)

const children = (element: Element): Element[] => element.children.filter(isElement)

const child = (element: Element, local: string): Element | undefined =>
  children(element).find(({ name }) => isNamed(name, local))

function childText(element: Element, local: string): string {
  const found = child(element, local)
  return found === undefined ? '' : textOf(found)
}

/** The root element; undefined when the XML is too deep or too large. */
function readXml(text: string, maxNodes: number): Element | undefined {
  const root = new Element('root', {})
  const stack = [root]
  let nodes = 0
  let tooMuch = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        nodes += 1
        if (stack.length > DEEPEST || nodes > maxNodes) {
          tooMuch = true
          parser.pause()
          return
        }
        const element = new Element(name, attributes)
        append(stack.at(-1) ?? root, element)
        stack.push(element)
      },
      ontext(data) {
        if (!tooMuch) append(stack.at(-1) ?? root, new Text(data))
      },
      onclosetag() {
        if (stack.length > 1) stack.pop()
      },
    },
    { xmlMode: true },
  )
  parser.write(text)
  return tooMuch ? undefined : children(root)[0]
}
