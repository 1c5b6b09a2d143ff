import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DomUtils, parseDocument } from 'htmlparser2'

/** What a generated site is made of; the same numbers give the same site, byte for byte. */
export interface SiteSize {
  /** Pages that can be reached from `/`. */
  readonly pages: number
  /** @default 1 */
  readonly seed?: number
  /** The folder of pages whose paragraphs, tables and listings it is made of. @default the documentation site beside this file */
  readonly blocksFrom?: string
}

/** Children of a page: three levels hold 157 pages, four 1,885. */
const CHILDREN = 12

interface Page {
  readonly path: string
  readonly title: string
  readonly children: readonly number[]
}

/**
 * A site of realistic pages (10 to 60 KB) for when no real one is at hand: a tree of sections, on every page a header, a
 * side bar, breadcrumbs and links across; here and there a second address of the same page, a dead link, a link out.
 *
 * @returns each page's HTML by its path; a section's path ends in `/`
 */
export function generateSite({ pages, seed = 1, blocksFrom = ownDocs }: SiteSize): Map<string, string> {
  const random = mulberry32(seed)
  const blocks = readBlocks(blocksFrom)
  const words = [
    ...new Set(
      blocks
        .join(' ')
        .replace(/<[^>]*>|&\w+;/g, ' ')
        .match(/\b[a-z]{2,12}\b/g),
    ),
  ]
  const tree = plant(pages, words, random)
  const html = tree.map((_, index) => render(tree, index, { random, blocks, words }))
  return new Map(tree.map(({ path }, index) => [path, html[index] ?? '']))
}

const ownDocs = fileURLToPath(new URL('./docs', import.meta.url))

/** The paragraphs, tables, listings and so on of every article, links and pictures taken out. */
function readBlocks(docs: string): string[] {
  const files = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(guides|reference).*\.html$/.test(name),
  )
  return files
    .sort()
    .flatMap((name) => {
      const article = DomUtils.getElementsByTagName(
        'article',
        parseDocument(readFileSync(`${docs}/${name}`, 'utf8')),
      )[0]
      const blocks = article
        ? DomUtils.getChildren(article).filter((node) => !(DomUtils.isTag(node) && node.name === 'h1'))
        : []
      return blocks.map((node) =>
        DomUtils.getOuterHTML(node)
          .replace(/<\/?a\b[^>]*>|<img\b[^>]*>| id="[^"]*"/g, '')
          .trim(),
      )
    })
    .filter((html) => html.length > 40)
}

/** Every page's path and title: page 0 is `/`, and page `i` has the pages `12 i + 1` and following as its children. */
function plant(count: number, words: readonly string[], random: Random): Page[] {
  const tree: Page[] = []
  for (let index = 0; index < count; index += 1) {
    const children = Array.from({ length: CHILDREN }, (_, nth) => CHILDREN * index + nth + 1).filter(
      (child) => child < count,
    )
    const title = capital(`${pick(words, random)} ${pick(words, random)}`)
    const slug = `${title.toLowerCase().replace(' ', '-')}-${index}`
    const parent = tree[Math.floor((index - 1) / CHILDREN)]
    tree.push({ title, children, path: parent ? `${parent.path}${slug}${children.length > 0 ? '/' : '.html'}` : '/' })
  }
  return tree
}

interface Materials {
  readonly random: Random
  readonly blocks: readonly string[]
  readonly words: readonly string[]
}

function render(tree: readonly Page[], index: number, materials: Materials): string {
  const { random } = materials
  const page = tree[index] ?? { path: '/', title: '', children: [] }
  const parents = ancestors(index)
  const siblings = tree[parents[0] ?? 0]?.children ?? []
  const item = (to: number): string => `<li>${link(tree, to)}</li>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${page.title}</title>
<meta name="description" content="${sentence(materials).replace(/<[^>]*>/g, '')}">
<link rel="canonical" href="${page.path}">
</head>
<body>
<header><a href="/">Home</a> <nav><ul>${(tree[0]?.children ?? []).map(item).join('')}</ul></nav></header>
<aside><nav><ul>
${siblings.map(item).join('\n')}
</ul></nav></aside>
<main>
<nav aria-label="Breadcrumbs"><ol>${parents.toReversed().map(item).join('')}<li>${page.title}</li></ol></nav>
<h1>${page.title}</h1>
${body(tree, 9_000 + Math.floor(random() ** 2 * 48_000), materials)}
<ul>
${page.children.map(item).join('\n')}
</ul>
<p>${odds(tree, materials).join(' ')}</p>
</main>
<footer><p>Generated from seed and number. <a href="https://example.org/">Elsewhere</a> <a href="mailto:nobody@example.org">Write</a> <a href="#top">Top</a></p></footer>
</body>
</html>
`
}

/** Blocks of the documentation site and made-up prose in turn, until there is enough of it. */
function body(tree: readonly Page[], bytes: number, materials: Materials): string {
  const { random, blocks } = materials
  const parts: string[] = []
  for (let size = 0; size < bytes; size += parts.at(-1)?.length ?? bytes) {
    if (random() < 0.4) parts.push(pick(blocks, random))
    else if (random() < 0.15) parts.push(`<h2 id="part-${parts.length}">${capital(pick(materials.words, random))}</h2>`)
    else
      parts.push(
        `<p>${Array.from({ length: 3 + Math.floor(random() * 4) }, () => sentence(materials, tree)).join(' ')}</p>`,
      )
  }
  return parts.join('\n')
}

/** A made-up sentence, with a link across the site now and then. */
function sentence({ random, words }: Materials, tree: readonly Page[] = []): string {
  const text = Array.from({ length: 6 + Math.floor(random() * 14) }, () => pick(words, random))
  const place = Math.floor(random() * text.length)
  const chance = random()
  if (chance < 0.2) text[place] = `<code>${text[place]}</code>`
  else if (chance < 0.3) text[place] = `<em>${text[place]}</em>`
  else if (chance < 0.36 && tree.length > 0) text[place] = link(tree, Math.floor(random() * tree.length))
  return `${capital(text.join(' '))}.`
}

/** What crawlers stumble over: a section of a page, a second address, a dead link, a picture. */
function odds(tree: readonly Page[], { random }: Materials): string[] {
  const any = (): string => pick(tree, random).path
  const found = [`<a href="${any()}#part-3">a section</a>`]
  if (random() < 0.03) found.push(`<a href="${any()}?view=print">to print</a>`)
  if (random() < 0.02) found.push(`<a href="/gone/${Math.floor(random() * 1e6)}.html">a page that was</a>`)
  if (random() < 0.05) found.push(`<a href="/pictures/${Math.floor(random() * 1e6)}.png">a picture</a>`)
  return found
}

/** The pages above this one, nearest first. */
const ancestors = (index: number): number[] => {
  if (index === 0) return []
  const parent = Math.floor((index - 1) / CHILDREN)
  return [parent, ...ancestors(parent)]
}

const link = (tree: readonly Page[], index: number): string =>
  `<a href="${tree[index]?.path}">${tree[index]?.title}</a>`

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

type Random = () => number

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

/** Tommy Ettinger's mulberry32: 32 bits of state, the same numbers on every machine. */
function mulberry32(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
