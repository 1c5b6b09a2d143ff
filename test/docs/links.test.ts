import { existsSync, readdirSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { anchorsOf } from '../architecture/references.js'
import { listDocs, readDoc } from './doc-code.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const MAX_README_LINES = 180
const MAX_PAGE_LINES = 250

const pages = [
  ...listDocs(''),
  ...listDocs('docs/'),
  ...listDocs('docs/compatibility/'),
  ...listDocs('docs/guides/'),
  ...listDocs('docs/reference/'),
  'benchmarks/README.md',
]

const withoutFences = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```/gm, '')

const withoutCode = (markdown: string): string => markdown.replaceAll(/`[^`\n]*`/g, '')

/** Finds the fault of a link; undefined for one that resolves, or leads out of the repository. */
function findLinkFault(page: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!existsSync(`${root}${file}`)) return `${target}: there is no ${file}`
  if (anchor === undefined || anchorsOf(readDoc(file)).has(anchor)) return undefined
  return `${target}: ${file} has no heading for #${anchor}`
}

/** Tells if a path exists; a star in its last part stands for any characters. */
function exists(path: string): boolean {
  if (!path.includes('*')) return existsSync(`${root}${path}`)
  const [folder, name] = [posix.dirname(path), posix.basename(path)]
  const [before = '', after = ''] = name.split('*')
  return (
    existsSync(`${root}${folder}`) &&
    readdirSync(`${root}${folder}`).some((file) => file.startsWith(before) && file.endsWith(after))
  )
}

describe.each(pages)('%s', (page) => {
  const text = withoutFences(readDoc(page))

  test('has links that lead to a file and a heading of the repository', () => {
    const targets = Array.from(withoutCode(text).matchAll(/\]\(<?([^()\s]+?)>?\)/g), ([, target = '']) => target)
    expect(targets.flatMap((target) => findLinkFault(page, target) ?? [])).toEqual([])
  })

  test('names paths that exist', () => {
    const paths = Array.from(
      text.matchAll(/`((?:src|test|docs|benchmarks|build)\/[\w./*-]*)`/g),
      ([, path = '']) => path,
    )
    expect(paths.filter((path) => !exists(path))).toEqual([])
  })
})

test('the README has at most 180 lines', () => {
  expect(readDoc('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES)
})

test('the README links to every guide', () => {
  const readme = readDoc('README.md')
  expect(listDocs('docs/guides/').filter((guide) => !readme.includes(`(${guide})`))).toEqual([])
})

test('every guide starts with code, ends with further pages, and has at most 250 lines', () => {
  const faults = listDocs('docs/guides/').flatMap((guide) => {
    const text = readDoc(guide)
    const lines = text.trimEnd().split('\n').length
    return [
      ...(text.indexOf('\n```') > 0 && text.slice(0, text.indexOf('\n```')).includes('\n## ')
        ? [`${guide} has a heading before its first code`]
        : []),
      ...(text.includes('\n## See also\n') ? [] : [`${guide} has no "See also"`]),
      ...(lines > 250 ? [`${guide} has ${lines} lines`] : []),
    ]
  })
  expect(faults).toEqual([])
})

test('ARCHITECTURE.md names types and functions that exist', () => {
  const named = new Set(
    Array.from(readDoc('ARCHITECTURE.md').matchAll(/`([A-Za-z]\w+)(?:\(\))?`/g), ([, name = '']) => name).filter(
      (name) => /^[A-Z][a-z]+[A-Z]\w*$|^[a-z]+[A-Z]\w*$/.test(name),
    ),
  )
  const source = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readDoc(`src/${file}`))
    .join('\n')
  const isKnown = (name: string): boolean =>
    new RegExp(`\\b(?:class|interface|type|function|const) ${name}\\b`).test(source)
  expect([...named].filter((name) => !isKnown(name))).toEqual([])
})

test.each([...listDocs('docs/'), ...listDocs('docs/compatibility/')])('%s can be read at one sitting', (page) =>
  expect(readDoc(page).split('\n').length - 1).toBeLessThanOrEqual(MAX_PAGE_LINES),
)
