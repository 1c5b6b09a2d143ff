import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { choosePages } from '../digest/choose-pages.js'

/** Documentation of Debian's packages `openjdk-17-doc`, `rust-doc` and `python3.11-doc`. */
export const documentationFolders: Readonly<Record<string, string>> = {
  javadoc: '/usr/share/doc/openjdk-17-jre-headless/api',
  rustdoc: '/usr/share/doc/rust-doc/html',
  python: '/usr/share/doc/python3.11/html',
}

/** Number of pages of the quality collection that are served as a site. */
const REAL_PAGES = 1300

/** Names of the sites. */
export const siteNames: readonly string[] = [...Object.keys(documentationFolders), 'real']

/**
 * Returns a folder with an `index.html` that leads to all pages of a site; undefined if it is not on this machine.
 *
 * @param root the checkout
 */
export async function findSite(name: string, root: string): Promise<string | undefined> {
  if (name === 'real') return writeRealPages(root)
  const folder = documentationFolders[name]
  return folder !== undefined && existsSync(join(folder, 'index.html')) ? folder : undefined
}

/** Writes pages of the quality collection to a temporary folder. */
async function writeRealPages(root: string): Promise<string | undefined> {
  const { pages, name } = await choosePages(root, REAL_PAGES)
  if (!name.includes('collection')) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'trawl-site-'))
  mkdirSync(join(folder, 'page'))
  for (const [at, { html }] of pages.entries()) writeFileSync(join(folder, 'page', `${at}.html`), html)
  const list = pages.map((_, at) => `<li><a href="page/${at}.html">${at}</a></li>`).join('')
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>Index</title><ul>${list}</ul>`)
  return folder
}
