import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, it } from 'vitest'
import { findTargets } from '../../../src/content/convert/split/find-targets.js'
import { makeRandom } from '../../site/edited-page.js'

const pictures = (markdown: string): string[] =>
  findTargets(markdown)
    .filter(({ isPicture }) => isPicture)
    .map(({ href }) => href)

interface Node {
  readonly type: string
  readonly url?: string
  readonly identifier?: string
  readonly children?: readonly Node[]
}

/** The pictures that a parser of CommonMark and GFM sees. */
function parsePictures(markdown: string): Set<string> {
  const tree = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const found = new Set<string>()
  const referred = new Set<string>()
  const definitions = new Map<string, string>()
  const visit = ({ type, url = '', identifier = '', children = [] }: Node): void => {
    if (type === 'image') found.add(url)
    if (type === 'imageReference') referred.add(identifier)
    if (type === 'definition' && !definitions.has(identifier)) definitions.set(identifier, url)
    children.forEach(visit)
  }
  visit(tree)
  for (const label of referred) found.add(definitions.get(label) ?? '')
  return found
}

/** Makes Markdown of all kinds of blocks, in each other. */
function makeMarkdown(random: (below: number) => number): string {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  let serial = 0
  const inline = (): string => {
    serial += 1
    return pick([
      'words of a text',
      `![alt ${serial}](p${serial}.png)`,
      `![alt](<p ${serial}.png> "title")`,
      `[![alt](p${serial}.png)](l${serial}.html)`,
      `\`![code](p${serial}.png)\``,
      `![alt][r${serial}]`,
      `![r${serial}]`,
      `\\![no](p${serial}.png)`,
      `**bold ![x](p${serial}_(a).png)**`,
    ])
  }
  const block = (depth: number): string[] => {
    const kind = random(depth > 2 ? 4 : 8)
    if (kind === 0) return [`${inline()} ${inline()}`, inline()]
    if (kind === 1) return [`## ${inline()}`]
    if (kind === 2) return ['```', inline(), '', inline(), '```']
    if (kind === 3) return ['| a | b |', '| --- | --- |', `| ${inline()} | ${inline()} |`]
    const inner = Array.from({ length: 1 + random(3) }, () => [...block(depth + 1), ''])
      .flat()
      .slice(0, -1)
    if (kind === 4) return inner.map((line) => `> ${line}`.trimEnd())
    const marker = pick(['- ', '1. ', '12) '])
    return inner.map((line, at) => (at === 0 ? marker : line === '' ? '' : ' '.repeat(marker.length)) + line)
  }
  const lines = Array.from({ length: 1 + random(6) }, () => [...block(0), '']).flat()
  for (let label = 1; label <= serial; label += 1) lines.push(`[r${label}]: d${label}.png`)
  return lines.join('\n')
}

describe('findTargets', () => {
  it.each([
    ['![a](x.png)', ['x.png']],
    ['![a](x.png "a title")', ['x.png']],
    ['![a](<x y.png> "title")', ['x y.png']],
    ['![a \\] b](x.png)', ['x.png']],
    ['[![a](x.png)](y.html)', ['x.png']],
    ['![a](x_(1).png)', ['x_(1).png']],
    ['![a](x\\).png)', ['x).png']],
    ['![a](x.png?a=1&amp;b=2)', ['x.png?a=1&b=2']],
    ['\\![a](x.png)', []],
    ['`![a](x.png)`', []],
    ['```\n![a](x.png)\n```\n![b](y.png)', ['y.png']],
    ['- item\n\n  ```\n  ![a](x.png)\n  ```\n\n  ![b](y.png)', ['y.png']],
    ['> ~~~\n> ![a](x.png)\n\n![b](y.png)', ['y.png']],
    ['text\n\n    ![a](x.png)', []],
    ['text\n    ![a](x.png)', ['x.png']],
    ['1. one\n\n       ![a](x.png)\n\n   ![b](y.png)', ['y.png']],
    ['![a][1] ![2] ![3][]\n\n[1]: x.png "t"\n[2]: <y z.png>\n[3]:\n  z.png', ['x.png', 'y z.png', 'z.png']],
    ['[a][1]\n\n[1]: x.png', []],
    ['`![2]`\n\n[2]: y.png', []],
    ['| a | b |\n|---|---|\n| ![a | ](x.png) |\n| ![c](y.png) | |', ['y.png']],
    ['text[^1]\n\n[^1]: ![a](x.png)\n\n    ![b](y.png)', ['x.png', 'y.png']],
    ['<!-- ![a](x.png)\n\n![b](y.png) -->\n\n![c](z.png)', ['z.png']],
    ['<pre>\n![a](x.png)\n\n</pre>\n![c](z.png)', ['z.png']],
    ['---\ntitle: "![a](x.png)"\n---\n\n![b](y.png)', ['y.png']],
    ['![a](data:image/png;base64,iVBORw0KGgo=)', ['data:image/png;base64,iVBORw0KGgo=']],
  ])('finds the pictures of %j', (markdown, expected) => {
    expect(pictures(markdown)).toEqual(expected)
  })

  it('tells where a URL is, and whether it is that of a picture', () => {
    const markdown = '> - [![a](<x y.png> "t")](z.html)\r\n\r\n[1]: w.png\r\n'
    expect(findTargets(markdown).map(({ from, to, isPicture }) => [markdown.slice(from, to), isPicture])).toEqual([
      ['<x y.png>', true],
      ['z.html', false],
      ['w.png', false],
    ])
  })

  it('finds what a parser of CommonMark finds', () => {
    const random = makeRandom(55)
    for (let round = 0; round < 400; round += 1) {
      const markdown = makeMarkdown(random)
      expect(new Set(pictures(markdown)), markdown).toEqual(parsePictures(markdown))
    }
  })

  it.each(['![', '[a](', '> ', '- ', '`', '![a][b]', '[a]: ', '![](<', '<!--', '1. ', '\\', '\t', '[^1]: ', '![a'])(
    'reads any number of %j, in proportion to their number',
    (part) => {
      for (const join of ['', ' ', '\n']) {
        const text = Array.from({ length: 50_000 }, () => part).join(join)
        expect(findTargets(text).length).toBeLessThanOrEqual(50_000)
      }
    },
  )
})
