import type { Document } from '../../kernel/page/document.js'
import { cutText } from '../../base/text/cut-text.js'
import { escapeInvisible } from '../../base/llm/answers/page-text.js'
import { fitChunks, type ToolText, tokensForPart } from './answer.js'

/** Formats of a page whose content is read: chunks are made outside of the host's thread. */
export const contentFormats = (maxTokens: number) =>
  [{ type: 'chunks', maxTokens: tokensForPart(maxTokens) }] as const satisfies readonly object[]

/** Maximum length of a title, which the page chooses. Characters. */
const MAX_TITLE_LENGTH = 300
/** Maximum length of a URL above a page. Characters. */
const MAX_URL_LENGTH = 1000

/** Describes a page, in its and its server's words: its URL, title and status. */
export function describePage({ metadata, warning }: Document): string {
  const { url, title, statusCode, error } = metadata
  return [
    `URL: ${cutText(url, MAX_URL_LENGTH)}${url.length > MAX_URL_LENGTH ? '…' : ''}`,
    ...(typeof title === 'string' ? [`Title: ${cutTitle(title)}`] : []),
    ...(error === undefined ? [] : [`Status: ${statusCode} ${joinLines(error)}`]),
    ...(warning === undefined ? [] : [`Warning: ${warning}`]),
  ].join('\n')
}

/** Shortens a title to one line, in which invisible characters are escaped. */
export const cutTitle = (title: string): string => joinLines(escapeInvisible(cutText(title, MAX_TITLE_LENGTH)))

const joinLines = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()

/** Writes a page with {@link contentFormats} as a text whose parts are its chunks. */
export async function writePage(page: Document, maxTokens: number): Promise<ToolText> {
  const { url, title } = page.metadata
  const markdowns = (page.chunks ?? []).map(({ markdown }) => markdown)
  const chunks = await fitChunks(markdowns, maxTokens)
  const parts = chunks.length === 0 ? ['The page has no text.'] : chunks
  const document = typeof title === 'string' ? { url, title: cutTitle(title) } : { url }
  return { head: '', about: describePage(page), parts, between: '\n\n', maxTokens, document }
}
