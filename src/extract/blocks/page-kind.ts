import type { ParsedPage } from '../../parse/parser.js'
import { type ChildNode, type Element, isElement, walk } from '../../html/tree.js'
import type { JsonObject } from '../../collections/is-object.js'
import { resolveUrl } from '../../url.js'
import { readJsonLd } from '../structured-data/structured-data.js'

/** The kind of a page, as far as it changes which part is the main content. */
export type ContentKind = 'article' | 'discussion' | 'other'

// Without `Question`, which marks up the entries of FAQ lists.
const DISCUSSION = /^(?:DiscussionForumPosting|QAPage)$/
const ARTICLE = /^(?!Tech)\w*(?:Article|BlogPosting|Report|Review)$/
const FORUM_SOFTWARE =
  /discourse|phpbb|vbulletin|xenforo|invision|ips community|mybb|simple machines|smf|flarum|nodebb|vanilla|fluxbb|punbb|yabb|phorum/i
const FORUM_WORDS =
  /(?:^|[\s_-])(?:forum|forums|viewtopic|showthread|viewthread|topic-page|phpbb|vbulletin|xenforo|ipb|discourse|question-page|discussion|vanilla)(?:$|[\s_-])/i
const FORUM_HOST = /(?:^|\.)(?:forums?|boards?|community|communities|discuss|discussions?|answers)\./
const FORUM_PATH = /\/(?:forums?|boards?|threads?|topics?|discussions?|viewtopic|showthread|questions)(?:[/.]|$)/

/** Determines the kind of a page from its markup and URL. */
export function findPageKind(page: ParsedPage): ContentKind {
  const signs: KindSigns = { types: readJsonLd(page).flatMap(typesOf), kind: 'other' }
  walk(page.tree.root, addSigns, undefined, signs)
  const { types, kind } = signs
  if (kind === 'discussion' || isForumAddress(page.url) || types.some((type) => DISCUSSION.test(type)))
    return 'discussion'
  return types.some((type) => ARTICLE.test(type)) ? 'article' : kind
}

interface KindSigns {
  /** Types of structured data. */
  readonly types: string[]
  /** Kind by tags and attributes; that of a discussion wins. */
  kind: ContentKind
}

function addSigns(node: ChildNode, signs: KindSigns): void {
  if (!isElement(node)) return
  const { name, attribs } = node
  if (attribs['itemtype'] !== undefined) signs.types.push(attribs['itemtype'].replace(/^.*\//, ''))
  if (isForumElement(node)) signs.kind = 'discussion'
  if (signs.kind !== 'other' || name !== 'meta') return
  if (attribs['property'] === 'og:type' && attribs['content'] === 'article') signs.kind = 'article'
}

function isForumElement({ name, attribs }: Element): boolean {
  if (name === 'meta') return attribs['name'] === 'generator' && FORUM_SOFTWARE.test(attribs['content'] ?? '')
  if (name !== 'html' && name !== 'body') return false
  return FORUM_WORDS.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}

function isForumAddress(address: string): boolean {
  const url = resolveUrl(address)
  return url !== undefined && (FORUM_HOST.test(url.hostname) || FORUM_PATH.test(url.pathname))
}

function typesOf(object: JsonObject): string[] {
  const type = object['@type']
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : typeof type === 'string' ? [type] : []
}
