import { existsSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/** Documentation of a package of Debian. */
export interface Site {
  readonly name: string
  /** Name of the package. */
  readonly source: string
  readonly folder: string
  /** Path of the start page. */
  readonly start: string
}

const site = (name: string, source: string, folder: string, start = 'index.html'): Site => ({
  name,
  source,
  folder,
  start,
})

const sites: readonly Site[] = [
  site('python', 'python3.11-doc', '/usr/share/doc/python3.11-doc/html/'),
  site('postgresql', 'postgresql-doc-15', '/usr/share/doc/postgresql-doc-15/html/'),
  site('openjdk', 'openjdk-17-doc', '/usr/share/doc/openjdk-17-doc/api/'),
  site('rust', 'rust-doc', '/usr/share/doc/rust-doc/html/'),
  site('django', 'python-django-doc', '/usr/share/doc/python-django-doc/html/'),
  site('sqlite', 'sqlite3-doc', '/usr/share/doc/sqlite3/'),
  site('qt', 'qtbase5-doc-html', '/usr/share/qt5/doc/', 'qtcore/qtcore-index.html'),
  site('linux', 'linux-doc-6.1', '/usr/share/doc/linux-doc-6.1/html/'),
  site('pandas', 'python-pandas-doc', '/usr/share/doc/python-pandas-doc/html/'),
  site('boost', 'libboost1.74-doc', '/usr/share/doc/libboost1.74-doc/doc/html/'),
]

/**
 * Parts of the questions: all are for choosing weights and rules, but for those that are kept aside and looked at in sum only, and
 * those about randomly drawn pages, which no weight or rule was chosen with when they were first run.
 */
export const PARTS = ['choosing', 'opened 1', 'opened 2', 'kept aside', 'drawn'] as const
export type Part = (typeof PARTS)[number]

/** A question, with the pages that answer it. */
export interface Question {
  readonly site: string
  readonly goal: string
  readonly answers: readonly string[]
  readonly part: Part
}

/** This file runs from `benchmarks/.build/benchmarks/goal/`. */
const all = JSON.parse(
  readFileSync(new URL('../../../goal/questions.json', import.meta.url), 'utf8'),
) as readonly Question[]

/** Options of both benchmarks of goals. */
export const goalFlags = {
  site: { type: 'string', multiple: true },
  part: { type: 'string', multiple: true },
  write: { type: 'boolean', default: false },
} as const

export const readFlags = () => parseArgs({ options: { ...goalFlags } }).values

/** Questions about one site. */
export interface SiteQuestions {
  readonly site: Site
  readonly questions: readonly Question[]
}

/** Lists the sites with the questions to measure. Says which sites are left out because they are not installed. */
export function listQuestions(flags: { site?: string[] | undefined; part?: string[] | undefined }): SiteQuestions[] {
  const found: SiteQuestions[] = []
  for (const one of sites.filter(({ name }) => flags.site?.includes(name) ?? true)) {
    const questions = all.filter(
      (question) => question.site === one.name && (flags.part?.includes(question.part) ?? true),
    )
    if (existsSync(`${one.folder}${one.start}`)) found.push({ site: one, questions })
    else
      console.warn(
        `LEFT OUT: ${questions.length} questions about ${one.name}: there is no ${one.folder}${one.start}. ` +
          `Install it with: apt-get install --no-install-recommends ${one.source}`,
      )
  }
  return found
}

/** Rank from 1 of the first answer page among fetched pages; Infinity if none was fetched. */
export function rankOf(paths: readonly string[], { answers }: Pick<Question, 'answers'>): number {
  const at = paths.findIndex((path) => answers.includes(path))
  return at < 0 ? Infinity : at + 1
}
