import type { PageScript } from './payload.js'
import { endOfTag } from '../rendering/html-tags.js'

/** Maximum number of scripts to list. */
const MAX_SCRIPTS = 2_000

/** Lists the scripts in the source of a page, in order, without those in comments. Takes time linear in the page's size. */
export function listScripts(html: string): readonly PageScript[] {
  const scripts: PageScript[] = []
  const starts = /<!--|<script(?=[\s/>])/gi
  for (let start = starts.exec(html); start && scripts.length < MAX_SCRIPTS; start = starts.exec(html)) {
    if (start[0] === '<!--') {
      const end = html.indexOf('-->', start.index + 4)
      if (end < 0) break
      starts.lastIndex = end + 3
      continue
    }
    const from = endOfTag(html, start.index)
    const closing = /<\/script[\s/>]/gi
    closing.lastIndex = from
    const to = closing.exec(html)?.index ?? html.length
    scripts.push({ tag: html.slice(start.index, Math.min(from, start.index + 2000)), text: html.slice(from, to) })
    starts.lastIndex = to
  }
  return scripts
}
