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

/** Reads the types of a format plug-in. @param type of the format, and name of its constant */
export function readFormat(type: string, declarations: Declarations): FormatTypes {
  const plugIn = declarations.findAll(type).find((constant) => /^(?:Enrich)?Format</.test(constant.type))
  if (!plugIn) throw new Error(`There is no constant ${type} in src/ with the type of a format`)
  // The names in version 1 follow as literals.
  const [, item = '', fields = ''] = /^\w+<(.*), ([^,']*)(?:, '[^,]*)?>$/.exec(plugIn.type) ?? []
  const filled = fields.split(' & ').flatMap((name) => declarations.find(name, plugIn) ?? [])
  return {
    doc: plugIn.doc,
    item: /^\w+$/.test(item) ? declarations.find(item, plugIn) : undefined,
    fields: filled.flatMap((declaration) => [...declarations.membersOf(declaration).values()]),
  }
}
