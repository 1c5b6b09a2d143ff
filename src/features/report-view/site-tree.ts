import { parseUrl } from '../../base/url.js'
import { html } from './dom.js'
import { decodeLetters, printCount } from './format.js'
import {
  addOutcome,
  folded,
  longList,
  note,
  type OutcomeCounts,
  outcomeBar,
  outcomeChip,
  section,
  sumOf,
} from './parts.js'
import type { Page, Report } from './report.js'
import { toHash } from './route.js'

/** A host, or a folder of one. */
interface Branch {
  readonly name: string
  /** Start of the URLs of its pages. */
  readonly prefix: string
  readonly counts: OutcomeCounts
  readonly branches: Map<string, Branch>
  readonly pages: Page[]
}

/** Levels that are open at first, as long as each has one branch only. */
const MAX_OPEN_LEVELS = 4

/** Shows the pages as a tree of hosts and folders. */
export function showSite(report: Report): HTMLElement {
  const { pages } = report
  const own = growTree(pages.filter((page) => report.isOwn(page)))
  const foreign = growTree(pages.filter((page) => !report.isOwn(page)))
  if (own.branches.size === 0) return section('Site', note('No URLs.'))
  return section(
    'Site',
    note('Folders by the number of their URLs. A click on a number lists them.'),
    drawList(own, true),
    foreign.branches.size > 0 &&
      folded(`Other hosts, of which nothing was scraped: ${printCount(foreign.branches.size)}`, () =>
        drawList(foreign),
      ),
  )
}

function growTree(pages: readonly Page[]): Branch {
  const root = makeBranch('', '')
  for (const page of pages) {
    const url = parseUrl(page.url)
    if (!url) continue
    let at = enter(root, url.host, `${url.origin}/`)
    addOutcome(at.counts, page)
    const folders = url.pathname.split('/').slice(1, -1)
    for (const folder of folders) {
      at = enter(at, folder, `${at.prefix}${folder}/`)
      addOutcome(at.counts, page)
    }
    at.pages.push(page)
  }
  return root
}

const makeBranch = (name: string, prefix: string): Branch => ({
  name,
  prefix,
  counts: {},
  branches: new Map(),
  pages: [],
})

function enter({ branches }: Branch, name: string, prefix: string): Branch {
  const known = branches.get(name)
  if (known) return known
  const made = makeBranch(name, prefix)
  branches.set(name, made)
  return made
}

/** Draws what is in a branch. @param isOpen whether its branches are open at first */
function drawList(branch: Branch, isOpen = false, level = 0): HTMLElement {
  const branches = [...branch.branches.values()].sort((one, other) => sumOf(other.counts) - sumOf(one.counts))
  const opens = isOpen && (level === 0 || (branches.length === 1 && level < MAX_OPEN_LEVELS))
  const items = [...branches, ...branch.pages]
  const draw = (item: Branch | Page): HTMLElement =>
    'branches' in item ? drawBranch(item, level, opens) : drawLeaf(item)
  return longList(items, draw, html('ul', { class: 'tree' }), 'further')
}

function drawBranch(branch: Branch, level: number, isOpen: boolean): HTMLElement {
  const { name, prefix, counts } = branch
  const item = html('li', {})
  const toggle = html('button', { type: 'button', class: 'toggle', 'aria-expanded': 'false' }, decodeLetters(name))
  if (level > 0) toggle.append('/')
  const all = printCount(sumOf(counts))
  const count = html('a', { class: 'count', href: toHash('pages', { path: prefix }), title: `List ${all} URLs` }, all)
  item.append(html('div', { class: 'branch' }, toggle, outcomeBar(counts), count))
  let inside: HTMLElement | undefined
  const setOpen = (open: boolean): void => {
    toggle.setAttribute('aria-expanded', String(open))
    if (open && !inside) item.append((inside = drawList(branch, isOpen, level + 1)))
    if (inside) inside.hidden = !open
  }
  toggle.addEventListener('click', () => setOpen(toggle.getAttribute('aria-expanded') !== 'true'))
  if (isOpen) setOpen(true)
  return item
}

function drawLeaf(page: Page): HTMLElement {
  const { pathname = '', search = '' } = parseUrl(page.url) ?? {}
  const name = `${pathname.split('/').at(-1) ?? ''}${search}`
  const link = html(
    'a',
    { href: toHash(`page/${page.number}`), title: page.url },
    name === '' ? '(index)' : decodeLetters(name),
  )
  const title = page.title === '' ? page.reason : page.title
  const second = html('span', { class: 'second' }, title)
  return html('li', {}, html('div', { class: 'leaf' }, outcomeChip(page.outcome), link, second))
}
