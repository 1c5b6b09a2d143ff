import { escapeHtml } from '../html/decode-entities.js'
import { isObject, type JsonObject } from '../../base/collections/is-object.js'
import type { WalkBudget } from './walk-budget.js'

const MAX_LEVELS = 60
/** Maximum length of a type to look up; no known type of block has a longer name. Characters. */
const MAX_TYPE = 40

/** Types of blocks in editors: Contentful, Sanity, ProseMirror and TipTap, Slate, Lexical, Strapi, unified. */
const blocks =
  /^(?:doc|document|root|block|paragraph|p|heading(?:-?\d)?|h[1-6]|header|(?:un)?ordered-?list|bullet-?list|numbered-?list|list|[uo]l|list-?item|li|quote|block-?quote|code-?block)$/i

const typeOf = (node: JsonObject): string => {
  const type = node['nodeType'] ?? node['_type'] ?? node['type']
  return typeof type === 'string' ? type.slice(0, MAX_TYPE).replaceAll('_', '-') : ''
}
const childrenOf = (node: JsonObject): unknown => node['children'] ?? node['content'] ?? node['nodes']

/** Tests for rich text: an editor's tree of blocks and leaves, or a list of such blocks. */
export const isRichText = (value: unknown): value is JsonObject | readonly JsonObject[] =>
  Array.isArray(value) ? value.some(isBlock) && value.every(isTyped) : isBlock(value)

const isBlock = (value: unknown): boolean =>
  isObject(value) && blocks.test(typeOf(value)) && Array.isArray(childrenOf(value))

const isTyped = (value: unknown): boolean =>
  isObject(value) && (typeOf(value) !== '' || typeof value['text'] === 'string')

/** Writes rich text as HTML: blocks and links, without the styles of characters. */
export function richTextToHtml(value: unknown, budget: WalkBudget, level = 0): string {
  if (level > MAX_LEVELS || typeof value !== 'object' || value === null) return ''
  return budget.enter(value, () =>
    Array.isArray(value) ? listToHtml(value, budget, level) : isObject(value) ? nodeToHtml(value, budget, level) : '',
  )
}

function listToHtml(list: readonly unknown[], budget: WalkBudget, level: number): string {
  let html = ''
  for (const node of list) {
    if (budget.isSpent) break
    html += richTextToHtml(node, budget, level + 1)
  }
  return html
}

function nodeToHtml(value: JsonObject, budget: WalkBudget, level: number): string {
  const leaf = typeof value['text'] === 'string' ? value['text'] : typeOf(value) === 'text' ? value['value'] : undefined
  if (typeof leaf === 'string') return escapeHtml(budget.consumeText(leaf)).replaceAll('\n', '<br>')
  const inner = richTextToHtml(childrenOf(value), budget, level + 1)
  const tag = tagOf(value)
  if (tag === 'br') return '<br>'
  if (inner === '') return ''
  if (tag === 'a') return `<a href="${escapeHtml(linkOf(value))}">${inner}</a>`
  if (value['listItem'] !== undefined) return `<ul><li>${inner}</li></ul>`
  if (tag === 'pre') return `<pre><code>${inner}</code></pre>`
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`
}

function tagOf(node: JsonObject): string | undefined {
  const type = typeOf(node).toLowerCase()
  const style = node['style']
  if (type === 'block') return typeof style === 'string' && /^h[1-6]$|^blockquote$/.test(style) ? style : 'p'
  if (/^(?:paragraph|p)$/.test(type)) return 'p'
  if (/^h[1-6]$/.test(type)) return type
  if (type.startsWith('head')) return `h${levelOf(node, type)}`
  if (/^(?:ordered|numbered)-?list$|^ol$/.test(type)) return 'ol'
  if (type === 'list')
    return node['ordered'] === true || node['format'] === 'ordered' || node['listType'] === 'number' ? 'ol' : 'ul'
  if (/list$|^ul$/.test(type)) return 'ul'
  if (/^(?:list-?item|li|listitem)$/.test(type)) return 'li'
  if (type.endsWith('quote')) return 'blockquote'
  if (/^code-?block$/.test(type)) return 'pre'
  if (/^(?:link|hyperlink|a|autolink)$/.test(type)) return 'a'
  return /^(?:hard-?break|linebreak|br)$/.test(type) ? 'br' : undefined
}

function levelOf(node: JsonObject, type: string): number {
  const attributes = isObject(node['attrs']) ? node['attrs'] : node
  const named = Number(
    /\d/.exec(type)?.[0] ??
      attributes['level'] ??
      attributes['depth'] ??
      (typeof node['tag'] === 'string' ? node['tag'].slice(1) : undefined),
  )
  return named >= 1 && named <= 6 ? named : 2
}

/** Maximum length of a link's URL; a longer one is omitted. Characters. */
const MAX_LINK = 8_000

function linkOf(node: JsonObject): string {
  const places = [node['attrs'], node['data'], node['fields'], node].filter(isObject)
  const link = places
    .map((place) => place['href'] ?? place['uri'] ?? place['url'])
    .find((one) => typeof one === 'string')
  return typeof link === 'string' && link.length <= MAX_LINK && /^(?:https?:|\/|#|mailto:)/i.test(link) ? link : ''
}
