import { ownValue } from '../../src/base/collections/own-value.js'
import type { Declaration, Declarations, Member } from './declarations.js'
import { alternativesOf, describeLimits, type JsonSchema } from './json-schema.js'

/** Option with its schema and its property in the types. */
export interface Option {
  readonly name: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
  readonly member: Member | undefined
}

/** Lists the options in the schema of a request, each with its property in the type. */
export function listOptions(
  declarations: Declarations,
  typeName: string,
  schema: JsonSchema,
  names: readonly string[] = Object.keys(schema.properties ?? {}),
): Option[] {
  const declaration = declarations.find(typeName)
  if (!declaration) throw new Error(`There is no type ${typeName} in src/: name the one that took its place`)
  const members = declarations.membersOf(declaration)
  return names.map((name) => ({
    name,
    schema: schema.properties?.[name] ?? {},
    isRequired: schema.required?.includes(name) ?? false,
    member: members.get(name),
  }))
}

/** Writes the section of an option, with the fields of the objects that it accepts. */
export function writeOption(
  option: Option,
  declarations: Declarations,
  title: string,
  notes: readonly string[] = [],
): string {
  const { member } = option
  const parts = [
    `### ${title}`,
    writeFacts(option, declarations),
    member?.doc.deprecated === undefined ? '' : `**Deprecated**: ${member.doc.deprecated}`,
    member?.doc.text ?? '',
    ...notes,
    writeFields(option, declarations),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** Writes type, default and bounds on one line. */
export function writeFacts({ schema, isRequired, member }: Option, declarations: Declarations): string {
  const fallback = member?.doc.fallback
  const limits = describeLimits(schema)
  return [
    code(member ? describeType(member, schema, declarations) : describeSchema(schema)),
    isRequired ? 'required' : fallback === undefined ? 'optional' : `default ${writeDefault(fallback)}`,
    ...(limits === '' ? [] : [limits]),
  ].join(' · ')
}

/** Writes a default: its literal as code, the rest as text. */
export function writeDefault(fallback: string): string {
  const literal =
    /^(?:'[^']*'|\[[^\]]*\]|\{[^}]*\}|-?\d[\d_.]*(?:,\d{3})*|true|false|null|Infinity|\w+(?:\.\w+)?\(\)|Date\.now)(?=$|[\s,;:])/.exec(
      fallback,
    )?.[0]
  return literal === undefined ? fallback : `${code(literal)}${fallback.slice(literal.length)}`
}

const code = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)

/** Maximum length of an alias that is replaced by its type. */
const MAX_ALIAS_LENGTH = 70

/**
 * Describes the type of an option. Short aliases are replaced by their types; a computed type is taken from the schema.
 */
function describeType({ type, owner }: Member, schema: JsonSchema, declarations: Declarations): string {
  if (/\bkeyof\b|^Omit</.test(type)) return 'object'
  if (/^(?:Formats|FormatItem)\b/.test(type)) return '(string | object)[]'
  const written = type.replace(/\b[A-Z]\w+/g, (name, offset: number) => {
    const alias = declarations.find(name, owner)?.type ?? ''
    if (alias === '' || alias.length > MAX_ALIAS_LENGTH || /</.test(alias)) return name
    return alias.includes('|') && type.startsWith('[]', offset + name.length) ? `(${alias})` : alias
  })
  return /\btypeof\b|\['/.test(written) ? describeSchema(schema) : written
}

/** Describes the type that a schema accepts. */
function describeSchema(schema: JsonSchema): string {
  const { type, items, properties, required = [] } = schema
  const parts = schema.enum ?? ('const' in schema ? [schema.const] : undefined)
  if (parts) return parts.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ')
  const either = schema.anyOf ?? schema.oneOf
  if (either) return [...new Set(either.map(describeSchema))].join(' | ')
  if (items) {
    const item = describeSchema(items)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (!properties) return type ?? 'object'
  const fields = Object.entries(properties).map(
    ([name, one]) => `${name}${required.includes(name) ? '' : '?'}: ${describeSchema(one)}`,
  )
  return `{ ${fields.join('; ')} }`
}

/** Options whose objects are described in sections of their own. */
const DESCRIBED_ELSEWHERE: Readonly<Record<string, string>> = {
  formats: 'See [formats](formats.md).',
  actions: 'See [actions](actions.md).',
  scrapeOptions:
    'See [page options](options.md), and for version 1 [page options of version 1](map-options.md#page-options-of-version-1).',
}

/** Writes the fields of the objects that an option accepts, as a list. */
function writeFields({ name: option, schema, member }: Option, declarations: Declarations): string {
  const elsewhere = ownValue(DESCRIBED_ELSEWHERE, option)
  if (elsewhere !== undefined) return elsewhere
  const objects = alternativesOf(schema).filter(({ properties }) => properties !== undefined)
  const known = member ? declarationsIn(member.type, member.owner, declarations) : []
  return [...new Map(objects.map((object) => [JSON.stringify(object), object])).values()]
    .map((object) => {
      const { properties = {}, required = [] } = object
      const kind = properties['type']?.const
      const declaration = known.find((one) => fits(one, Object.keys(properties), kind, declarations))
      const members = declaration ? declarations.membersOf(declaration) : new Map<string, Member>()
      const fields = Object.entries(properties)
        .filter(([name]) => !(name === 'type' && kind !== undefined))
        .map(([name, field]) =>
          writeField(
            { name, schema: field, isRequired: required.includes(name), member: members.get(name) },
            declarations,
          ),
        )
      const head =
        kind === undefined
          ? ''
          : `\`{ type: '${String(kind)}' }\`${declaration?.doc.text ? `: ${firstLine(declaration.doc.text)}` : ''}`
      return [head, fields.join('\n')].filter((part) => part !== '').join('\n\n')
    })
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Writes a field of an object as a list item. */
export function writeField(option: Option, declarations: Declarations): string {
  const text = firstLine(option.member?.doc.text ?? '')
  const head = `- \`${option.name}\` (${writeFacts(option, declarations)})${text === '' ? '' : `: ${text}`}`
  const { properties } = option.schema
  if (!properties) return head
  return `${head}\n${writeFields(option, declarations).replace(/^(?=.)/gm, '  ')}`
}

const firstLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ')

const fits = (
  declaration: Declaration,
  names: readonly string[],
  kind: string | number | boolean | null | undefined,
  declarations: Declarations,
): boolean => {
  const members = declarations.membersOf(declaration)
  if (kind !== undefined) return members.get('type')?.type === `'${String(kind)}'`
  return names.length > 0 && names.every((name) => members.has(name))
}

/** Lists the interfaces that a type refers to, also through aliases. */
export function declarationsIn(type: string, from: Declaration, declarations: Declarations, depth = 0): Declaration[] {
  if (depth > 4) return []
  return [...type.replace(/'[^']*'/g, '').matchAll(/\b[A-Z]\w+/g)].flatMap(([name]) => {
    const declaration = declarations.find(name, from)
    if (!declaration) return []
    return declaration.members.length > 0 || declaration.extended.length > 0
      ? [declaration]
      : declarationsIn(declaration.type, declaration, declarations, depth + 1)
  })
}
