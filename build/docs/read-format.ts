import * as convertFormats from '../../src/content/convert/formats/index.js'
import type { Declaration, Declarations, DocComment, Member } from './declarations.js'

/** Declarations of a format. */
export interface FormatTypes {
  /** Doc comment of the plug-in. */
  readonly doc: DocComment
  /** Interface of its item in `formats`; undefined if the type is written inline. */
  readonly item: Declaration | undefined
  /** Fields of the document that it fills. */
  readonly fields: readonly Member[]
}

/** Reads the types of a format plug-in. @param constant name of the constant in the registry */
export function readFormat(constant: string, declarations: Declarations): FormatTypes {
  const station = constant in convertFormats ? 'convert' : 'enrich'
  const file = `${constant.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()}.ts`
  const plugIn = declarations.findIn(`${station}/formats/${file}`, constant)
  if (!plugIn) throw new Error(`There is no ${constant} in src/${station}/formats/${file}`)
  // The names in version 1 follow as literals.
  const [, item = '', fields = ''] = /^\w+<(.*), ([^,']*)(?:, '[^,]*)?>$/.exec(plugIn.type) ?? []
  const filled = fields.split(' & ').flatMap((name) => declarations.find(name, plugIn) ?? [])
  return {
    doc: plugIn.doc,
    item: /^\w+$/.test(item) ? declarations.find(item, plugIn) : undefined,
    fields: filled.flatMap((declaration) => [...declarations.membersOf(declaration).values()]),
  }
}
