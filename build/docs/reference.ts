import { readFileSync } from 'node:fs'
import { format, type FormatOptions } from 'oxfmt'
import { readDeclarations } from './declarations.js'
import { writeDocument } from './write-document.js'
import { writeEngineConfig } from './write-engine-config.js'
import { writeRequests } from './write-requests.js'
import { writeCommandLine, writeErrors, writeSkipReasons } from './write-tables.js'

const NOTE =
  '<!-- Generated from the source by `npm run docs`: change the doc comment, the schema or the table there. -->'

/** Generates the pages of `docs/reference/` by file name. @param root path of the repository, which ends with `/` */
export async function writeReference(root: string): Promise<ReadonlyMap<string, string>> {
  const declarations = readDeclarations(`${root}src`)
  const pages = {
    ...writeRequests(declarations),
    ...writeEngineConfig(declarations),
    ...writeDocument(declarations),
    'errors.md': writeErrors(),
    'skip-reasons.md': writeSkipReasons(declarations),
    'cli.md': writeCommandLine(),
  }
  const options = JSON.parse(readFileSync(`${root}.oxfmtrc.json`, 'utf8')) as FormatOptions
  const formatted = new Map<string, string>()
  for (const [name, text] of Object.entries(pages)) {
    formatted.set(name, (await format(name, `${NOTE}\n\n${text}\n`, options)).code)
  }
  return formatted
}
