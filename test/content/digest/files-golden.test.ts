import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from './plans.js'

const fixtures = new URL('../../fixtures/files/', import.meta.url)
const plan = digestPlan({ formats: [{ type: 'markdown' }, { type: 'links' }] })

/** A document as it is approved: what was to be said of it, its links, its text. */
async function read(name: string, folder: URL): Promise<string> {
  const { fields, links, metadata, warnings } = await digestFile(
    { url: `https://site.test/files/${name}`, body: readFileSync(new URL(name, folder)) },
    plan,
  )
  const facts = [
    `title: ${metadata.title ?? ''}`,
    ...links.map(({ url, text }) => `link: ${url} ${text}`),
    ...warnings.map((warning) => `warning: ${warning}`),
  ]
  return `<!--\n${facts.join('\n')}\n-->\n\n${fields.markdown}\n`
}

describe('a file', () => {
  const folders = readdirSync(fixtures).toSorted()

  // `UPDATE_GOLDEN=1` writes what is expected; without it, a missing file fails.
  it.each(folders)('has the approved digest: %s', async (kind) => {
    const folder = new URL(`${kind}/`, fixtures)
    const [name] = readdirSync(folder).filter((file) => file !== 'expected.md')
    const made = await read(name ?? '', folder)
    const expected = new URL('expected.md', folder)
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(expected, made)
    expect(existsSync(expected), `${expected.pathname} is missing: run with UPDATE_GOLDEN=1 and read it`).toBe(true)
    expect(made).toBe(readFileSync(expected, 'utf8'))
  })
})
