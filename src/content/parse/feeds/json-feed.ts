import { isObject, type JsonObject } from '../../../base/collections/is-object.js'
import { type FeedEntry, makeFeedPage } from './feed-page.js'
import type { ParserInput, ParsedPage, ParsePlan } from '../parser.js'
import { parseJson } from '../../../base/text/parse-json.js'

const VERSION = /"version"\s*:\s*"https?:\\?\/\\?\/jsonfeed\.org\\?\/version\\?\//

/** Reads a JSON Feed as a page; undefined for other JSON. @see https://www.jsonfeed.org/version/1.1/ */
export function readJsonFeed(input: ParserInput, text: string, plan: ParsePlan): ParsedPage | undefined {
  // Most JSON is not a feed; this test avoids parsing it.
  if (!VERSION.test(text.slice(0, 10_000)) && !VERSION.test(text.slice(-10_000))) return undefined
  if (input.body.length > plan.maxHtmlBytes) return undefined
  const feed = readObject(text)
  if (!feed || !Array.isArray(feed['items'])) return undefined
  const facts = {
    title: textIn(feed, 'title'),
    description: textIn(feed, 'description'),
    home: textIn(feed, 'home_page_url'),
  }
  const entries = feed['items'].filter(isObject).map(readEntry)
  return makeFeedPage(input, text, facts, { entries, plan })
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = parseJson(text)
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined
    throw error
  }
}

const textIn = (object: JsonObject, name: string): string => {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

function readEntry(item: JsonObject): FeedEntry {
  const authors: readonly unknown[] = Array.isArray(item['authors']) ? item['authors'] : [item['author']]
  const plain = textIn(item, 'content_text') || textIn(item, 'summary')
  return {
    title: textIn(item, 'title'),
    href: textIn(item, 'url') || textIn(item, 'external_url'),
    date: textIn(item, 'date_published') || textIn(item, 'date_modified'),
    author: authors.flatMap((author) => (isObject(author) ? textIn(author, 'name') || [] : [])).join(', '),
    body: textIn(item, 'content_html') || asHtml(plain),
    enclosures: [item['attachments']]
      .flat()
      .filter(isObject)
      .map((file) => ({ href: textIn(file, 'url').trim(), type: textIn(file, 'mime_type') })),
  }
}

/** Converts plain text to HTML with line breaks. */
const asHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .split(/\n\s*\n/)
    .map((paragraph) => `<p>${paragraph.trim().replaceAll('\n', '<br>')}</p>`)
    .join('')
