import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseUrl } from '../../../base/url.js'
import type { MirrorEntry, StoredFacts } from '../mirror-record.js'
import { relink, wayToRoot } from './asset-files.js'
import { readMarkdown } from '../../../base/folder/page-file.js'

/** The lists of a folder. */
export const LIST_FILES = ['llms.txt', 'llms-full.txt'] as const

/** A page with its file. */
interface FiledPage extends MirrorEntry {
  readonly stored: StoredFacts
}

/** Hashes what the lists are made of. */
export function hashLists(pages: readonly FiledPage[], start: string): string {
  const facts = pages.map(({ key, title, description, stored }) => [key, title, description, stored.file, stored.sum])
  return createHash('sha256')
    .update(JSON.stringify([start, facts]))
    .digest('hex')
}

/** Orders the pages of a folder by their URLs. */
export const orderPages = (pages: Iterable<MirrorEntry>): FiledPage[] =>
  [...pages]
    .filter((page): page is FiledPage => page.stored !== undefined)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))

/**
 * Writes `llms.txt`: the site's name and description, and a list of its pages for each first folder of their paths, with links to the files.
 *
 * @see https://llmstxt.org/
 */
export function writeLlmsList(pages: readonly FiledPage[], start: string): string {
  const first = pages.find(({ key }) => key === start) ?? pages[0]
  const name = first?.title ?? parseUrl(start)?.host ?? start
  const sections = new Map<string, string[]>()
  for (const page of pages) {
    const section = sectionOf(page.key)
    const lines = sections.get(section) ?? []
    sections.set(section, lines)
    const notes = page.description === undefined ? '' : `: ${toLine(page.description)}`
    lines.push(`- [${escapeLabel(titleOf(page))}](${linkTo(page.stored.file)})${notes}`)
  }
  const lists = [...sections].map(([section, lines]) => `## ${section}\n\n${lines.join('\n')}\n`)
  const about = first?.description === undefined ? '' : `> ${toLine(first.description)}\n\n`
  return `# ${toLine(name)}\n\n${about}${lists.join('\n')}`
}

/** Writes `llms-full.txt`: the Markdown of all pages, one after the other. */
export async function* writeLlmsText(pages: readonly FiledPage[], folder: string): AsyncGenerator<string, void, void> {
  for (const page of pages) {
    const { assets = [], stored } = page
    const root = wayToRoot(stored.file)
    const files = new Map(assets.map(({ file }) => [`${root}${file}`, file]))
    const text = relink(readMarkdown(await readFile(join(folder, ...stored.file.split('/')), 'utf8')), files)
    yield `# ${toLine(titleOf(page))}\n\nSource: ${page.key}\n\n${text}\n\n`
  }
}

/** Returns the heading of the pages of a folder: its name, or that of the host for pages that are in none. */
function sectionOf(key: string): string {
  const url = parseUrl(key)
  if (!url) return key
  const [, folder = '', ...rest] = url.pathname.split('/')
  return toLine(rest.length === 0 ? url.host : decode(folder))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const titleOf = ({ title, key }: FiledPage): string => (title === undefined || title.trim() === '' ? key : title)

const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const escapeLabel = (text: string): string => toLine(text).replace(/[[\]\\]/g, '\\$&')

const linkTo = (file: string): string => file.split('/').map(encodeURIComponent).join('/')
