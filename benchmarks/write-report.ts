import { readFileSync, writeFileSync } from 'node:fs'

/** This file runs from `benchmarks/.build/benchmarks/`. */
const readme = new URL('../../README.md', import.meta.url)

/** Writes the report of a benchmark into benchmarks/README.md, between the comments with its name. */
export function writeReport(name: string, report: string): void {
  const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*(<!-- end of ${name} -->)`)
  const text = readFileSync(readme, 'utf8')
  if (!marks.test(text)) throw new Error(`benchmarks/README.md has no place for ${name}`)
  writeFileSync(
    readme,
    text.replace(marks, (_, before: string, after: string) => `${before}\n${report}\n\n${after}`),
  )
}
