import type { ParsedPage } from '../../parse/parser.js'
import { HAS_ATTRIBUTES, PageNodes } from '../../html/page-nodes.js'
import { type Element, isElement } from '../../html/tree.js'
import type { JsonObject } from '../../../base/collections/is-object.js'
import { resolveUrl } from '../../../base/url.js'
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
const FORUM_HOST = /(?:^|\.)(?:forums?|community|communities|discuss|discussions?|answers)\./
/** A board may also be one of jobs or of directors. The pages of a forum there have the address of a thread. */
const BOARD_HOST = /(?:^|\.)boards?\./
const THREAD_QUERY = /[?&](?:t|f|tid|fid|topic|board|thread(?:id)?|showtopic|showforum)=\d/i
const FORUM_PATH = /\/(?:forums?|boards?|threads?|topics?|discussions?|viewtopic|showthread|questions)(?:[/.]|$)/

/**
 * Determines the kind of a page from its markup and URL.
 *
 * @param list nodes of the page. @default they are listed
 */
export function findPageKind(page: ParsedPage, list: PageNodes = new PageNodes(page.tree.root)): ContentKind {
  const signs: KindSigns = { types: readJsonLd(page).flatMap(typesOf), kind: 'other' }
  const { nodes, kinds } = list
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]
    if (((kinds[at] ?? 0) & HAS_ATTRIBUTES) !== 0 && node !== undefined && isElement(node)) addSigns(node, signs)
  }
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

function addSigns(element: Element, signs: KindSigns): void {
  const { name, attribs } = element
  const type = attribs['itemtype']?.replace(/^.*\//, '')
  // A review that is a property of a thing is what buyers say of it, beside it.
  if (type !== undefined && !(type === 'Review' && attribs['itemprop'] !== undefined)) signs.types.push(type)
  if (FORUM_ELEMENTS.has(name) && isForumElement(element)) signs.kind = 'discussion'
  if (signs.kind !== 'other' || name !== 'meta') return
  if (attribs['property'] === 'og:type' && attribs['content'] === 'article') signs.kind = 'article'
}

/** Elements that tell the program of a forum. */
const FORUM_ELEMENTS: ReadonlySet<string> = new Set(['meta', 'html', 'body'])

function isForumElement({ name, attribs }: Element): boolean {
  if (name === 'meta') return attribs['name'] === 'generator' && FORUM_SOFTWARE.test(attribs['content'] ?? '')
  return FORUM_WORDS.test(`${attribs['class'] ?? ''} ${attribs['id'] ?? ''}`)
}

function isForumAddress(address: string): boolean {
  const url = resolveUrl(address)
  if (url === undefined) return false
  const { hostname, pathname, search } = url
  return (
    FORUM_HOST.test(hostname) || FORUM_PATH.test(pathname) || (BOARD_HOST.test(hostname) && THREAD_QUERY.test(search))
  )
}

function typesOf(object: JsonObject): string[] {
  const type = object['@type']
  // What buyers say of a product, beside it.
  if (type === 'Review' && object['itemReviewed'] === undefined) return []
  return Array.isArray(type) ? type.filter((one) => typeof one === 'string') : typeof type === 'string' ? [type] : []
}
