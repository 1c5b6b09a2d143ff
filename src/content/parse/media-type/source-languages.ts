import { extensionOf } from './file-name.js'

/** Language of source code, configuration or data. */
interface SourceLanguage {
  /** Name in code fences. */
  readonly name: string
  /** Media types; the first is used for files that are recognised by name. */
  readonly types: readonly string[]
  /** Extensions of its files, in lower case. */
  readonly extensions?: readonly string[]
  /** Pattern of the start of its files, if the extension is ambiguous. */
  readonly start?: RegExp
}

const row = (name: string, types: string, extensions = '', start?: RegExp): SourceLanguage => ({
  name,
  types: types.split(' '),
  extensions: extensions === '' ? undefined : extensions.split(' '),
  start,
})

/** Registered types come first, then those that servers use by default: Apache's mime.types, shared-mime-info. */
const languages: readonly SourceLanguage[] = [
  row('bash', 'text/x-sh application/x-sh application/x-shellscript text/x-shellscript', 'sh bash zsh ksh'),
  row('bat', 'text/x-bat application/x-bat', 'bat cmd'),
  row('bibtex', 'text/x-bibtex application/x-bibtex', 'bib'),
  row('c', 'text/x-c text/x-csrc text/x-chdr', 'c h'),
  row('clojure', 'text/x-clojure', 'clj cljs edn'),
  row('cmake', 'text/x-cmake', 'cmake'),
  row('cpp', 'text/x-c++ text/x-c++src text/x-c++hdr', 'cc cpp cxx hh hpp hxx ino'),
  row('csharp', 'text/x-csharp', 'cs'),
  row('css', 'text/css', 'css'),
  row('dart', 'text/x-dart application/dart', 'dart'),
  row('diff', 'text/x-diff text/x-patch', 'diff patch'),
  row('dockerfile', 'text/x-dockerfile', 'dockerfile'),
  row('elixir', 'text/x-elixir', 'ex exs'),
  row('erlang', 'text/x-erlang', 'erl hrl'),
  row('fortran', 'text/x-fortran', 'f f77 f90 f95 f03'),
  row('go', 'text/x-go', 'go'),
  row('graphql', 'application/graphql', 'graphql gql'),
  row('groovy', 'text/x-groovy', 'groovy gradle'),
  row('haskell', 'text/x-haskell', 'hs'),
  row('hcl', 'text/x-hcl', 'tf hcl'),
  row('ini', 'text/x-ini application/x-wine-extension-ini', 'ini cfg conf properties editorconfig'),
  row('java', 'text/x-java text/x-java-source', 'java'),
  row(
    'javascript',
    'text/javascript application/javascript application/x-javascript application/ecmascript',
    'js mjs cjs',
  ),
  row('json', 'application/x-ndjson application/jsonl application/jsonlines', 'ndjson jsonl'),
  row('jsonc', 'text/x-jsonc application/json5', 'jsonc json5'),
  row('jsx', 'text/jsx', 'jsx'),
  row('julia', 'text/x-julia', 'jl'),
  row('kotlin', 'text/x-kotlin', 'kt kts'),
  row('latex', 'text/x-tex application/x-tex application/x-latex', 'tex sty cls'),
  row('less', 'text/x-less', 'less'),
  row('lisp', 'text/x-lisp', 'lisp el scm'),
  row('lua', 'text/x-lua', 'lua'),
  row('makefile', 'text/x-makefile', 'mk makefile'),
  row('nix', 'text/x-nix', 'nix'),
  row('ocaml', 'text/x-ocaml', 'ml mli'),
  row('pascal', 'text/x-pascal', 'pas'),
  row('perl', 'text/x-perl application/x-perl', 'pl pm'),
  // Responses of URLs that end in `.php` are hardly ever PHP.
  row('php', 'text/x-php application/x-httpd-php-source', 'php', /^\s*<\?(?:php|=)/),
  row('powershell', 'text/x-powershell', 'ps1 psm1'),
  row('protobuf', 'text/x-protobuf', 'proto'),
  row('python', 'text/x-python text/x-script.python application/x-python-code', 'py pyi pyw'),
  row('r', 'text/x-r', 'r'),
  row('ruby', 'text/x-ruby application/x-ruby', 'rb'),
  row('rust', 'text/rust text/x-rust', 'rs'),
  row('scala', 'text/x-scala', 'scala'),
  row('scss', 'text/x-scss text/x-sass', 'scss sass'),
  row('sql', 'application/sql text/x-sql', 'sql'),
  row('svelte', 'text/x-svelte', 'svelte'),
  row('swift', 'text/x-swift', 'swift'),
  row('toml', 'application/toml text/x-toml', 'toml'),
  row('tsx', 'text/tsx', 'tsx'),
  row('typescript', 'text/typescript application/typescript text/x-typescript', 'ts mts cts'),
  row('vue', 'text/x-vue', 'vue'),
  row('yaml', 'application/yaml application/x-yaml text/yaml text/x-yaml text/vnd.yaml', 'yaml yml'),
  row('zig', 'text/x-zig', 'zig'),
]

const byType = new Map(languages.flatMap(({ name, types }) => types.map((type) => [type, name] as const)))

const byExtension = new Map(
  languages.flatMap((language) => (language.extensions ?? []).map((extension) => [extension, language] as const)),
)

/** Names without an extension. A path such as `/go`, `/r` or `/properties` is hardly ever that of source code. */
const WHOLE_NAMES: ReadonlySet<string> = new Set(['makefile', 'dockerfile', 'diff', 'patch'])

/** Returns the code fence name of a media type; undefined if it is not source code. */
export const languageOfType = (mediaType: string): string | undefined => byType.get(mediaType)

/**
 * Returns the media type of source code by its file name.
 *
 * @param start how its text begins
 */
export function sourceTypeOf(name: string, start: string): string | undefined {
  const extension = extensionOf(name)
  if (!name.includes('.') && !WHOLE_NAMES.has(extension)) return undefined
  const language = byExtension.get(extension)
  return language?.start?.test(start) === false ? undefined : language?.types[0]
}
