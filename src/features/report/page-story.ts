import type { LedgerRow } from '../../kernel/ledger/ledger.js'
import type { Document } from '../../kernel/page/document.js'
import { cutText } from '../../base/text/cut-text.js'
import type { PageStory, RowStory } from './report-data.js'

/** Limits of what a report has of one page. Characters. */
const MAX_MARKDOWN_LENGTH = 200_000
const MAX_HTML_LENGTH = 400_000
const MAX_PICTURE_LENGTH = 1_000_000
const MAX_FIELD_LENGTH = 20_000

/** Describes how a URL was found, and what was decided. */
export function toRowStory({ sources, place, ...row }: LedgerRow): RowStory {
  void [sources, place]
  return row
}

/** Lists texts of a feature that may not be there. */
export const listTexts = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) ? (value as string[]) : undefined

/** Selects what a report shows of a document. */
export function toPageStory(document: Document): PageStory {
  const { markdown, html, rawHtml, trace, fidelity, warning, metadata, ...formats } = document
  // Its format may not be there.
  const { screenshot, ...others }: Readonly<Record<string, unknown>> = formats
  const { learntBoilerplate, ...facts } = metadata
  const cut: string[] = []
  const bound = (name: string, text: string, length: number): string => {
    if (text.length > length) cut.push(name)
    return cutText(text, length)
  }
  const page = rawHtml ?? html
  const hasPicture =
    typeof screenshot === 'string' && screenshot.startsWith('data:image/') && screenshot.length <= MAX_PICTURE_LENGTH
  const fields = Object.entries({ ...facts, ...others })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, bound(name, printValue(value), MAX_FIELD_LENGTH)] as const)
  return {
    markdown: markdown === undefined ? undefined : bound('markdown', markdown, MAX_MARKDOWN_LENGTH),
    html: page === undefined ? undefined : bound('html', page, MAX_HTML_LENGTH),
    isWhole: page === undefined ? undefined : rawHtml !== undefined,
    picture: hasPicture ? screenshot : undefined,
    trace,
    boilerplate: listTexts(learntBoilerplate),
    fidelity,
    warning,
    fields,
    cut,
  }
}

const printValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))
