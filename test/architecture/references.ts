import { existsSync, readFileSync } from 'node:fs'
import { type Habit, withoutStrings } from './habits.js'
import { lineAt } from './modules.js'

/** Sources that have no URL for each of their sections: cited by name and section, found at this address. */
export const standards: Readonly<Record<string, string>> = {
  'draft-ietf-aipref': 'https://datatracker.ietf.org/wg/aipref/documents/',
  'draft-ietf-webbotauth': 'https://datatracker.ietf.org/wg/webbotauth/documents/',
  'RSL 1.0': 'https://rslstandard.org/rsl',
  'RFC ': 'https://www.rfc-editor.org/',
  'BCP 47': 'https://www.rfc-editor.org/info/bcp47',
  'WHATWG HTML': 'https://html.spec.whatwg.org/multipage/',
  'WHATWG MIME Sniffing': 'https://mimesniff.spec.whatwg.org/',
  'WHATWG Encoding': 'https://encoding.spec.whatwg.org/',
  'W3C NOTE-datetime': 'https://www.w3.org/TR/NOTE-datetime',
  'WAI-ARIA': 'https://www.w3.org/TR/wai-aria-1.2/',
  WCAG: 'https://www.w3.org/TR/WCAG22/',
  'CSS Overflow': 'https://www.w3.org/TR/css-overflow-3/',
  'CSS Fonts': 'https://www.w3.org/TR/css-fonts-4/',
  'SVG 2': 'https://www.w3.org/TR/SVG2/',
  'MathML Core': 'https://www.w3.org/TR/mathml-core/',
  'MathML 3': 'https://www.w3.org/TR/MathML3/',
  'XML 1.0': 'https://www.w3.org/TR/xml/',
  'JSON-LD': 'https://www.w3.org/TR/json-ld11/',
  'JSON Feed': 'https://www.jsonfeed.org/version/1.1/',
  EPUB: 'https://www.w3.org/TR/epub-33/',
  'PNG specification': 'https://www.w3.org/TR/png/',
  YAML: 'https://yaml.org/spec/1.2.2/',
  CommonMark: 'https://spec.commonmark.org/',
  GFM: 'https://github.github.com/gfm/',
  OpenDocument: 'https://docs.oasis-open.org/office/OpenDocument/v1.3/',
  'ECMA-376': 'https://ecma-international.org/publications-and-standards/standards/ecma-376/',
  'MS-OFFCRYPTO': 'https://learn.microsoft.com/openspecs/office_file_formats/ms-offcrypto/',
  'Rich Text Format Specification': 'https://www.microsoft.com/download/details.aspx?id=10725',
  'ISO 32000-1': 'https://www.iso.org/standard/51502.html',
  'ISO 8601': 'https://www.iso.org/iso-8601-date-and-time-format.html',
  'ISO 3166-1': 'https://www.iso.org/iso-3166-country-codes.html',
  'ISO/IEC 14496-12': 'https://www.iso.org/standard/83102.html',
  'ISO/IEC 13818-1': 'https://www.itu.int/rec/T-REC-H.222.0',
  'ISO/IEC 11172-3': 'https://www.iso.org/standard/22412.html',
  'ITU-T T.88': 'https://www.itu.int/rec/T-REC-T.88',
  'APPNOTE.TXT': 'https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT',
  ID3v2: 'https://id3.org/id3v2.4.0-structure',
  GIF89a: 'https://www.w3.org/Graphics/GIF/spec-gif89a.txt',
  Netpbm: 'https://netpbm.sourceforge.net/doc/pgm.html',
  Unicode: 'https://www.unicode.org/',
  MathJax: 'https://docs.mathjax.org/en/latest/input/tex/delimiters.html',
  IANA: 'https://www.iana.org/assignments/iana-ipv4-special-registry/',
  'Adobe, "Symbol Encoding"': 'https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt',
  'net_error_list.h of Chromium': 'https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h',
  'Manku, Jain, Das Sarma': 'https://doi.org/10.1145/1242572.1242592',
  Charikar: 'https://doi.org/10.1145/509907.509965',
  'Ye, Chai, Lee, Chieu': 'https://arxiv.org/abs/1206.4625',
  Hyyrö: 'https://doi.org/10.1007/978-3-540-30551-4_20',
  'Friedman, Stochastic': 'https://doi.org/10.1016/S0167-9473(01)00065-2',
}

/** A reference in a comment, and the line that it is on. */
interface Reference {
  readonly text: string
  readonly line: number
}

/** Each `@see` of the doc comments of a file, without what follows on further lines. */
function referencesOf(text: string): Reference[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) =>
    [...comment.matchAll(/@see\s+((?:(?!\*\/|\s@\w)[^\n])*)/g)].map((match) => ({
      text: (match[1] ?? '').trim(),
      line: lineAt(text, index + match.index),
    })),
  )
}

/** Anchors of a Markdown file as GitHub makes them of its headings. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = slug
    for (let times = 1; anchors.has(anchor); times += 1) anchor = `${slug}-${times}`
    anchors.add(anchor)
  }
  return anchors
}

/** What is wrong with a path of the repository, with an anchor or without; undefined when it resolves. */
function findPathFault(root: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  if (!existsSync(`${root}${path}`)) return `no file ${path}`
  if (anchor === undefined || anchorsOf(readFileSync(`${root}${path}`, 'utf8')).has(anchor)) return undefined
  return `no heading for #${anchor} in ${path}`
}

const PATH = /(?:docs|src|test|benchmarks|build)\/[\w./-]+\.\w+(?:#[\w-]+)?|[A-Z]+\.md(?:#[\w-]+)?/g
const NUMBERED = /\b(?:behaviour|interface|design) (?:sections? )?\d[\d.]*/g

/** The names that modules declare, as far as a `{@link …}` may lead to one. */
export const namesDeclaredIn = (modules: readonly { readonly text: string }[]): ReadonlySet<string> =>
  new Set(
    modules.flatMap(({ text }) =>
      [...text.matchAll(/\b(?:interface|type|class|const|function)\s+(\w+)/g)].map(([, name = '']) => name),
    ),
  )

/** What is wrong with the references in a text. */
const findFaults = (root: string, names: ReadonlySet<string>, path: string, text: string): string[] => [
  ...referencesOf(text).flatMap(({ text: cited, line }) => {
    const seen = `${path}:${line} has \`@see ${cited}\``
    if (!isKnown(cited))
      return `${seen}: write a URL, a path such as docs/compatibility/fetching.md#cache, {@link …}, or add the standard to test/architecture/references.ts`
    const linked = /^\{@link (\w+)/.exec(cited)?.[1]
    if (linked !== undefined && !names.has(linked)) return `${seen}: nothing in src/ is called ${linked}`
    return [...cited.replace(/https?:\/\/\S+/g, '').matchAll(PATH)].flatMap(([target]) => {
      const fault = findPathFault(root, target)
      return fault === undefined ? [] : `${seen}: there is ${fault}`
    })
  }),
  ...[...text.matchAll(NUMBERED)].map(
    ({ 0: found, index }) =>
      `${path}:${lineAt(text, index)} refers to "${found}", which is not in the repository: name a section of docs/compatibility/`,
  ),
]

const isKnown = (cited: string): boolean =>
  /^(?:https?:\/\/|\{@link \w)/.test(cited) ||
  new RegExp(`^(?:${PATH.source})`).test(cited) ||
  Object.keys(standards).some((name) => cited.startsWith(name))

/** A habit for one repository and the names that it declares: each `@see` names a URL, a standard of the table above, a symbol or a file. */
export const referencesResolve =
  (root: string, names: ReadonlySet<string>): Habit =>
  (module) =>
    // Strings are blanked only where something was found: it takes ten times as long as the search.
    findFaults(root, names, module.path, module.text).length === 0
      ? []
      : findFaults(root, names, module.path, withoutStrings(module))
