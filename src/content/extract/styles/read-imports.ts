import { splitAtSemicolons, stripComments } from './scan-css.js'

/** Maximum length of the begin of a sheet in which imports are looked for, and maximum number of these. */
const MAX_BEGIN = 4000
const MAX_IMPORTS = 8

/** A sheet that another one imports. */
interface SheetImport {
  /** As it is written. */
  readonly href: string
  readonly media: string | undefined
}

const IMPORT = /^@import\s*(?:url\(\s*)?(?:"([^"]*)"|'([^']*)'|([^\s"')]+))\s*\)?\s*([^]*)$/i

/** Finds the sheets that a sheet imports into no layer, and on no condition but a medium: those before its first rule. */
export function readImports(css: string): readonly SheetImport[] {
  const begin = css.slice(0, MAX_BEGIN)
  const found: SheetImport[] = []
  if (!/@import/i.test(begin)) return found
  for (const part of splitAtSemicolons(stripComments(begin))) {
    const statement = part.trim()
    if (!/^@(?:charset|layer|import)\b/i.test(statement) || found.length === MAX_IMPORTS) break
    const [, double, single, bare, rest = ''] = IMPORT.exec(statement) ?? []
    const href = (double ?? single ?? bare ?? '').trim()
    if (href !== '' && !/^(?:layer|supports)\b/i.test(rest)) found.push({ href, media: rest.trim() || undefined })
  }
  return found
}
