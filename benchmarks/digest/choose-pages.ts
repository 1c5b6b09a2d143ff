import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { generateSite } from '../../test/site/generate-site.js'
import { findCollection } from '../quality/collection.js'
import type { BenchPage } from './sides.js'

interface Archive {
  loadSet(root: string, set: string, split: string): readonly { readonly url?: string; readonly html: string }[]
}

/** Sets of the quality collection that figures are taken from. */
const SETS: readonly string[] = ['aeb', 'wcxb', 'traf']

/**
 * Chooses the pages to measure, evenly spread over the quality collection. Without it, they are the fixtures and the
 * pages of a generated site.
 *
 * @param most maximum number of pages
 * @param sets names of sets of the collection
 */
export async function choosePages(
  root: string,
  most: number,
  sets = SETS,
): Promise<{ pages: BenchPage[]; name: string }> {
  const found = findCollection(root)
  if ('missing' in found) {
    const generated = generateSite({ pages: most, blocksFrom: join(root, 'test/site/docs') })
    const site = [...generated].map(([path, html]) => ({ url: `http://site.test${path}`, html }))
    return { pages: spread([...readFixtures(root), ...site], most), name: 'generated pages and fixtures' }
  }
  const archive = (await import(pathToFileURL(join(found.folder, 'lib/archive.mjs')).href)) as Archive
  const pages = sets.flatMap((set) => archive.loadSet(join(found.folder, 'data'), set, 'dev'))
  const chosen = spread(pages, most).map(({ url, html }, at) => ({
    url: URL.canParse(url ?? '') ? new URL(url ?? '').href : `http://page.test/${at}`,
    html,
  }))
  return { pages: chosen, name: 'pages of the quality collection' }
}

/** Reads at most `most` HTML files of a folder and of those in it, evenly spread. */
export function readFolder(folder: string, most: number): BenchPage[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.x?html?$/.test(file))
  return spread(files.toSorted(), most).map((file) => ({
    url: new URL(file, 'http://site.test/').href,
    html: readFileSync(join(folder, file), 'utf8'),
  }))
}

function readFixtures(root: string): BenchPage[] {
  const folder = join(root, 'test/fixtures')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('page.html'))
    .map((file) => ({ url: `http://fixture.test/${file}`, html: readFileSync(join(folder, file), 'utf8') }))
}

/** Chooses at most `most` values, evenly spread. */
export const spread = <T>(all: readonly T[], most: number): T[] =>
  all.filter((_, at) => Math.floor((at * most) / all.length) !== Math.floor(((at - 1) * most) / all.length))
