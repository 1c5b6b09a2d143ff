import { type Element, findElement, isElement, parentElement } from '../../html/tree.js'

/** Setting of SyntaxHighlighter, in a class or, in Confluence, in an attribute. */
const BRUSH = /(?:^|\s)brush:\s*([\w+#.-]+)/i

/** Class names that state a language, known or not, as highlighters and generators write them. */
const PATTERNS = [
  /(?:^|\s)(?:language|lang)-([\p{L}\p{N}_+#.-]+)/iu,
  // MediaWiki
  /(?:^|\s)mw-highlight-lang-([\w+#.-]+)/i,
  /(?:^|\s)highlight-(?:source|text)-([\w+#.-]+)/i,
  BRUSH,
  // org-mode
  /(?:^|\s)src\s+src-([\w+#.-]+)/i,
]

/** Class of a wrapper by Sphinx, see {@link isOfSphinx}. */
const SPHINX = /(?:^|\s)highlight-([\w+#.-]+)/i

/** Classes of Pandoc and highlight.js, with the language after them unless another class names a known one. */
const AFTER_CLASS = /(?:^|\s)(?:sourceCode|hljs)\s+([a-z][\w+#]*)(?=\s|$)/i
const AFTER_CLASS_OF_PRE = /(?:^|\s)sourceCode\s+([a-z][\w+#]*)(?=\s|$)/i

/** Start of a class name that states a known language, or else how the code looks: `highlight-python`, `highlight-dark`. */
const PREFIX = /^(?:code|src|highlight|sh)[-_]/i

/** A class of an element whose other classes may name a known language. */
const HIGHLIGHTED = /(?:^|\s)(?:sourceCode|prettyprint|hljs|code|crayon)(?:\s|$)/i

const NO_LANGUAGE =
  /^(?:none|null|undefined|text|plain|plaintext|plain-text|txt|default|nohighlight|no-highlight|notranslate|literal-block|hljs|highlight|highlighted|wrap|line-numbers|linenums|code|block|source|box|snippet|copy|toolbar|wrapper|container|switcher|selector|copyable|numberSource|numberLines|lineAnchors|light|dark)$/i

/** Tags of natural languages that are hardly names of others, and of their regions: `en`, `pt-BR`. */
const NATURAL_LANGUAGE =
  /^(?:ar|bg|da|de|el|en|es|fa|fi|fr|he|hi|hu|id|it|ja|ko|nl|pt|ro|ru|th|tr|uk|vi|zh|[a-z]{2}-[a-z]{2})$/i

const ATTRIBUTES = [
  'data-lang',
  'data-language',
  'data-code-language',
  'data-enlighter-language',
  'data-codetag',
  'lang-name',
  'language',
]

/** Classes of a wrapper whose other classes may name a language. */
const FOR_CODE = /highlight|syntax|source|code/i

/** Languages that count alone as a class or in `lang`: only names that mean nothing else. */
const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'asm assembly awk bash c clojure cmake coffeescript cpp c++ csharp cs css csv cuda dart diff dockerfile elixir elm erl erlang fortran ' +
    'fsharp golang graphql groovy haskell hcl html http ini java javascript jinja js json json5 jsx julia kotlin latex lua ' +
    'makefile matlab mermaid nginx nix objc objective-c objectivec ocaml pascal perl php plsql postgresql powershell ' +
    'prolog protobuf ps1 py pycon python python3 r rb rst ruby rust sass scala scheme scss sh shell solidity sparql sql svelte swift ' +
    'tcl terraform toml ts tsx typescript vb vbnet verilog vhdl vue wasm xml yaml yml zig zsh'
  ).split(' '),
)

/** Names of languages that count where a class is about code. */
const NAMES: ReadonlySet<string> = new Set([
  ...LANGUAGES,
  ...(
    'abap actionscript ada ahk apache apacheconf apex apl applescript arduino asciidoc asm6502 autohotkey autoit bat batch batchfile bibtex ' +
    'brainfuck cl cmd cobol coldfusion common-lisp console cr crystal cypher cython d delphi django docker dos dts ebnf elisp ' +
    'emacs-lisp erb ex f90 fish fs gcode gd gdscript gherkin gitignore gleam glsl gnuplot go gql gradle h haml handlebars haxe hbs hlsl hs hx ' +
    'idl idris ipython ipython2 ipython3 irb jinja2 jl jsonc jsonld jsonnet ksh kt less liquid lisp livescript llvm m4 make mako markdown ' +
    'mathematica md mdx ml mm mysql nasm nim octave openscad pgsql pl prisma properties pug puppet purescript pwsh py3 racket raku ' +
    'razor regex rexx robotframework rs sas scilab shell-session shellsession smali smalltalk sqlite stan stata stylus systemverilog tcsh tex tf ' +
    'thrift tsql turtle twig typoscript vala vba vbscript vhdl vim wat wgsl wolfram wren xhtml xquery xsl xslt'
  ).split(' '),
])

/**
 * Returns the language of a code block, from its own classes, the `code` inside, or its wrapper; `''` if none states
 * it.
 *
 * @param natural the language of the page, which a tag may name beside the code: `lang-sv`
 */
export function codeLanguage(block: Element, natural = ''): string {
  const inside = findElement(block, ({ name }) => name === 'code')
  for (const element of [inside, block]) {
    const language = element && languageIn(element, false, natural)
    if (language !== undefined) return language
  }
  let wrapper = parentElement(block)
  for (let left = MAX_WRAPPERS; left > 0 && wrapper !== undefined && isMadeFor(wrapper); left -= 1) {
    const language = languageIn(wrapper, true, natural)
    if (language !== undefined) return language
    wrapper = parentElement(wrapper)
  }
  return ''
}

/** A listing beside its line numbers is in a row of a table. */
const MAX_WRAPPERS = 6

/** True for the name of a language, and nothing else. */
export const isLanguageName = (text: string): boolean => NAMES.has(text.toLowerCase()) || NO_LANGUAGE.test(text)

/** Maximum length of the name of a language. */
const MAX_NAME = 30

/** True for the name of a code block's language, or of any language if the block states none. */
export function isLanguageOf(text: string, block: Element): boolean {
  if (text === '' || text.length > MAX_NAME) return false
  const name = text.toLowerCase()
  return LANGUAGES.has(name) || name === codeLanguage(block)
}

const WRAPPERS: ReadonlySet<string> = new Set('div figure section span td tr tbody table'.split(' '))

/** True for a wrapper that contains this block and little else, so that its classes describe the block. */
function isMadeFor({ name, children }: Element): boolean {
  if (!WRAPPERS.has(name) && !name.includes('-')) return false
  // Counted no further than needed: a wrapper may contain a hundred thousand blocks, and each of them asks.
  let left = 3
  return children.every((child) => !isElement(child) || left-- > 0)
}

function languageIn(element: Element, isWrapper: boolean, natural: string): string | undefined {
  const { name, attribs } = element
  const classes = attribs['class'] ?? ''
  const stated = [
    ...ATTRIBUTES.map((attribute) => attribs[attribute]),
    ...PATTERNS.map((pattern) => pattern.exec(classes)?.[1]),
    BRUSH.exec(attribs['data-syntaxhighlighter-params'] ?? '')?.[1],
    isOfSphinx(element) ? SPHINX.exec(classes)?.[1] : undefined,
  ]
  const mayBeLanguage = (one: string | undefined): boolean =>
    one !== undefined && one !== '' && !NO_LANGUAGE.test(one) && !isNatural(one.toLowerCase(), element, natural)
  // On other elements, `lang` is a natural language.
  const { lang } = attribs
  const isOfCode =
    lang !== undefined &&
    (isCode(name) ? isProgramming(lang) && mayBeLanguage(lang) : LANGUAGES.has(lang.toLowerCase()))
  const language = (
    stated.find(mayBeLanguage) ??
    (isOfCode ? lang : languageAmong(classes, isWrapper)) ??
    [nameAfter(name, classes)].find(mayBeLanguage)
  )?.toLowerCase()
  return language !== undefined && /^[\p{L}\p{N}_+#.-]{1,30}$/u.test(language) ? language : undefined
}

const isCode = (tag: string): boolean => tag === 'code' || tag === 'pre'

/** True for a known language, or a name that has not the form of a natural one: `en`, `eng`, `zh-Hans`. */
const isProgramming = (name: string): boolean => NAMES.has(name.toLowerCase()) || !/^[a-z]{2,3}(?:-|$)/i.test(name)

/** Returns the class after the one that says that an element is code. Wrappers have layout classes there. */
function nameAfter(tag: string, classes: string): string | undefined {
  if (!isCode(tag)) return undefined
  return (tag === 'code' ? AFTER_CLASS : AFTER_CLASS_OF_PRE).exec(classes)?.[1]
}

/** True for a wrapper by Sphinx. Elsewhere, `highlight-dark` is a style. */
const isOfSphinx = ({ attribs, children }: Element): boolean => {
  const classes = attribs['class'] ?? ''
  if (!SPHINX.test(classes)) return false
  if (/(?:^|\s)notranslate(?:\s|$)/.test(classes)) return true
  const first = children.find(isElement)
  return first?.name === 'div' && /(?:^|\s)highlight(?:\s|$)/.test(first.attribs['class'] ?? '')
}

/** True for the tag of a natural language: a clear one, or that around the code. `sv` is Swedish and SystemVerilog. */
function isNatural(name: string, element: Element, natural: string): boolean {
  if (NAMES.has(name)) return false
  if (name.length !== 2 || NATURAL_LANGUAGE.test(name)) return NATURAL_LANGUAGE.test(name)
  return (languageAround(element) ?? natural).trim().toLowerCase().split('-', 1)[0] === name
}

/** Returns the natural language that an element or the nearest one around it states; undefined without one. */
function languageAround(element: Element): string | undefined {
  for (let at: Element | undefined = element; at !== undefined; at = parentElement(at)) {
    const { lang } = at.attribs
    if (lang !== undefined) return lang
  }
  return undefined
}

/** Returns the first class that names a known language. */
function languageAmong(classes: string, isWrapper: boolean): string | undefined {
  if (classes === '') return undefined
  const isBareRead = !isWrapper || FOR_CODE.test(classes)
  const isHighlighted = HIGHLIGHTED.test(classes)
  for (const written of classes.split(/\s+/, 20)) {
    const name = written.replace(PREFIX, '')
    const isAboutCode = isHighlighted || name.length < written.length
    if (isAboutCode ? isKnown(name.toLowerCase()) : isBareRead && LANGUAGES.has(name.toLowerCase())) return name
  }
  return undefined
}

/** True for a known name, or for a template of one: `html+jinja`. */
const isKnown = (name: string): boolean => NAMES.has(name) || NAMES.has(name.split('+', 1)[0] ?? '')
