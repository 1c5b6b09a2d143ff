import { parse } from '../../../src/content/parse/parse.js'
import type { ParsedPage, ParsePlan } from '../../../src/content/parse/parser.js'

/** Bounds that no ordinary page reaches. */
export const parsePlan: ParsePlan = { maxHtmlBytes: 10_000_000, maxDepth: 256, maxNodes: 500_000 }

export const pageUrl = 'https://site.test/dir/page.html'

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** An HTML page as the parser reads it. */
export const parseHtml = (html: string, plan: Partial<ParsePlan> = {}, url = pageUrl): ParsedPage =>
  parse({ url, body: bytes(html), contentType: 'text/html; charset=utf-8' }, { ...parsePlan, ...plan })
