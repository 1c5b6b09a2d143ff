import { isNode, lineAt, walk } from './modules.js'
import type { Module, SyntaxNode } from './modules.js'

/** Folders whose files are formats: each may name itself and others. */
const FORMAT_FOLDERS = [
  'content/convert/formats/',
  'features/base64/',
  'features/branding/',
  'features/change-tracking/',
  'features/json/',
  'features/list/',
  'features/media/',
  'features/offers/',
  'features/question/',
  'features/screenshot/',
  'features/summary/',
]

/** Names of formats that a file may have, and why. */
export interface FormatNameException {
  /** Path below `src/`: a file, or a folder, which ends with `/`. */
  readonly place: string
  /** Names that may stand there; absent for all. */
  readonly names?: readonly string[]
  readonly reason: string
}

const except = (place: string, reason: string, ...names: string[]): FormatNameException => ({
  place,
  reason,
  ...(names.length > 0 && { names }),
})

/** Places that may name formats. One without such a name leaves the list. */
export const formatNameExceptions: readonly FormatNameException[] = [
  except('cli/', 'a user of the public interface, which asks for formats as any other user does'),
  except('features/toolkit/', 'a user of the public interface, which asks for formats as any other user does'),
  except('features/browser/actions/screenshot.ts', 'the action of this name', 'screenshot'),
  except('base/media/media.ts', 'kinds of files', 'screenshot', 'audio', 'video'),
  except('base/llm/providers/ai-sdk.ts', 'the form of an answer of a model', 'json'),
  except('content/hydration/rich-text.ts', 'a kind of node of rich text', 'list'),
  except('content/parse/feeds/feed.ts', 'an attribute of Atom', 'html'),
  except('features/report-view/markdown.ts', 'kinds of Markdown blocks', 'list', 'html'),
]

/** What a type or a format is called where it is compared. */
const TYPE_LIKE = /(?:\btype|\bformat|\bitem|itemType\([^)]*\)|typeNamed\([^)]*\))$/i
/** What a collection of types or formats is called. */
const TYPES_LIKE = /(?:types|formats|items|names)(?:\(\))?$/i
const LOOK_UPS: ReadonlySet<string> = new Set(['includes', 'has', 'get', 'indexOf'])
/** Members that a union type of names of formats has at least: two may be of another matter, such as kinds of media. */
const MIN_UNION = 3

/**
 * Law 4 as well: code outside of the formats' folders knows no format by its name: it reads the facts that formats declare. Words that
 * are names of formats have other meanings as well (elements, kinds of blocks, kinds of actions), so that only places count
 * that compare a type, look one up, list names or make an item of `formats`.
 *
 * @param names of all formats, in either version of the interface
 */
export const formatsAreKnownByFacts = (
  modules: readonly Module[],
  names: ReadonlySet<string>,
  exceptions: readonly FormatNameException[] = formatNameExceptions,
): string[] => {
  const used = new Set<FormatNameException>()
  const isExcepted = (path: string, name: string): boolean => {
    const found = exceptions.find(
      ({ place, names: own }) =>
        (place === path || (place.endsWith('/') && path.startsWith(place))) && (own?.includes(name) ?? true),
    )
    if (found) used.add(found)
    return found !== undefined
  }
  const faults = modules
    .filter(({ path }) => !FORMAT_FOLDERS.some((folder) => path.startsWith(folder)))
    .flatMap((module) =>
      findFormatNames(module, names)
        .filter(({ name }) => !isExcepted(module.path, name))
        .map(
          ({ node, name }) =>
            `src/${module.path}:${lineAt(module.text, node.start)} names the format \`${name}\`: let formats declare what is asked for here, and read that`,
        ),
    )
  return [
    ...faults,
    ...exceptions
      .filter((one) => !used.has(one))
      .map(({ place }) => `src/${place} names no format: take it off the list in test/architecture/format-names.ts`),
  ]
}

interface NamedFormat {
  readonly node: SyntaxNode
  readonly name: string
}

/** Finds the places of a module that name a format, each once. */
function findFormatNames({ tree, text }: Module, names: ReadonlySet<string>): NamedFormat[] {
  const found = new Map<number, NamedFormat>()
  const nameIn = (node: unknown): string | undefined =>
    isNode(node) && typeof node['value'] === 'string' && names.has(node['value']) ? node['value'] : undefined
  const report = (...nodes: readonly unknown[]): void => {
    for (const node of nodes) {
      const name = nameIn(node)
      if (isNode(node) && name !== undefined) found.set(node.start, { node, name })
    }
  }
  const written = (node: unknown): string => (isNode(node) ? text.slice(node.start, node.end).trim() : '')
  for (const node of walk(tree)) {
    switch (node.type) {
      case 'BinaryExpression':
        if (TYPE_LIKE.test(written(node['left'])) || TYPE_LIKE.test(written(node['right'])))
          report(node['left'], node['right'])
        break
      case 'SwitchStatement':
        if (TYPE_LIKE.test(written(node['discriminant']))) report(...listOf(node['cases']).map(({ test }) => test))
        break
      case 'CallExpression':
        if (isLookUp(node['callee'], written)) report(...listOf(node['arguments']))
        break
      case 'ArrayExpression':
        if (listOf(node['elements']).length > 1 && listOf(node['elements']).every((one) => nameIn(one) !== undefined))
          report(...listOf(node['elements']))
        break
      case 'Property':
        if (written(node['key']) === 'type') report(node['value'])
        if (written(node['key']) === 'formats') report(...itemsOf(node['value']))
        break
      case 'TSUnionType': {
        const literals = listOf(node['types']).flatMap(({ literal }) => (nameIn(literal) === undefined ? [] : literal))
        if (literals.length >= MIN_UNION) report(...literals)
        break
      }
      case 'Literal':
        // No other word is written with a capital within it.
        if (/^[a-z]+[A-Z]/.test(String(node['value']))) report(node)
        break
    }
  }
  return [...found.values()]
}

/** Tests for `types.has`, `formats.includes` and the like. */
function isLookUp(callee: unknown, written: (node: unknown) => string): boolean {
  if (!isNode(callee) || callee.type !== 'MemberExpression') return false
  return LOOK_UPS.has(written(callee['property'])) && TYPES_LIKE.test(written(callee['object']))
}

const listOf = (value: unknown): SyntaxNode[] => (Array.isArray(value) ? value.filter(isNode) : [])

const itemsOf = (node: unknown): SyntaxNode[] =>
  isNode(node) && node.type === 'ArrayExpression' ? listOf(node['elements']) : []
