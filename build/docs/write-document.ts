import { builtIn } from '../../src/features/create-engine.js'
import type { Declaration, Declarations, Member } from './declarations.js'
import { readFormat } from './read-format.js'
import { declarationsIn } from './write-option.js'

const INTRODUCTION = `# Document

What a page becomes. A field marked with \`?\` may be absent. Other pages have the [fields of formats](document-formats.md),
those for [media](document-media.md), [jobs](jobs.md), and [outcomes of URLs, maps and forecasts](outcomes.md).`

/** Fields of formats that show or record a page: they have a page of their own. */
const mediaFields: readonly string[] = ['screenshot', 'branding', 'audio', 'video', 'videos']
/** Types about jobs with a section of their own although no field of a document refers to them. */
const jobTypes = ['StartResponse', 'JobStatus', 'JobErrors', 'JobProgress', 'UndeliveredReport', 'JobOverview']
const outcomeTypes = ['LedgerRow', 'UnseenUrl', 'SiteMap', 'CrawlForecast', 'Credits']

/** Generates the pages about documents, jobs and outcomes, by file name. */
export function writeDocument(declarations: Declarations): Readonly<Record<string, string>> {
  const written = new Set<string>()
  const fields = new Map<string, Member>()
  for (const { type } of builtIn.formats.all) {
    // If several formats fill a field, the one with the field's name describes it.
    for (const field of readFormat(type, declarations).fields) {
      if (field.name === type || !fields.has(field.name)) fields.set(field.name, field)
    }
  }
  const isMedia = ({ name }: Member): boolean => mediaFields.includes(name)
  const [media, data] = [[...fields.values()].filter(isMedia), [...fields.values()].filter((field) => !isMedia(field))]
  const frame = requireType(declarations, 'DocumentFrame')
  const metadata = requireType(declarations, 'DocumentMetadata')
  written.add(metadata.name)
  const typesNamed = (names: readonly string[]): string[] =>
    names.flatMap((name) => {
      const declaration = declarations.find(name)
      return declaration ? writeType(declaration, declarations, written) : []
    })
  return {
    'document.md': join(
      INTRODUCTION,
      '## Document',
      'The fields of every document, whatever its formats.',
      writeMembers(declarations.membersOf(frame).values(), declarations),
      '## Metadata',
      metadata.doc.text,
      writeMembers(declarations.membersOf(metadata).values(), declarations),
      ...writeTypes(declarations.membersOf(frame).values(), declarations, written),
    ),
    'document-formats.md': join(
      '# Fields of formats',
      'A [document](document.md) has a field if its format was requested: see [formats](formats.md).',
      writeMembers(data, declarations),
      ...writeTypes(data, declarations, written),
    ),
    'document-media.md': join(
      '# Fields of media formats',
      'What formats that show or record a page add to its [document](document.md): see [formats](formats.md).',
      writeMembers(media, declarations),
      ...writeTypes(media, declarations, written),
    ),
    'jobs.md': join(
      '# Jobs',
      'What the calls and handles of [jobs](../guides/jobs.md) return.',
      ...typesNamed(jobTypes),
    ),
    'outcomes.md': join(
      '# Outcomes of URLs, maps and forecasts',
      'What `job.urls()`, `job.explain()`, `map()`, `plan()` and `credits()` return.',
      ...typesNamed(outcomeTypes),
    ),
  }
}

const join = (...parts: string[]): string => parts.filter((part) => part !== '').join('\n\n')

function requireType(declarations: Declarations, name: string): Declaration {
  const declaration = declarations.find(name)
  if (!declaration) throw new Error(`There is no type ${name} in src/: name the one that took its place`)
  return declaration
}

const writeTypes = (members: Iterable<Member>, declarations: Declarations, written: Set<string>): string[] =>
  [...members]
    .flatMap(({ type, owner }) => declarationsIn(type, owner, declarations))
    // Requests are in a page of their own.
    .filter(({ path }) => !path.startsWith('kernel/options/') && path !== 'kernel/fetch/action-options.ts')
    .flatMap((declaration) => writeType(declaration, declarations, written))

/** Writes a type, followed by the types of its fields, each once. */
function writeType(declaration: Declaration, declarations: Declarations, written: Set<string>): string[] {
  if (written.has(declaration.name)) return []
  written.add(declaration.name)
  const members = [...declarations.membersOf(declaration).values()]
  return [
    `## \`${declaration.name}\``,
    declaration.doc.text,
    writeMembers(members, declarations),
    ...writeTypes(members, declarations, written),
  ]
}

const writeMembers = (members: Iterable<Member>, declarations: Declarations): string =>
  [...members]
    .map(({ name, isOptional, type, doc }) => {
      const text = doc.text.replace(/\s*\n\s*/g, ' ')
      return `- \`${name}${isOptional ? '?' : ''}\` (\`${nameKeys(type, declarations)}\`)${text === '' ? '' : `: ${text}`}`
    })
    .join('\n')

/** Writes the names that features have added to a type in the place of that type. */
const nameKeys = (type: string, declarations: Declarations): string =>
  type.replace(/\bkeyof (Feature\w+)/g, (whole, name: string) => {
    const declaration = declarations.find(name)
    const names = declaration ? [...declarations.membersOf(declaration).keys()] : []
    return names.length === 0 ? whole : names.map((key) => `'${key}'`).join(' | ')
  })
