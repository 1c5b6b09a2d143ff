import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { documentationSites } from '../../test/bars/documentation-sites.js'
import { readDocumentationPage } from '../../test/bars/documentation-page.js'
import type { ReferencePage } from './read-samples.js'

interface Archive {
  readonly loadSet: (root: string, set: string, half: string) => readonly Reference[]
}

interface Reference {
  readonly id: string
  readonly type: string
  readonly url: string | null
  readonly html: string
  readonly text?: string
  readonly want?: readonly string[]
  readonly unwanted?: readonly string[]
}

/** The sets of the collection that have reference answers by people, or by a parser written for the site. */
const SETS = ['aeb', 'traf', 'wcxb', 'fundus', 'turing', 'zh', 'wcxb2']

/** Loads the pages of the collection that have a reference answer. */
export async function loadCollection(folder: string): Promise<ReferencePage[]> {
  const { loadSet } = (await import(pathToFileURL(join(folder, 'lib/archive.mjs')).href)) as Archive
  return SETS.flatMap((set) =>
    loadSet(join(folder, 'data'), set, 'dev')
      .filter(({ text }) => text === undefined || text.trim() !== '')
      .map(({ id, type, url, html, text, want, unwanted }) => ({
        id,
        set,
        type,
        url: url?.trim() ?? 'https://unknown.test/',
        html,
        ...(text !== undefined && { text }),
        want: want ?? [],
        unwanted: unwanted ?? [],
      })),
  )
}

/** Maximum pages of a site, spread evenly over the sorted names of its pages. */
const PAGES_OF_A_SITE = 24

/** Loads pages of the installed documentation packages, whose markup identifies the content. */
export function loadDocumentation(): ReferencePage[] {
  return documentationSites.flatMap((site) => {
    if (!existsSync(site.folder)) return []
    const files = readdirSync(site.folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.html'))
      .toSorted()
    const step = Math.max(1, files.length / PAGES_OF_A_SITE)
    return Array.from(
      { length: Math.min(files.length, PAGES_OF_A_SITE) },
      (_, at) => files[Math.floor((at + 0.5) * step)] ?? '',
    ).flatMap((file) => {
      const url = `https://${site.name.replace(/[^a-z\d-]+/gi, '-')}.test/${file}`
      const html = readFileSync(join(site.folder, file), 'utf8')
      const page = readDocumentationPage(html, url, site)
      if (page === undefined) return []
      return [
        {
          id: `${site.name}/${file}`,
          set: 'documentation',
          type: 'manual',
          url,
          html,
          text: page.words.join(' '),
          want: [],
          unwanted: [],
        },
      ]
    })
  })
}
