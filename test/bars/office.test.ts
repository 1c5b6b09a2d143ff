import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { markdownOf } from '../content/office/read.js'

/**
 * The files of `test/fixtures/office`, made again from their sources by the LibreOffice that is found, come to the same Markdown.
 * The names of pictures, which it draws up anew, aside.
 */

const run = promisify(execFile)
const fixtures = fileURLToPath(new URL('../fixtures/office/', import.meta.url))

const hasOffice = await run('soffice', ['--version']).then(
  () => true,
  () => false,
)

const made = {
  'text.fodt': ['docx', 'odt', 'rtf', 'epub'],
  'sheet.fods': ['xlsx', 'ods'],
  'slides.fodp': ['pptx', 'odp'],
}

/** A program of this size takes its time to start on a busy machine. Milliseconds. */
const PATIENCE_MS = 240_000

const withoutNames = (markdown: string): string => markdown.replace(/#[\w/]+\.png/g, '#picture')

// Without a LibreOffice there is nothing to compare with; `npm test` has the files that it made.
describe.skipIf(!hasOffice || process.env['BARS'] !== 'whole')('what LibreOffice makes', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trawl-office-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const cases = Object.entries(made).flatMap(([source, kinds]) => kinds.map((kind) => [source, kind] as const))
  it.each(cases)(
    'of %s as %s comes out with the same structure',
    async (source, kind) => {
      const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`
      const from = join(fixtures, 'source', source)
      await run('soffice', ['--headless', profile, '--convert-to', kind, '--outdir', folder, from])
      const name = source.replace(/\.\w+$/, `.${kind}`)
      const expected = await readFile(join(fixtures, `${name}.md`), 'utf8')
      const markdown = await markdownOf(await readFile(join(folder, name)), 'application/octet-stream')
      expect(withoutNames(`${markdown}\n`)).toBe(withoutNames(expected))
    },
    PATIENCE_MS,
  )
})
