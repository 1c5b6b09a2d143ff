import { type Element, findElement, isElement } from '../../html/tree.js'

/** Class names that state a language, as highlighters and generators write them. */
const PATTERNS = [
  /(?:^|\s)(?:language|lang|code|src)-([\w+#.-]+)/i,
  /(?:^|\s)highlight-(?:source-|text-)?([\w+#.-]+)/i,
  /(?:^|\s)brush:\s*([\w+#.-]+)/i,
  /(?:^|\s)(?:sourceCode|prettyprint|hljs|code|sh_\w*|crayon)\s+([a-z][\w+#]*)(?:\s|$)/i,
]

const NO_LANGUAGE =
  /^(?:none|null|undefined|text|plain|plaintext|plain-text|txt|default|nohighlight|no-highlight|notranslate|literal-block|hljs|highlight|highlighted|wrap|line-numbers|linenums|code|block|source|box|snippet|copy|toolbar|wrapper|container)$/i

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

/**
 * Returns the language of a code block, from its own classes, the `code` inside, or its wrapper; `''` if none states
 * it.
 */
export function codeLanguage(block: Element): string {
  const inside = findElement(block, ({ name }) => name === 'code')
  const parent = block.parent !== null && isElement(block.parent) ? block.parent : undefined
  const outer =
    parent?.parent !== null && parent?.parent !== undefined && isElement(parent.parent) ? parent.parent : undefined
  for (const element of [inside, block, parent, outer]) {
    if (element === undefined) continue
    const isWrapper = element === parent || element === outer
    if (isWrapper && !isMadeFor(element)) return ''
    const language = languageIn(element, isWrapper)
    if (language !== undefined) return language
  }
  return ''
}

/** Maximum length of the name of a language. */
const MAX_NAME = 30

/** True for the name of a code block's language, or of any language if the block states none. */
export function isLanguageOf(text: string, block: Element): boolean {
  if (text === '' || text.length > MAX_NAME) return false
  const name = text.toLowerCase()
  return LANGUAGES.has(name) || name === codeLanguage(block)
}

/** True for a wrapper that contains this block and little else, so that its classes describe the block. */
function isMadeFor({ name, children }: Element): boolean {
  if (name !== 'div' && name !== 'figure' && name !== 'td') return false
  // Counted no further than needed: a wrapper may contain a hundred thousand blocks, and each of them asks.
  let left = 3
  return children.every((child) => !isElement(child) || left-- > 0)
}

function languageIn({ attribs }: Element, isWrapper: boolean): string | undefined {
  const classes = attribs['class'] ?? ''
  const candidates = [
    ...ATTRIBUTES.map((attribute) => attribs[attribute]),
    ...PATTERNS.map((pattern) => pattern.exec(classes)?.[1]),
    // On other elements, `lang` is a natural language.
    ...[attribs['lang'] ?? '', ...(isWrapper && !FOR_CODE.test(classes) ? [] : classes.split(/\s+/, 20))].filter(
      (one) => LANGUAGES.has(one.toLowerCase()),
    ),
  ]
  const language = candidates.find((one) => one !== undefined && one !== '' && !NO_LANGUAGE.test(one))?.toLowerCase()
  return language !== undefined && /^[\w+#.-]{1,30}$/.test(language) ? language : undefined
}
