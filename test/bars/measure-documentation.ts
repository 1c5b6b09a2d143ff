import { type DocumentationPage, readDocumentationPage } from './documentation-page.js'
import type { DocumentationSite } from './documentation-sites.js'
import { readWords } from './documentation-text.js'
import { readMarkdown } from './read-markdown.js'

/** How much of something there is, of how much there is to be. */
export interface Share {
  readonly of: number
  readonly kept: number
  /** What is not as it is to be: lost, or let through. */
  readonly wrong: readonly string[]
}

export const KINDS = ['words', 'menus', 'code', 'links', 'ownLinks'] as const
export type Kind = (typeof KINDS)[number]

/** What Markdown has kept of a page, and of its menus. */
export type PageMeasure = { readonly url: string } & Readonly<Record<Kind, Share>>

/** Compares Markdown with the page that it was made of. @returns undefined when the page has no main part */
export function measureDocumentation(
  html: string,
  url: string,
  markdown: string,
  site: DocumentationSite,
): PageMeasure | undefined {
  const page = readDocumentationPage(html, url, site)
  if (page === undefined) return undefined
  const made = readMarkdown(markdown, url)
  const words = readWords(made.text)
  const spoken = ` ${words.join(' ')} `
  return {
    url,
    words: compareBags(page.words, words),
    menus: share(page.menuPhrases, (phrase) => spoken.includes(` ${phrase} `), 'wrong when there'),
    code: compareCode(page, made.code, spoken),
    links: share(page.links, (link) => made.links.has(link)),
    ownLinks: share(page.ownLinks, (link) => made.links.has(link)),
  }
}

function share(all: readonly string[], isThere: (one: string) => boolean, wrongWhen = 'wrong when not there'): Share {
  const there = all.filter(isThere)
  const wrong = wrongWhen === 'wrong when there' ? there : all.filter((one) => !isThere(one))
  return { of: all.length, kept: there.length, wrong }
}

function compareBags(expected: readonly string[], found: readonly string[]): Share {
  const left = new Map<string, number>()
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1)
  const wrong = expected.filter((word) => {
    const count = left.get(word) ?? 0
    if (count > 0) left.set(word, count - 1)
    return count === 0
  })
  return { of: expected.length, kept: expected.length - wrong.length, wrong }
}

function compareCode({ code }: DocumentationPage, made: readonly string[], spoken: string): Share {
  const blocks = new Set(made.map(asLines))
  const wrong = code
    .filter(({ text, isInTable }) =>
      isInTable ? !` ${spoken} `.includes(` ${readWords(text).join(' ')} `) : !blocks.has(asLines(text)),
    )
    .map(({ text }) => text)
  return { of: code.length, kept: code.length - wrong.length, wrong }
}

/** White space within lines counts; at their ends, and in empty lines around the block, nobody sees it. */
const asLines = (code: string): string =>
  code
    .replaceAll('\u00a0', ' ')
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')

/**
 * A site's figure: the lower of the mean over its pages and the share over all of them, so that neither many short pages nor
 * a few long ones decide alone. Of menus, the higher.
 */
export function totalShare(pages: readonly PageMeasure[], kind: Kind): number {
  const shares = pages.map((page) => page[kind]).filter(({ of }) => of > 0)
  if (shares.length === 0) return kind === 'menus' ? 0 : 1
  const mean = shares.reduce((sum, { of, kept }) => sum + kept / of, 0) / shares.length
  const pooled = shares.reduce((sum, { kept }) => sum + kept, 0) / shares.reduce((sum, { of }) => sum + of, 0)
  return kind === 'menus' ? Math.max(mean, pooled) : Math.min(mean, pooled)
}
